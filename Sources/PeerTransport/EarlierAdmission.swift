import Crypto

/// Admission as earlier versions know it (`potluck/1`), which have the first epoch's phrase alone.
///
/// A value type without I/O. The acceptor sends a nonce; the dialler answers with its own nonce and its proof; the
/// acceptor sends its proof only if that one was right. A proof covers both keys, both nonces and the role, so it is
/// worth nothing on another connection or in the other direction.
struct EarlierAdmission: AdmissionExchange {
    private static let nonceByteCount = AdmissionSizes.nonceByteCount
    private static let proofByteCount = AdmissionSizes.proofByteCount
    /// The first epoch's proofs name no ruling.
    private static let admission = AdmissionDirective.admit(.link, provenUnder: nil)

    /// Dialler: `idle` → `awaitsNonce` → `awaitsAnswer` → `over`. Acceptor: `idle` → `awaitsProof` → `over`.
    private enum State: Sendable {
        case idle
        case awaitsNonce
        case awaitsProof
        case awaitsAnswer(acceptorNonce: [UInt8])
        case over
    }

    private let role: AdmissionRole
    private let secret: SymmetricKey
    private let ownKey: [UInt8]
    private let peerKey: [UInt8]
    private let nonce: [UInt8]
    private var state = State.idle

    /// `ownKey` and `peerKey` are public keys in DER form as TLS has checked them; `nonce` is 32 fresh random bytes.
    init(role: AdmissionRole, secrets: GatheringSecrets, ownKey: [UInt8], peerKey: [UInt8], nonce: [UInt8]) {
        precondition(nonce.count == Self.nonceByteCount)
        self.role = role
        self.secret = SymmetricKey(data: secrets.admission)
        self.ownKey = ownKey
        self.peerKey = peerKey
        self.nonce = nonce
    }

    /// Whether the next frame is the one that the peer needs the phrase for.
    var awaitsProof: Bool {
        if case .awaitsProof = state { true } else { false }
    }

    /// What an end of the connection before the admission's own end means.
    var failureAtEnd: AdmissionFailure {
        // The acceptor answers a wrong proof with nothing but the end.
        if case .awaitsAnswer = state { .notAMember } else { .closed }
    }

    /// Begins; once, when TLS is up.
    mutating func start() -> [AdmissionDirective] {
        switch role {
        case .dialler:
            state = .awaitsNonce
            return []
        case .acceptor:
            state = .awaitsProof
            return [.send(nonce)]
        }
    }

    /// Takes the payload of the peer's next admission frame.
    mutating func receive(_ payload: [UInt8]) -> [AdmissionDirective] {
        switch state {
        case .awaitsNonce:
            guard payload.count == Self.nonceByteCount else { return refuse(.protocolError("malformed nonce")) }
            state = .awaitsAnswer(acceptorNonce: payload)
            return [.send(nonce + proof(.dialler, diallerNonce: nonce, acceptorNonce: payload))]
        case .awaitsProof:
            guard payload.count == Self.nonceByteCount + Self.proofByteCount else {
                return refuse(.protocolError("malformed proof"))
            }
            let diallerNonce = Array(payload.prefix(Self.nonceByteCount))
            let claimed = Array(payload.suffix(Self.proofByteCount))
            guard isRight(claimed, role: .dialler, diallerNonce: diallerNonce, acceptorNonce: nonce) else {
                return refuse(.notAMember)
            }
            state = .over
            return [.send(proof(.acceptor, diallerNonce: diallerNonce, acceptorNonce: nonce)), Self.admission]
        case .awaitsAnswer(let acceptorNonce):
            guard isRight(payload, role: .acceptor, diallerNonce: nonce, acceptorNonce: acceptorNonce) else {
                return refuse(.notAMember)
            }
            state = .over
            return [Self.admission]
        case .idle, .over:
            return refuse(.protocolError("unexpected admission frame"))
        }
    }

    private mutating func refuse(_ failure: AdmissionFailure) -> [AdmissionDirective] {
        state = .over
        return [.refuse(failure)]
    }

    private func covered(_ prover: AdmissionRole, diallerNonce: [UInt8], acceptorNonce: [UInt8]) -> [UInt8] {
        let (diallerKey, acceptorKey) = role == .dialler ? (ownKey, peerKey) : (peerKey, ownKey)
        return Array("potluck admit 1".utf8) + Array(prover.rawValue.utf8) + diallerKey + acceptorKey + diallerNonce
            + acceptorNonce
    }

    private func proof(_ prover: AdmissionRole, diallerNonce: [UInt8], acceptorNonce: [UInt8]) -> [UInt8] {
        let bytes = covered(prover, diallerNonce: diallerNonce, acceptorNonce: acceptorNonce)
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: secret))
    }

    /// Compares in constant time.
    private func isRight(_ claimed: [UInt8], role: AdmissionRole, diallerNonce: [UInt8], acceptorNonce: [UInt8]) -> Bool
    {
        let bytes = covered(role, diallerNonce: diallerNonce, acceptorNonce: acceptorNonce)
        return HMAC<SHA256>.isValidAuthenticationCode(claimed, authenticating: bytes, using: secret)
    }
}
