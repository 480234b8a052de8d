import AlbumModel
import FolderEngine

/// What people did to the folder's files, by which the folder is judged: it asks no code of the product.
struct FolderLedger: Sendable {
    /// Photos of which a person put a file into the album's directory.
    private(set) var made: Set<PhotoKey> = []
    /// What is at each path, and since which step.
    private(set) var contents: [FolderPath: (content: Int, since: Int)] = [:]

    mutating func made(_ path: FolderPath, _ content: Int) { made.insert(SimulatedGathering.key(path, content)) }

    /// Follows what people have now, on any disk of theirs.
    mutating func follow(_ truth: [FolderPath: SimulatedFile], step: Int) {
        contents = truth.reduce(into: [:]) { contents, item in
            let (path, content) = (item.key, item.value.content)
            let before = self.contents[path]
            contents[path] = before?.content == content ? before : (content, step)
        }
    }

    /// Whether a photo's file is where it was, since before a step.
    func holds(_ blob: BlobID, at path: FolderPath, since step: Int? = nil) -> Bool {
        guard let now = contents[path], SimulatedGathering.blob(now.content) == blob else { return false }
        return step.map { now.since < $0 } ?? true
    }

    /// Where a photo is in an album's directory, since before a step.
    func path(of blob: BlobID, inAlbumOf path: FolderPath, since step: Int? = nil) -> FolderPath? {
        contents.keys.filter { $0.albumDirectory == path.albumDirectory && holds(blob, at: $0, since: step) }.min()
    }
}
