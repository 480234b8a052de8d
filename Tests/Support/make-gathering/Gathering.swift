import AlbumModel
import PhotoStore
import SyncEngine
import WireFormat

/// All batches of a gathering, in the order in which they were signed.
struct Gathering {
    private(set) var batches: [JournalBatch] = []

    private let photos: PhotoMaker
    private var authors: [Author]
    private var namedAlbumCount = 0
    private var clock: ClockReading

    /// - Parameter membership: the gathering's key for new replicas.
    init(_ photos: PhotoMaker, membership: [UInt8]) {
        self.photos = photos
        authors = (0..<photos.plan.replicaCount).map { _ in Author(membership: membership) }
        clock = ClockReading(microseconds: UInt64(photos.start) * 1_000_000)
        for author in authors.indices { sign([.deviceNamed("Somebody's laptop \(author + 1)")], author) }
        sign([.gatheringNamed("Bench", replaces: [])], 0)
        for drop in photos.plan.drops { add(drop) }
    }

    /// Two batches: the photos as they were dropped, and what was read of each right after.
    private mutating func add(_ drop: GatheringPlan.Drop) {
        var changes: [Change] = []
        for number in drop.photos {
            if photos.albumNumber(number) == namedAlbumCount {
                let addition = photos.addition(number)
                changes.append(.albumNamed(addition.album, name: photos.albumName(number), replaces: []))
                namedAlbumCount += 1
            }
            changes.append(.photoAdded(photos.addition(number)))
        }
        sign(changes, drop.author)
        sign(
            drop.photos.map { number in
                let addition = photos.addition(number)
                return .photoRead(addition.album, addition.blob, photos.facts(number, by: drop.author))
            }, drop.author)
    }

    /// What each device last said at `time`, in microseconds since 1970: that it holds what two of three devices added,
    /// so that every photo has copies on two devices of three.
    func records(at time: UInt64) -> [(DeviceID, HoldingsRecord)] {
        authors.indices.map { holder in
            let branches = authors.indices.filter { ($0 + holder) % 3 != 0 }.compactMap { number in
                authors[number].head.map { head in
                    Presence.Branch(replica: authors[number].replica, head: head, runs: [1...head.sequence])
                }
            }
            return (authors[holder].device, authors[holder].record(of: Presence(branches: branches), at: time))
        }
    }

    private mutating func sign(_ changes: [Change], _ author: Int) {
        clock.microseconds += 100_000
        batches.append(authors[author].sign(changes, clock: clock))
    }
}
