import AlbumModel
import PhotoStore

/// A folder that is about to be made: noted in the journal first, so that a crash on the way does not make the folder's
/// own marker look like another journal's.
struct FolderPlan {
    static let fact = FactKind(rawValue: "folder.making")

    let id: FolderID
    /// Another journal's marker was there: what stands beside it waits to be adopted.
    let isFromBefore: Bool

    /// Goes on with what was begun, or begins. Blocks.
    init(root: String, journal: Journal) throws {
        let begun = try journal.fact(Self.fact, []).flatMap { Self(bytes: $0) }
        let id = begun?.id ?? .random()
        // The folder may be meant to be another one this time.
        let isFromBefore = try begun?.isFromBefore == true || Marker.owner(of: root, folderID: id) == .anotherHome
        (self.id, self.isFromBefore) = (id, isFromBefore)
        if begun?.isFromBefore != isFromBefore {
            try journal.setFacts([FactChange(kind: Self.fact, key: [], value: bytes)])
        }
    }

    private init?(bytes: [UInt8]) {
        guard let first = bytes.first, let id = FolderID(bytes: Array(bytes.dropFirst())) else { return nil }
        (self.id, isFromBefore) = (id, first == 1)
    }

    private var bytes: [UInt8] { [isFromBefore ? 1 : 0] + id.bytes }

    /// What the journal notes once the marker is durable: a fact without marker would wait for ever.
    var completion: [FactChange] {
        [
            FactChange(kind: Marker.fact, key: [], value: id.bytes),
            FactChange(kind: Self.fact, key: [], value: nil),
        ] + (isFromBefore ? [SharedFolder.adoptionFact] : [])
    }
}
