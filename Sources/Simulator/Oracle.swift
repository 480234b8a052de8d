import AlbumModel
import SyncEngine

/// A property that did not hold.
public struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Property: String, Hashable, Sendable {
        case damagedJournal, undurable, unreadable, wrongPiece, endless, digestMismatch, refusedPeer
        case notConverged, lostPhoto, resurrectedPhoto, differentManifests, foldDependsOnOrder, reusedSequence
        case missingBlob
    }

    public var property: Property
    public var sentence: String

    init(_ property: Property, _ sentence: String) {
        self.property = property
        self.sentence = sentence
    }

    public var description: String { "\(property.rawValue): \(sentence)" }
}

/// What people did and were told, kept apart from what the devices make of it.
struct Oracle {
    private var outstanding: [UInt64: (contribution: Contribution, device: Int)] = [:]
    /// Photos whose adding was confirmed to the person who dropped them.
    private(set) var confirmed: Set<PhotoKey> = []
    /// Photos that somebody removed, whether or not the removal was confirmed.
    private(set) var removed: Set<PhotoKey> = []

    mutating func began(_ contribution: Contribution, token: UInt64, by device: Int) {
        outstanding[token] = (contribution, device)
        if case .photoRemoval(let album, let blob) = contribution { removed.insert(PhotoKey(album: album, blob: blob)) }
    }

    mutating func crashed(_ device: Int) {
        outstanding = outstanding.filter { $0.value.device != device }
    }

    mutating func noted(_ event: EngineEvent, by device: Int) throws(SimulationFailure) {
        switch event {
        case .contributed(let token, let album):
            guard let (contribution, _) = outstanding.removeValue(forKey: token), let album else { return }
            if case .photo(_, let file) = contribution { confirmed.insert(PhotoKey(album: album, blob: file.blob)) }
        case .digestMismatch(_, let albums):
            throw SimulationFailure(.digestMismatch, "device \(device) folded \(albums.count) albums differently")
        case .peerRefused(_, let reason):
            throw SimulationFailure(.refusedPeer, "device \(device) refused an honest peer: \(reason)")
        case .replicaRenewed:
            throw SimulationFailure(.reusedSequence, "device \(device) gave up a replica that nobody copied")
        case .peerConnected, .peerLost, .peerLevel, .catalogChanged, .blobHeld, .contributionFailed, .storageFailed:
            break
        }
    }

    func liveBlobs(of engine: Engine) -> Set<BlobID> {
        Set(engine.catalog.albums.values.flatMap { album in album.livePhotos.map(\.key) })
    }
}
