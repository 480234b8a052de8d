import AlbumModel

/// Why trash and folder do not follow what was removed, for people.
struct RemovalTrouble: Sendable {
    /// Why files do not leave the folder, or come back.
    var moving: String?
    /// Why photos cannot be deleted from the trash.
    var deleting: [PhotoKey: String] = [:]

    /// `nil` where all is well.
    ///
    /// - Parameter trash: photos that left it are no trouble any more.
    func sentence(trash: [PhotoKey: TrashEntry]) -> String? {
        let stuck = deleting.keys.filter { trash[$0] != nil }.sorted()
        var sentences: [String] = []
        if let moving {
            sentences.append("Removed photos cannot be taken out of the folder, or put back: \(moving)")
        }
        if let first = stuck.first, let reason = deleting[first] {
            let photos = stuck.count == 1 ? "1 photo" : "\(stuck.count) photos"
            sentences.append("\(photos) cannot be deleted from the trash: \(reason)")
        }
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
}
