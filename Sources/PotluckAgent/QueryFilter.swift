import AlbumModel
import PhotoStore
import PotluckAPI

/// What a query asks of an entry, in a form that is quick to compare with thousands of them.
struct QueryFilter {
    private let query: PhotoQuery
    private let tagKeys: Set<String>
    private let cameraWords: [String]
    private let kinds: Set<PhotosReport.Kind>
    /// `nil` for anybody's.
    private let contributors: Set<Person>?

    /// - Parameter names: The names of all who may have contributed.
    init(_ query: PhotoQuery, names: [Person: [String]]) {
        self.query = query
        tagKeys = Set(query.tags.map { TagName.key($0) })
        cameraWords = Self.words(query.camera)
        kinds = Set(query.kinds)
        contributors = query.by.isEmpty ? nil : Set(query.by.flatMap { Self.people($0, names) })
    }

    /// Those of this name in any case, or of an ID that begins so.
    private static func people(_ text: String, _ names: [Person: [String]]) -> [Person] {
        let (key, digits) = (AlbumName.key(text), text.lowercased())
        let isID = digits.utf8.count >= PhotoLookup.digitCountMin && digits.allSatisfy(\.isHexDigit)
        return names.filter { person, names in
            let id = person.guest?.hex ?? person.device.hex
            return names.contains { AlbumName.key($0) == key } || isID && id.hasPrefix(digits)
        }.map(\.key)
    }

    /// Words as they are compared, whatever their case.
    static func words(_ text: String) -> [String] {
        AlbumName.key(text).split(whereSeparator: \.isWhitespace).map { String($0) }
    }

    func accepts(_ entry: PhotoEntry) -> Bool {
        let (listing, photo) = (entry.listing, entry.listing.photo)
        if let after = query.takenAfter, listing.localMilliseconds < after.milliseconds { return false }
        if let before = query.takenBefore, listing.localMilliseconds >= before.milliseconds { return false }
        if let contributors, contributors.isDisjoint(with: photo.contributors) { return false }
        if !kinds.isEmpty, entry.kind.map({ kinds.contains($0) }) != true { return false }
        if !tagKeys.isEmpty, !tagKeys.isSubset(of: entry.tags.map { TagName.key($0) }) { return false }
        if !cameraWords.isEmpty, !fits(photo.details.camera) { return false }
        if query.isFavourite, entry.favouredBy.isEmpty, entry.favouringGuests.isEmpty { return false }
        if query.hasConflict, entry.concurrentCaptions.isEmpty { return false }
        return true
    }

    private func fits(_ camera: Camera) -> Bool {
        let text = AlbumName.key("\(camera.make) \(camera.model)")
        return cameraWords.allSatisfy { text.contains($0) }
    }
}
