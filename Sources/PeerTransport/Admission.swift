import AlbumModel
import Crypto

/// How the two ends of a fresh TLS connection prove to each other that they know one phrase of their gathering, and agree on
/// what the connection is for.
///
/// A value type without I/O. The acceptor says which epochs' phrases it has; the dialler proves that it knows the newest that
/// both have, unless the acceptor's key is none that it would talk to; the acceptor says what it makes of that, and proves
/// the same. A proof covers the role, both keys and every frame before it, so it is worth nothing on another connection, in
/// the other direction, or with another frame in between.
struct Admission: AdmissionExchange {
    private typealias Sizes = AdmissionSizes

    /// Dialler: `idle` → `awaitsOffer` → `awaitsVerdict` → `over`. Acceptor: `idle` → `awaitsProof` → `over`.
    private enum State: Sendable {
        case idle
        case awaitsOffer
        case awaitsProof
        case awaitsVerdict(Judgement)
        case over
    }

    /// What the dialler makes of the acceptor.
    private struct Judgement: Sendable {
        let meeting: HeldEpochs.Meeting
        /// What it said of its own newest epoch.
        let newest: HeldEpochs.Newest
        let verdict: Roll.Verdict
    }

    private let role: AdmissionRole
    private let standing: AdmissionStanding
    private let held: HeldEpochs
    private let ownKey: [UInt8]
    private let peerKey: [UInt8]
    private let peer: DeviceID
    private let nonce: [UInt8]
    private var state = State.idle
    /// All frames until now, each with its length before it.
    private var frames: [UInt8] = []

    /// `ownKey` and `peerKey` are public keys in DER form as TLS has checked them; `nonce` is 32 fresh random bytes.
    init(
        role: AdmissionRole, standing: AdmissionStanding, ownKey: [UInt8], peerKey: [UInt8], peer: DeviceID,
        nonce: [UInt8]
    ) {
        precondition(nonce.count == Sizes.nonceByteCount)
        self.role = role
        self.standing = standing
        held = standing.held
        self.ownKey = ownKey
        self.peerKey = peerKey
        self.peer = peer
        self.nonce = nonce
    }

    var awaitsProof: Bool {
        if case .awaitsProof = state { true } else { false }
    }

    var failureAtEnd: AdmissionFailure {
        // The acceptor answers a wrong proof with nothing but the end.
        if case .awaitsVerdict = state { .notAMember } else { .closed }
    }

    mutating func start() -> [AdmissionDirective] {
        switch role {
        case .dialler:
            state = .awaitsOffer
            return []
        case .acceptor:
            state = .awaitsProof
            let offer = AdmissionOffer(nonce: nonce, held)
            return [send(offer.bytes)]
        }
    }

    mutating func receive(_ payload: [UInt8]) -> [AdmissionDirective] {
        switch state {
        case .awaitsOffer: return received(offer: payload)
        case .awaitsProof: return received(claim: payload)
        case .awaitsVerdict(let judgement): return received(verdict: payload, judgement)
        case .idle, .over: return refuse(.protocolError("unexpected admission frame"))
        }
    }

    // MARK: The dialler

    private mutating func received(offer payload: [UInt8]) -> [AdmissionDirective] {
        guard let offer = AdmissionOffer(payload) else { return refuse(.protocolError("malformed nonce")) }
        note(payload)
        let (meeting, newest) = held.meeting(tags: offer.tags, offer.knowledge)
        let verdict = standing.roll.verdict(on: peer, meeting)
        // Whoever is out, or came by a phrase that holds no longer, is proved nothing.
        guard verdict.isWelcome else { return refuse(.outsider) }
        var claim = AdmissionClaim(tag: meeting.common.tag, newest: newest, nonce: nonce)
        claim.proof = proof(.dialler, under: meeting.common, covering: frames + claim.covered)
        state = .awaitsVerdict(Judgement(meeting: meeting, newest: newest, verdict: verdict))
        return [send(claim.bytes)]
    }

