import AlbumModel
import PhotoStore

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

    /// Two batches: the photos as they were dropped, and what was learned of each right after.
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
        let batch = sign(changes, drop.author)
        let added = zip(changes, batch.firstSequence...).compactMap { change, sequence -> Dot? in
            guard case .photoAdded = change else { return nil }
            return Dot(replica: batch.replica, sequence: sequence, branch: batch.id.prefix)
        }
        sign(zip(drop.photos, added).map { photos.second($0, added: $1) }, drop.author)
    }

    @discardableResult
    private mutating func sign(_ changes: [Change], _ author: Int) -> JournalBatch {
        clock.microseconds += 100_000
        let batch = authors[author].sign(changes, clock: clock)
        batches.append(batch)
        return batch
    }
}
