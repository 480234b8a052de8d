import AlbumModel
import SyncEngine
import WireFormat

/// What people did and were told, kept apart from what the laptops make of it.
struct Oracle {
    private struct Deed {
        var contribution: Contribution
        var laptop: Int
        var device: DeviceID
        /// Of a removal: the adds that were there to be withdrawn.
        var dots: Set<Dot>
    }

    /// Something that one device said about a photo.
    struct Word: Hashable {
        var key: PhotoKey
        var device: DeviceID
    }

    private var outstanding: [UInt64: Deed] = [:]
    /// Photos whose adding was confirmed to the person who dropped them.
    private var confirmed: Set<PhotoKey> = []
    /// Photos that somebody removed, whether or not the removal was confirmed.
    private var removed: Set<PhotoKey> = []
    /// Adds that a confirmed removal withdrew.
    private(set) var withdrawn: [PhotoKey: Set<Dot>] = [:]
    /// What was confirmed to a device's person: that a photo is there, that it is one of theirs.
    private var added: Set<Word> = []
    private(set) var favoured: Set<Word> = []
    /// What a device's person took back, whether or not that was confirmed.
    private(set) var takenBack: Set<Word> = []
    private(set) var unfavoured: Set<Word> = []
    /// Photos that were confirmed since this was last asked.
    private var news: [PhotoKey] = []

    /// Ordered.
    var mustLive: [PhotoKey] { confirmed.subtracting(removed).sorted() }

    /// What devices added that nobody removed for all.
    var standingAdds: Set<Word> { added.filter { !removedForAll.contains($0.key) } }

    private var removedForAll: Set<PhotoKey> = []

    /// A person's word to a laptop that has neither answered nor gone down since.
    var unanswered: (laptop: Int, contribution: Contribution)? {
        outstanding.min { $0.key < $1.key }.map { ($0.value.laptop, $0.value.contribution) }
    }

    /// Whether a photo is about to be added on a laptop: its bytes are in the store, and no album names them yet.
    func isAdding(_ blob: BlobID, on laptop: Int) -> Bool {
        outstanding.values.contains { deed in
            guard deed.laptop == laptop else { return false }
            switch deed.contribution {
            case .photo(_, let file), .photoInAlbum(_, let file): return file.blob == blob
            default: return false
            }
        }
    }

    mutating func takeNews() -> [PhotoKey] {
        defer { news.removeAll() }
        return news
    }

    mutating func began(_ contribution: Contribution, token: UInt64, by laptop: Laptop) {
        var dots: Set<Dot> = []
        switch contribution {
        case .photoRemoval(let album, let blob):
            let key = PhotoKey(album: album, blob: blob)
            removed.insert(key)
            removedForAll.insert(key)
            dots = Set(laptop.look { $0.catalog.photo(key)?.adds.map(\.dot) ?? [] } ?? [])
        case .photoWithdrawal(let album, let blob):
            let key = PhotoKey(album: album, blob: blob)
            // Where others added it too it stays, unless they withdraw theirs at the same time.
            removed.insert(key)
            let own = laptop.look { engine in
                (engine.catalog.photo(key)?.adds ?? []).filter { engine.catalog.isOwn($0, of: engine.device) }
            }
            dots = Set((own ?? []).map(\.dot))
            takenBack.insert(Word(key: key, device: laptop.id))
        case .guestPhotoWithdrawal(let album, let blob, let guest):
            let key = PhotoKey(album: album, blob: blob)
            // Where others added it too it stays, unless they withdraw theirs at the same time.
            removed.insert(key)
            let brought = laptop.look { engine in
                (engine.catalog.photo(key)?.adds ?? []).filter {
                    $0.guest == guest && engine.catalog.isOwn(author: $0.author, of: engine.device)
                }
            }
            dots = Set((brought ?? []).map(\.dot))
        case .unfavourite(let album, let blob, nil): takeBackFavour(of: PhotoKey(album: album, blob: blob), by: laptop)
        default: break
        }
        guard laptop.isHonest else { return }
        outstanding[token] = Deed(
            contribution: contribution, laptop: laptop.index, device: laptop.id, dots: dots)
    }

    private mutating func takeBackFavour(of key: PhotoKey, by laptop: Laptop) {
        // What the photo took the place of counts as well.
        let keys = laptop.look { $0.catalog.favouredKeys(of: key) } ?? []
        for key in keys + [key] { unfavoured.insert(Word(key: key, device: laptop.id)) }
    }

