import AlbumModel
import SyncEngine

/// How one end of a connection stands to the other, by the messages alone that it got and sent.
struct LinkView {
    /// The other end's hello came.
    var isGreeted = false
    var isClosed = false
    /// News is pushed over it.
    var isEager = true
    /// When it last became eager or lazy.
    var changedAt: MonotonicInstant
    /// The other end asked for an eager link, and is about to tell what it knows.
    var isGraftPending = false
    /// Vectors that were told and not answered.
    var unansweredCount = 0
    /// Since when this end knows what the other one knows, so that it sends what that lacks; `nil` while it does not.
    var readyAt: MonotonicInstant?
    /// When the other end last told what it knows.
    var askedAt: MonotonicInstant?
    /// When this end first told what it holds: it keeps the connection.
    var statedAt: MonotonicInstant?
    /// Of what this end learned, so much is known to have come to the other one.
    var batchCount = 0
    /// Of what this end came to hold, so much is known to be counted at the other one.
    var blobCount = 0

    init(now: MonotonicInstant) {
        changedAt = now
    }

    mutating func set(isEager: Bool, now: MonotonicInstant) {
        guard isEager != self.isEager else { return }
        (self.isEager, changedAt) = (isEager, now)
    }

    /// Since when it has been eager; `nil` while it is lazy.
    var eagerSince: MonotonicInstant? { isEager ? changedAt : nil }
}

/// What a laptop came to know and to hold in the present run of its agent, and when.
struct LearnedThings {
    struct Learned {
        var id: BatchID
        var replica: ReplicaID
        var at: MonotonicInstant
    }

    private(set) var batches: [Learned] = []
    private(set) var batchAt: [BatchID: MonotonicInstant] = [:]
    private(set) var blobs: [(blob: BlobID, at: MonotonicInstant)] = []
    private(set) var blobAt: [BlobID: MonotonicInstant] = [:]
    /// Numbers of the summaries that were known at some earlier times, the latest last.
    var numbers: [(at: MonotonicInstant, numbers: [DeviceID: UInt64])] = []
    /// When it last told a peer what it knows, unless it never did since the start.
    var comparedAt: MonotonicInstant

    init(now: MonotonicInstant) {
        comparedAt = now
    }

    /// When an agent starts with what is on its disk.
    init(_ disk: SimulatedDisk, now: MonotonicInstant) {
        comparedAt = now
        for row in disk.journal { learned(row.id, of: row.replica, now: now) }
        for blob in disk.blobs.sorted() { gained(blob, now: now) }
    }

    mutating func learned(_ id: BatchID, of replica: ReplicaID, now: MonotonicInstant) {
        guard batchAt[id] == nil else { return }
        batchAt[id] = now
        batches.append(Learned(id: id, replica: replica, at: now))
    }

    mutating func gained(_ blob: BlobID, now: MonotonicInstant) {
        blobAt[blob] = now
        blobs.append((blob, now))
    }
}
