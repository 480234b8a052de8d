/// Everything that bounds a connection, with its arithmetic.
///
/// One admitted connection holds at most, per direction:
/// - receiving: two buffers of ``receiveByteCountMax`` (ciphertext and plaintext), ``eventByteCountMax`` of events that
///   wait plus the read that crossed that mark, one message under way, and the pieces that the caller expects;
/// - sending: ``controlByteCountMax`` of messages, one chunk being read and two besides ``readAheadByteCount`` ready in
///   each of two lanes, and ``inFlightByteCountMax`` inside NIO, there once as ciphertext and once spare.
///
/// With the defaults that is about 1 + 4.5 + 1 MiB and 16 + 2 × 2 + 1.5 MiB; the 16 MiB only for a peer that is about
/// to be closed because it does not read.
///
/// Beside that, memory of ``keptPieceCountMax`` pieces is kept for all connections together.
///
/// One whose greeting was not judged yet holds the greeting and one read, some 150 KiB with TLS: of these, and of the
/// unadmitted ones, all that there may be take 40 MiB.
public struct TransportLimits: Sendable {
    /// A frame on the wire, its header included: four full TLS records.
    public static let frameByteCountMax = 65_536
    /// A message, however many frames it takes.
    public static let messageByteCountMax = 4 << 20
    /// A bulk answer: one piece.
    public static let bulkByteCountMax = 1 << 20
    /// The one frame that a connection is worth before it is admitted, its header included.
    public static let admissionFrameByteCountMax = 4_096

    /// From TCP connection to admission, the TLS handshake included.
    public var admissionTimeout: Duration = .seconds(5)
    /// Accepted connections that are not admitted yet, of strangers in all: some 100 KiB each.
    public var unadmittedCountMax = 128
    /// The same per IPv4 address or IPv6 /64, and per address from which somebody was admitted.
    public var unadmittedCountMaxPerAddress = 4
    /// Places besides, for addresses and devices that were admitted before.
    public var reservedCountMax = 32
    /// A connection that is not admitted within this makes room where places are rare: a member's takes some 20 ms.
    public var admissionPatience: Duration = .seconds(1)
    /// Strangers' connections a second, and how many may come at once: each costs a processor about a millisecond.
    public var strangerRate = 256
    public var strangerBurst = 512
    /// The same of networks from which more came lately than may be unadmitted at once.
    public var insistentRate = 32
    /// Of a network's attempts one is forgotten after each such time; all are when somebody is admitted from there.
    public var attemptMemory: Duration = .seconds(1)
    /// Networks whose attempts are counted, some 100 bytes each: with more at one time all are forgotten.
    public var attemptNetworkCountMax = 16_384
    /// Addresses from which somebody was admitted that are remembered; the oldest makes room. Four times the largest
    /// gathering.
    public var knownHostCountMax = 4_096
    /// Devices that are remembered as admitted in this run, besides those that were known before.
    public var knownDeviceCountMax = 4_096
    /// What the first wrong proof costs the next one from that address; doubles with each.
    public var wrongProofDelay: Duration = .milliseconds(200)
    /// Where the doubling ends: below ``admissionTimeout``, so that nobody is locked out.
    public var wrongProofDelayMax: Duration = .seconds(3)
    /// Wrong proofs are forgotten after this long without another.
    public var wrongProofMemory: Duration = .seconds(600)
    /// Networks whose wrong proofs are remembered; the one that waits longest makes room.
    public var slowedAddressCountMax = 1_024

