import AlbumModel

/// The wants by their blobs: a dictionary whose growth moves none of them.
///
/// A laptop that joins wants 200,000 blobs within seconds, and a want is large.
struct WantTable: Sendable {
    /// `@unchecked Sendable`: the one table that refers to it alone writes it; a copy of the table makes its own first.
    private final class Slot: @unchecked Sendable {
        var want: Want?

        init(_ want: Want?) { self.want = want }
    }

    private var slots: [BlobID: Slot] = [:]

    var count: Int { slots.count }

    /// A copy: what is wanted may change while it is gone through.
    var blobs: [BlobID] { Array(slots.keys) }

    var all: some Sequence<Want> { slots.values.lazy.compactMap(\.want) }

    subscript(_ blob: BlobID) -> Want? {
        get { slots[blob]?.want }
        set { slots[blob] = newValue.map { Slot($0) } }
        _modify {
            guard let index = slots.index(forKey: blob) else {
                var want: Want?
                yield &want
                slots[blob] = want.map { Slot($0) }
                return
            }
            if !isKnownUniquelyReferenced(&slots.values[index]) {
                slots.values[index] = Slot(slots.values[index].want)
            }
            defer { if slots.values[index].want == nil { slots.remove(at: index) } }
            yield &slots.values[index].want
        }
    }
}
