import AlbumModel
import SyncEngine

/// What was said about photos stands until somebody who knew it took it back. Read from a journal, without the fold.
enum WordAlgebra {
    /// What a journal says about one photo.
    private struct Said {
        var captions: [Dot: String] = [:]
        var tags: [Dot: String] = [:]
        var favours: [Dot: DeviceID] = [:]
        var guestFavours: [Dot: Person] = [:]
        var comments: [Dot: String] = [:]
        var versions: Set<UInt32> = []
        /// What takes a word of one kind back takes none of another.
        var takenBack: [Kind: Set<Dot>] = [:]

        enum Kind { case caption, tag, favour, guestFavour, comment }

        func standing<Value>(_ words: [Dot: Value], _ kind: Kind) -> [Value] {
            words.filter { takenBack[kind]?.contains($0.key) != true }.map(\.value)
        }
    }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptop = simulation.honest[0]
        let engine = laptop.engine!
        var said: [PhotoKey: Said] = [:]
        for row in CountedRows(of: laptop).counted {
            for (dot, _, change) in SetAlgebra.changes(of: row) {
                note(change, dot, by: engine.log.author(of: dot.replica)!, &said)
            }
        }
        for (key, said) in said.sorted(by: { $0.key < $1.key }) {
            let photo = engine.catalog.photo(key)
            let isKept =
                Set(said.standing(said.tags, .tag)) == Set((photo?.tags ?? []).map { TagName.key($0) })
                && said.standing(said.captions, .caption).sorted()
                    == (photo?.caption.writes ?? []).map(\.value).sorted()
                && Set(said.standing(said.favours, .favour)).sorted() == (photo?.favouredBy ?? [])
                && Set(said.standing(said.guestFavours, .guestFavour)).sorted() == (photo?.favouringGuests ?? [])
                && said.standing(said.comments, .comment).sorted() == (photo?.comments ?? []).map(\.text).sorted()
                && said.versions.max() == photo?.facts?.readerVersion
            guard isKept else { throw SimulationFailure(.lostWords, "words about \(key.blob.hex.prefix(8)) differ") }
        }
    }

    private static func note(_ change: Change, _ dot: Dot, by author: DeviceID, _ said: inout [PhotoKey: Said]) {
        func takeBack(_ kind: Said.Kind, _ album: AlbumID, _ blob: BlobID, _ dots: [Dot]) {
            let resolved = dots.map {
                $0.branch == 0 ? Dot(replica: $0.replica, sequence: $0.sequence, branch: dot.branch) : $0
            }
            said[PhotoKey(album: album, blob: blob), default: Said()].takenBack[kind, default: []]
                .formUnion(resolved)
        }
        func note(_ album: AlbumID, _ blob: BlobID, _ body: (inout Said) -> Void) {
            body(&said[PhotoKey(album: album, blob: blob), default: Said()])
        }
        switch change {
        case .photoCaptioned(let album, let blob, let caption, let replaces):
            note(album, blob) { $0.captions[dot] = caption }
            takeBack(.caption, album, blob, replaces)
        case .photoTagged(let album, let blob, let tag): note(album, blob) { $0.tags[dot] = TagName.key(tag) }
        case .photoUntagged(let album, let blob, _, let adds): takeBack(.tag, album, blob, adds)
        case .photoUnfavoured(let album, let blob, let adds, let guest):
            takeBack(guest == nil ? .favour : .guestFavour, album, blob, adds)
        case .photoFavoured(let album, let blob, nil): note(album, blob) { $0.favours[dot] = author }
        case .photoFavoured(let album, let blob, let guest?):
            note(album, blob) { $0.guestFavours[dot] = Person(author, guest: guest) }
        case .photoCommented(let album, let blob, let text, _): note(album, blob) { $0.comments[dot] = text }
        case .photoUncommented(let album, let blob, let comments): takeBack(.comment, album, blob, comments)
        case .photoRead(let album, let blob, let facts): note(album, blob) { $0.versions.insert(facts.readerVersion) }
        default: break
        }
    }
}