    /// A dial in all: every address, TLS and admission.
    public var dialTimeout: Duration = .seconds(5)
    /// Between the starts of two addresses of one dial.
    public var dialStagger: Duration = .milliseconds(50)
    /// How long an address that accepted TCP may take to admit before the next one that did is tried beside it.
    public var dialPatience: Duration = .milliseconds(500)
    /// How long a dial to a device with a smaller ID waits, once TCP is there: the other side may be dialling, too.
    public var dialCourtesy: Duration = .milliseconds(100)
    /// How much later an address is tried where another one was reached: twice the courtesy, which leaves a LAN time for
    /// TLS and admission.
    public var dialRestraint: Duration = .milliseconds(200)
    /// Addresses that one dial tries; further ones are ignored.
    public var dialAddressCountMax = 16
    /// Admitted connections that nobody has taken from ``PeerTransport/inbound`` yet; further ones are closed.
    public var untakenConnectionCountMax = 64

    /// Admitted connections that others opened. A device keeps eight links; the rest are those whom it is about to turn
    /// away, of 1,000 that may all come at once.
    public var connectionCountMax = 128
    /// The same of one device: the old and the new one of an agent that was started anew.
    public var connectionCountMaxPerDevice = 2
    /// The same whose first message has not come; one at random makes room.
    public var ungreetedCountMax = 64
    /// How long an admitted peer's first message may take: it comes at once, but from a laptop that is very busy.
    public var greetingTimeout: Duration = .seconds(10)
    /// The longest first message; today's have some 150 bytes.
    public var greetingByteCountMax = 4_096

    /// The longest message of a connection for catching up: a page of rulings and what is around them.
    public var catchUpByteCountMax = 2 << 20

    func messageByteCountMax(of purpose: ConnectionPurpose, wasGreeted: Bool) -> Int {
        switch purpose {
        case .catchUp: catchUpByteCountMax
        case .link: wasGreeted ? Self.messageByteCountMax : greetingByteCountMax
        }
    }

    /// Bytes of messages that wait for a peer that does not read; more closes the connection.
    public var controlByteCountMax = 16 << 20
    /// What a message that waits costs besides its bytes.
    public var messageOverheadByteCount = 64
    /// Bulk answers that wait for a peer; more closes the connection. Each may hold a file open.
    public var serveCountMax = 256
    /// Events that wait for their consumer; at this many nothing more is read from the socket.
    public var eventCountMax = 1_024
    /// Bytes of events that wait for their consumer; at this many nothing more is read from the socket.
    public var eventByteCountMax = 4 << 20
    /// Numbers whose data is dropped because the caller forgot them; the oldest makes room.
    public var forgottenCountMax = 4_096
    /// Pieces whose memory is kept for the next ones once they are written, a mebibyte each: of those that a quick network
    /// brings about as many are in memory at a time.
    public var keptPieceCountMax = 8

    /// What one task of the blocking pool reads: nine frames, so that a piece takes two tasks. Handing a task over and its
    /// bytes back costs as much as reading 128 KiB.
    public var chunkByteCount = 9 * (TransportLimits.frameByteCountMax - BulkHeader.byteCount)
    /// A lane reads on while less than this is ready, and while less than a chunk more is for an answer that overtakes that.
    public var readAheadByteCount = 256 << 10
    /// Bulk inside NIO that is not in the kernel yet: the window's range, see ``BulkWindow``.
    public var bulkInFlightByteCountMin = 64 << 10
    public var bulkInFlightByteCountMax = 512 << 10
    /// One flush: what is encrypted in one go.
    public var flushByteCount = 256 << 10
    /// Bulk and control together inside NIO; control may use a flush more than bulk.
    public var inFlightByteCountMax: Int { bulkInFlightByteCountMax + flushByteCount }
    /// The kernel holds at most this much that it has not sent (`TCP_NOTSENT_LOWAT`).
    public var unsentByteCount = 128 << 10
    /// The most that one read takes from the socket. 64 KiB costs half of the throughput, 1 MiB gains little more.
    public var receiveByteCountMax = 512 << 10

    /// How long a close waits for what was sent and for the peer's TLS goodbye.
    public var closeTimeout: Duration = .seconds(1)

    /// What is spoken; tests leave the newest out, as earlier versions do.
    var versions = ProtocolVersion.allCases

    public init() {}
}