    private mutating func received(verdict payload: [UInt8], _ own: Judgement) -> [AdmissionDirective] {
        guard payload.count == 1 + Sizes.proofByteCount, let verdict = Roll.Verdict(byte: payload[0]) else {
            return refuse(.protocolError("malformed verdict"))
        }
        guard isRight(payload.dropFirst(), .acceptor, under: own.meeting.common, covering: frames + payload.prefix(1))
        else { return refuse(.notAMember) }
        switch verdict {
        case .out: return refuse(.toldOut)
        // Said of an older phrase than the newest that is known here, it is no news.
        case .phraseChanged: return refuse(own.meeting.common.tag == own.newest.tag ? .toldChanged : .outsider)
        case .catchUp: return admit(.catchUp, own.meeting)
        case .linked:
            // Whoever knows the phrase alone could say so of a phrase that it made a person type here.
            guard own.verdict == .linked else { return refuse(.protocolError("a verdict that does not follow")) }
            return admit(.link, own.meeting)
        }
    }

    // MARK: The acceptor

    private mutating func received(claim payload: [UInt8]) -> [AdmissionDirective] {
        guard let claim = AdmissionClaim(payload) else { return refuse(.protocolError("malformed proof")) }
        let found = held.meeting(common: claim.tag, newest: claim.newest)
        guard let meeting = found,
            isRight(claim.proof[...], .dialler, under: meeting.common, covering: frames + claim.covered)
        else { return refuse(.notAMember) }
        note(payload)
        let verdict = standing.roll.verdict(on: peer, meeting)
        let proof = proof(.acceptor, under: meeting.common, covering: frames + [verdict.byte])
        let answer = send([verdict.byte] + proof)
        switch verdict {
        case .linked: return [answer] + admit(.link, meeting)
        case .catchUp: return [answer] + admit(.catchUp, meeting)
        case .out, .phraseChanged: return [answer] + refuse(.outsider)
        }
    }

    // MARK: Both

    private mutating func admit(_ purpose: ConnectionPurpose, _ meeting: HeldEpochs.Meeting) -> [AdmissionDirective] {
        state = .over
        return [.admit(purpose, provenUnder: meeting.common.ruling)]
    }

    private mutating func refuse(_ failure: AdmissionFailure) -> [AdmissionDirective] {
        state = .over
        return [.refuse(failure)]
    }

    private mutating func send(_ payload: [UInt8]) -> AdmissionDirective {
        note(payload)
        return .send(payload)
    }

    private mutating func note(_ payload: [UInt8]) { frames += BigEndian.bytes(UInt32(payload.count)) + payload }

    private func covered(_ prover: AdmissionRole, _ bytes: [UInt8]) -> [UInt8] {
        let (diallerKey, acceptorKey) = role == .dialler ? (ownKey, peerKey) : (peerKey, ownKey)
        return Array("potluck admit 2".utf8) + Array(prover.rawValue.utf8) + diallerKey + acceptorKey + bytes
    }

    private func proof(_ prover: AdmissionRole, under epoch: HeldEpochs.Epoch, covering bytes: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: covered(prover, bytes), using: key(of: epoch)))
    }

    /// Compares in constant time.
    private func isRight(
        _ claimed: ArraySlice<UInt8>, _ prover: AdmissionRole, under epoch: HeldEpochs.Epoch, covering bytes: [UInt8]
    ) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            Array(claimed), authenticating: covered(prover, bytes), using: key(of: epoch))
    }

    /// The epoch is one of those that are held.
    private func key(of epoch: HeldEpochs.Epoch) -> SymmetricKey {
        SymmetricKey(data: standing.keyring.epoch(tag: epoch.tag)!.secrets.admission)
    }
}

extension Roll.Verdict {
    fileprivate var byte: UInt8 {
        switch self {
        case .linked: 0
        case .catchUp: 1
        case .out: 2
        case .phraseChanged: 3
        }
    }

    fileprivate init?(byte: UInt8) {
        switch byte {
        case 0: self = .linked
        case 1: self = .catchUp
        case 2: self = .out
        case 3: self = .phraseChanged
        default: return nil
        }
    }

    /// Whether there is to be a connection.
    fileprivate var isWelcome: Bool { self == .linked || self == .catchUp }
}
