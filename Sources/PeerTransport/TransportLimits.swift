/// Everything that bounds a connection, with its arithmetic.
///
/// One admitted connection holds at most, per direction:
/// - receiving: two buffers of ``receiveByteCountMax`` (ciphertext and plaintext), ``eventByteCountMax`` of events that
///   wait plus the read that crossed that mark, one message under way, and the pieces that the caller expects;
/// - sending: ``controlByteCountMax`` of messages, one chunk being read and twice ``readAheadByteCount`` (rounded up
///   to a chunk) ready in each of two lanes, and ``inFlightByteCountMax`` inside NIO, there once as ciphertext and once
///   spare.
///
/// With the defaults that is about 1 + 4.5 + 1 MiB and 16 + 2 × 0.75 + 1.5 MiB; the 16 MiB only for a peer that is about
/// to be closed because it does not read.
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
    /// Accepted connections that are not admitted yet, in all.
    public var unadmittedCountMax = 32
    /// The same per address: one IPv4 address, one IPv6 /64, or one link-local IPv6 address.
    public var unadmittedCountMaxPerAddress = 4
    /// What the first wrong proof costs the next one from that address; doubles with each.
    public var wrongProofDelay: Duration = .milliseconds(200)
    /// Where the doubling ends: below ``admissionTimeout``, so that nobody is locked out.
    public var wrongProofDelayMax: Duration = .seconds(3)
    /// Wrong proofs are forgotten after this long without another.
    public var wrongProofMemory: Duration = .seconds(600)
    /// Addresses whose wrong proofs are remembered; the one that waits longest makes room.
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

    /// Bytes of messages that wait for a peer that does not read; more closes the connection.
    public var controlByteCountMax = 16 << 20
    /// Bulk answers that wait for a peer; more closes the connection. Each may hold a file open.
    public var serveCountMax = 256
    /// Events that wait for their consumer; at this many nothing more is read from the socket.
    public var eventCountMax = 1_024
    /// Bytes of events that wait for their consumer; at this many nothing more is read from the socket.
    public var eventByteCountMax = 4 << 20
    /// Numbers whose data is dropped because the caller forgot them; the oldest makes room.
    public var forgottenCountMax = 4_096

    /// What one task of the blocking pool reads: four frames, which is enough to hide the hop between threads.
    public var chunkByteCount = 4 * (TransportLimits.frameByteCountMax - BulkHeader.byteCount)
    /// A lane reads no further ahead than this; twice as far for an answer that overtakes what is ready.
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

    public init() {}
}
