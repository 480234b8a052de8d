import AlbumModel

/// The wants by their blobs: a dictionary whose growth moves none of them.
///
/// A laptop that joins wants 200,000 blobs within seconds, and a want is large.
struct WantTable: Sendable {
    /// `@unchecked Sendable`: the one table that refers to it alone writes it; a copy of the table makes its own first.
    private final class Place: @unchecked Sendable {
        var want: Want?

        init(_ want: Want?) { self.want = want }
    }

    private var places: [BlobID: Place] = [:]

    var count: Int { places.count }

    /// A copy: what is wanted may change while it is gone through.
    var blobs: [BlobID] { Array(places.keys) }

    var all: some Sequence<Want> { places.values.lazy.compactMap(\.want) }

    subscript(_ blob: BlobID) -> Want? {
        get { places[blob]?.want }
        set { places[blob] = newValue.map { Place($0) } }
        _modify {
            guard let index = places.index(forKey: blob) else {
                var want: Want?
                yield &want
                places[blob] = want.map { Place($0) }
                return
            }
            if !isKnownUniquelyReferenced(&places.values[index]) {
                places.values[index] = Place(places.values[index].want)
            }
            defer { if places.values[index].want == nil { places.remove(at: index) } }
            yield &places.values[index].want
        }
    }
}
