import AlbumModel
import WireFormat

/// Version vectors that this device and a peer tell each other over one connection.
struct VectorTelling: Sendable {
    enum Answer: Sendable {
        /// Nobody asked.
        case unasked
        /// Another answer is to come: this one does not say what the peer lacks of what it was told last.
        case early
        /// To this vector, which was told last.
        case last(VersionVector)
    }

    /// What both have from earlier connections, once both hellos named it.
    private(set) var shared: SharedVector?
    /// What the peer was told last, until it has answered.
    private var told: VersionVector?
    /// How often it was told a vector and has not answered yet.
    private var unansweredCount = 0
    /// To compare vectors takes a look at every replica: a peer that tells its own again and again waits in between.
    private var comparesAt: MonotonicInstant
    private var waiting: VersionVector?

    init(shared: SharedVector?, now: MonotonicInstant) {
        self.shared = shared
        comparesAt = now
    }

    /// - Parameter base: what the peer's hello names as shared.
    mutating func greeted(base: [UInt8]?) { if base != shared?.name { shared = nil } }

    /// The peer has not answered a vector yet.
    var isAsked: Bool { unansweredCount > 0 }

    /// Tells what this device knows: what changed since a vector that both have, or everything.
    mutating func tell(_ vector: VersionVector) -> Message {
        unansweredCount += 1
        let part = vector.told
        told = part
        // What is left out the peer may lack: it is sent once more.
        guard part == vector, let difference = shared?.difference(to: vector),
            difference.changed.count <= WireLimits.replicaCountMax
        else { return .vector(part) }
        return .vectorDifference(difference)
    }

    /// Answers come in the order of the vectors.
    mutating func takeAnswer() -> Answer {
        guard unansweredCount > 0 else { return .unasked }
        unansweredCount -= 1
        guard unansweredCount == 0, let last = told.take() else { return .early }
        return .last(last)
    }

    // MARK: The peer's vectors

    func mayCompare(now: MonotonicInstant) -> Bool { comparesAt <= now }

    mutating func compared(replicaCount: Int, limits: EngineLimits, now: MonotonicInstant) {
        comparesAt = now + limits.secondsPerEntry * Double(replicaCount)
    }

    /// A vector came too soon: the latest says all that the ones before it said.
    ///
    /// - Returns: whether another one waited, which is answered with nothing.
    mutating func wait(_ vector: VersionVector) -> Bool {
        defer { waiting = vector }
        return waiting != nil
    }

    mutating func takeWaiting(now: MonotonicInstant) -> VersionVector? { comparesAt <= now ? waiting.take() : nil }

    /// When a vector that waits is compared; `nil` for none.
    var nextDeadline: MonotonicInstant? { waiting == nil ? nil : comparesAt }
}
