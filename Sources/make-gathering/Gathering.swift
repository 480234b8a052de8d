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

    private mutating func sign(_ changes: [Change], _ author: Int) {
        clock.microseconds += 100_000
        batches.append(authors[author].sign(changes, clock: clock))
    }
}
