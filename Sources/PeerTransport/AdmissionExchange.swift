import AlbumModel

/// Which end of a connection proves something.
enum AdmissionRole: String, Sendable {
    case dialler
    case acceptor
}

/// What the handler has to do, in order.
enum AdmissionDirective: Hashable, Sendable {
    /// Send this as one admission frame's payload.
    case send([UInt8])
    /// The peer may stay; whatever follows belongs to the connection proper.
    case admit(ConnectionPurpose, provenUnder: RulingID?)
    case refuse(AdmissionFailure)
}

enum AdmissionSizes {
    static let nonceByteCount = 32
    static let proofByteCount = 32
    /// A former public key, random bytes, and the former key's signature.
    static let successionByteCount = 91 + 16 + 64
    static let successionCountMax = 4
    /// Of an epoch.
    static let tagByteCount = 8
}

/// What the two ends of a fresh TLS connection say to each other before either believes that the other is of its gathering.
/// A value without I/O; one of each protocol version.
protocol AdmissionExchange: Sendable {
    /// Whether the next frame is the one that the peer needs a phrase for.
    var awaitsProof: Bool { get }

    /// What an end of the connection before the admission's own end means.
    var failureAtEnd: AdmissionFailure { get }

    /// Begins; once, when TLS is up.
    mutating func start() -> [AdmissionDirective]

    /// Takes the payload of the peer's next admission frame.
    mutating func receive(_ payload: [UInt8]) -> [AdmissionDirective]
}