    /// The laptop signs what its person said, by what it knows now. While its disk refused that, a photo may have left its
    /// album elsewhere: its favours count for the one that took its place.
    mutating func signs(_ laptop: Laptop) {
        for deed in outstanding.values where deed.laptop == laptop.index {
            guard case .unfavourite(let album, let blob, nil) = deed.contribution else { continue }
            takeBackFavour(of: PhotoKey(album: album, blob: blob), by: laptop)
        }
    }

    mutating func crashed(_ laptop: Int) { outstanding = outstanding.filter { $0.value.laptop != laptop } }

    /// A batch that no honest laptop has any longer: nobody can keep what it promised.
    mutating func lost(_ signed: SignedBatch) {
        guard let batch = try? Batch(decoding: signed.content) else { return }
        for change in batch.changes {
            switch change {
            case .photoAdded(let addition):
                let key = PhotoKey(album: addition.album, blob: addition.blob)
                confirmed.remove(key)
                added = added.filter { $0.key != key }
            case .photoFavoured(let album, let blob, _):
                let key = PhotoKey(album: album, blob: blob)
                favoured = favoured.filter { $0.key != key }
            case .photoRemoved(let album, let blob, let dots):
                withdrawn[PhotoKey(album: album, blob: blob)]?.subtract(dots)
            default: break
            }
        }
    }

    /// - Parameters:
    ///   - liars: whom honest laptops may refuse.
    ///   - isToldFalseVectors: a liar may talk a laptop into beginning a new replica, which loses nothing.
    mutating func noted(
        _ event: EngineEvent, by laptop: Laptop, liars: Set<DeviceID>, isToldFalseVectors: Bool
    ) throws(SimulationFailure) {
        // What a liar makes of the others is its own affair.
        guard laptop.isHonest else { return }
        switch event {
        case .contributed(let token, let album): contributed(token, album)
        case .contributionFailed(let token, _): outstanding[token] = nil
        case .digestMismatch(let device, let albums) where !liars.contains(device):
            let sentence = "laptop \(laptop.index) folded \(albums.count) albums differently"
            throw SimulationFailure(.digestMismatch, sentence)
        case .peerRefused(let device, let reason) where !liars.contains(device):
            throw SimulationFailure(.refusedPeer, "laptop \(laptop.index) refused an honest peer: \(reason)")
        case .replicaRenewed where !laptop.mayFork && !isToldFalseVectors:
            throw SimulationFailure(.reusedSequence, "laptop \(laptop.index) gave up a replica that nobody copied")
        default: break
        }
    }

    private mutating func contributed(_ token: UInt64, _ album: AlbumID?) {
        guard let deed = outstanding.removeValue(forKey: token), let album else { return }
        switch deed.contribution {
        case .photo(_, let file):
            let key = PhotoKey(album: album, blob: file.blob)
            confirmed.insert(key)
            added.insert(Word(key: key, device: deed.device))
            news.append(key)
        case .favourite(let album, let blob, nil):
            favoured.insert(Word(key: PhotoKey(album: album, blob: blob), device: deed.device))
        case .photoRemoval(_, let blob), .photoWithdrawal(_, let blob), .guestPhotoWithdrawal(_, let blob, _):
            withdrawn[PhotoKey(album: album, blob: blob), default: []].formUnion(deed.dots)
        default: break
        }
    }
}

/// A property that did not hold.
public struct SimulationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Property: String, Hashable, Sendable {
        case damagedJournal, undurable, unreadable, wrongPiece, wrongBytes, endless, digestMismatch, refusedPeer
        case notConverged, lostPhoto, resurrectedPhoto, differentManifests, foldDependsOnOrder, reusedSequence
        case lostWords, lostRuling, rollDependsOnOrder, outsiderTold, outOfForce, beyondCut, cutOff, discarded
        case missingBlob, leftInStaging, longQueue
        case muchTraffic, differentTrace
        case brokenTree, deadLink, wrongFolder
        case falseCopy, uncountedCopy, wrongClock, staleAddress, lateNews, unserved, unanswered, keptName, badSignature
    }

    public var property: Property
    public var sentence: String

    init(_ property: Property, _ sentence: String) {
        self.property = property
        self.sentence = sentence
    }

    public var description: String { "\(property.rawValue): \(sentence)" }
}
