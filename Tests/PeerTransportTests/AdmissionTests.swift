import AlbumModel
import Crypto
import TestSupport
import Testing

@testable import PeerTransport

/// Admission where phrases change: who is linked, who is caught up with, and who is turned away.
struct AdmissionTests {
    /// A device at one end.
    struct End {
        let identity: DeviceIdentity
        let standing: AdmissionStanding
    }

    /// What became of a connection.
    struct Outcome: Hashable {
        var dialler: AdmissionDirective?
        var acceptor: AdmissionDirective?
    }

    private static let gathering = EpochGathering()

    /// Runs both ends; `change` stands in for the network.
    private func meet(
        _ dialler: End, _ acceptor: End, change: (_ frame: Int, [UInt8]) -> [UInt8] = { $1 }
    ) -> Outcome {
        func machine(_ role: AdmissionRole, _ own: End, _ peer: End) -> Admission {
            Admission(
                role: role, standing: own.standing, ownKey: own.identity.publicKeyDER,
                peerKey: peer.identity.publicKeyDER, peer: peer.identity.deviceID,
                nonce: pattern(32, seed: role == .dialler ? 1 : 2))
        }
        var machines = [machine(.dialler, dialler, acceptor), machine(.acceptor, acceptor, dialler)]
        var outcome = Outcome()
        var frame = 0
        var turn = 1
        var directives = machines[0].start() + machines[1].start()
        while true {
            var sent: [UInt8]?
            for directive in directives {
                if case .send(let payload) = directive {
                    sent = payload
                } else {
                    if turn == 0 { outcome.dialler = directive } else { outcome.acceptor = directive }
                }
            }
            turn = 1 - turn
            guard let sent else {
                // The other end hears the end alone.
                let ended = machines[turn].failureAtEnd
                if turn == 0, outcome.dialler == nil { outcome.dialler = .refuse(ended) }
                if turn == 1, outcome.acceptor == nil { outcome.acceptor = .refuse(ended) }
                return outcome
            }
            directives = machines[turn].receive(change(frame, sent))
            frame += 1
            if frame == 3 {
                outcome.dialler = directives.first
                return outcome
            }
        }
    }

    private func end(_ standing: AdmissionStanding, _ identity: DeviceIdentity = DeviceIdentity()) -> End {
        End(identity: identity, standing: standing)
    }

    private var host: End { end(Self.gathering.upToDate, Self.gathering.founder) }
    private var member: End { end(Self.gathering.upToDate, Self.gathering.member) }
    private var laggard: End { end(Self.gathering.behind, Self.gathering.member) }

    private func expect(
        _ dialler: End, _ acceptor: End, _ expected: AdmissionDirective, _ accepted: AdmissionDirective? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let outcome = meet(dialler, acceptor)
        #expect(outcome == Outcome(dialler: expected, acceptor: accepted ?? expected), sourceLocation: location)
    }

    /// Whoever knows the same is linked: members, and whoever has the phrase in force. Each end knows under which epoch both
    /// proved themselves.
    @Test func equalsAreLinked() {
        let first = AdmissionDirective.admit(.link, provenUnder: Self.gathering.ruling(0))
        let second = AdmissionDirective.admit(.link, provenUnder: Self.gathering.ruling(1))
        expect(member, host, second)
        expect(end(Self.gathering.upToDate), host, second)
        expect(laggard, end(Self.gathering.behind), first)
        let untold = AdmissionDirective.admit(.link, provenUnder: nil)
        expect(end(Self.gathering.newcomer(0)), end(Self.gathering.newcomer(0)), untold)
    }

    /// Whoever lacks something is caught up with, whoever dials; each end knows under which epoch both proved themselves.
    @Test func laggardsAreCaughtUpWith() {
        let first = AdmissionDirective.admit(.catchUp, provenUnder: Self.gathering.ruling(0))
        expect(laggard, host, first)
        expect(host, laggard, first)
        let second = AdmissionDirective.admit(.catchUp, provenUnder: Self.gathering.ruling(1))
        let untold = AdmissionDirective.admit(.catchUp, provenUnder: nil)
        expect(end(Self.gathering.newcomer(1)), host, untold, second)
        expect(host, end(Self.gathering.newcomer(1)), second, untold)
        // Nobody lists it, but a person typed the new phrase.
        expect(end(Self.gathering.joining), host, untold, second)
        expect(end(Self.gathering.joining, Self.gathering.member), host, untold, second)
        // Both have it of a person, and one of them knows no founding.
        expect(end(Self.gathering.joining), end(Self.gathering.newcomer(1)), untold)
        expect(end(Self.gathering.newcomer(1)), end(Self.gathering.joining), untold)
    }

    /// Whoever typed a new phrase goes on with everybody who knows as little of it, or has never heard of it.
    @Test func aTypedPhrasePartsNobody() {
        let typing = end(Self.gathering.joining, Self.gathering.member)
        let foreign = end(Self.gathering.typing(3), Self.gathering.member)
        for other in [typing, end(Self.gathering.joining), laggard, end(Self.gathering.behind), foreign] {
            expect(typing, other, .admit(.link, provenUnder: Self.gathering.ruling(0)))
            expect(other, typing, .admit(.link, provenUnder: Self.gathering.ruling(0)))
        }
    }

    /// Whoever had a person type a phrase, and knows nothing else of the gathering, is no equal for saying so.
    @Test func aPhraseThatWasMadeUpLinksNobody() throws {
        let typing = end(Self.gathering.typing(3), Self.gathering.member)
        let stranger = DeviceIdentity()
        let secrets = GatheringSecrets.test(3)
        for knowledge: UInt8 in 0...2 {
            var dialler = Admission(
                role: .dialler, standing: typing.standing, ownKey: typing.identity.publicKeyDER,
                peerKey: stranger.publicKeyDER, peer: stranger.deviceID, nonce: pattern(32, seed: 1))
            _ = dialler.start()
            let offer = pattern(32, seed: 2) + [knowledge] + secrets.tag
            guard case .send(let claim)? = dialler.receive(offer).first else {
                Issue.record("no proof is tried")
                continue
            }
            let frames = [offer, claim].map { BigEndian.bytes(UInt32($0.count)) + $0 }.joined()
            let covered =
                Array("potluck admit 2acceptor".utf8) + typing.identity.publicKeyDER + stranger.publicKeyDER + frames
            let key = SymmetricKey(data: secrets.admission)
            let proof = HMAC<SHA256>.authenticationCode(for: covered + [0], using: key)
            let directives = dialler.receive([0] + Array(proof))
            // Of two who typed the same neither asks for it: here it proves the first phrase, which the stranger lacks.
            let isSetAside = knowledge == HeldEpochs.Knowledge.typed.rawValue
            let failure = AdmissionFailure.protocolError("a verdict that does not follow")
            #expect(directives == [.refuse(isSetAside ? .notAMember : failure)])
        }
    }

    /// Laptops of earlier versions, which nobody asks the roll about, are equals only while the first phrase lets everybody
    /// in: not where hosts are known to have changed it, and the new one has not come yet, or a person typed another.
    @Test func earlierVersionsHaveTheFirstPhraseAlone() {
        let gathering = Self.gathering
        #expect(gathering.behind.isInFirstEpoch)
        #expect(gathering.newcomer(0).isInFirstEpoch && gathering.newcomer(1).isInFirstEpoch)
        #expect(!gathering.upToDate.isInFirstEpoch)
        #expect(!gathering.standing(rulingCount: 2, epochs: [0]).isInFirstEpoch)
        #expect(!gathering.joining.isInFirstEpoch)
    }

    /// An old phrase lets in nobody who is unknown, and whoever is out not with the new one either. Only the dialler is
    /// told; a member that dials proves nothing to them.
    @Test func othersAreTurnedAway() {
        let stranger = end(Self.gathering.newcomer(0))
        expect(stranger, host, .refuse(.toldChanged), .refuse(.outsider))
        expect(host, stranger, .refuse(.outsider), .refuse(.closed))
        for standing in [Self.gathering.behind, Self.gathering.joining, Self.gathering.newcomer(1)] {
            let outsider = end(standing, Self.gathering.outsider)
            expect(outsider, host, .refuse(.toldOut), .refuse(.outsider))
            expect(host, outsider, .refuse(.outsider), .refuse(.closed))
        }
        expect(end(.test(3)), host, .refuse(.notAMember))
        // It knows the tag, which everybody sees, and not the phrase.
        let secrets = GatheringSecrets(bytes: EpochGathering.secrets[1].tag + [UInt8](repeating: 3, count: 64))!
        let guesser = AdmissionStanding(
            keyring: Keyring(newest: .init(ruling: nil, secrets: secrets)), roll: Self.gathering.newcomer(1).roll)
        expect(end(guesser), host, .refuse(.notAMember))
        expect(host, end(guesser), .refuse(.notAMember))
    }

    /// No bit of a frame can be changed on its way: whoever reads it admits nobody, and the other end neither, but for the
    /// acceptor's verdict, after which the dialler alone is to speak.
    @Test(arguments: 0..<3) func everyBitIsCovered(_ frame: Int) throws {
        var byteCount = 0
        _ = meet(laggard, host) { number, payload in
            if number == frame { byteCount = payload.count }
            return payload
        }
        for place in 0..<byteCount {
            let outcome = meet(laggard, host) { number, payload in
                var payload = payload
                if number == frame { payload[place] ^= 1 << UInt8(place % 8) }
                return payload
            }
            let admitted = [outcome.dialler, outcome.acceptor].compactMap { $0 }.filter { directive in
                if case .admit = directive { true } else { false }
            }
            #expect(admitted.count == (frame == 2 ? 1 : 0), "frame \(frame), byte \(place): \(outcome)")
            if frame == 2, case .admit = outcome.dialler { Issue.record("byte \(place) of the verdict is not covered") }
        }
    }

    /// Frames of every length, in each state, are refused without a trap; and tags beyond what may be shown.
    @Test func malformedFramesAreRefused() {
        for byteCount in Array(0...700) + [2_081, 2_082, 2_089, 4_092] {
            for filling in [UInt8(0), 1, 0xff] {
                let payload = [UInt8](repeating: filling, count: byteCount)
                for frame in 0..<3 {
                    let outcome = meet(laggard, host) { $0 == frame ? payload : $1 }
                    if case .admit = outcome.dialler { Issue.record("\(byteCount) bytes of \(filling) in \(frame)") }
                }
            }
        }
    }

    /// Words of succession, which later versions send, are read over; a part of one, or a fifth, is not of the form.
    @Test func successionsAreReadOver() throws {
        for (count, isRight) in [(0, true), (171, true), (4 * 171, true), (5 * 171, false), (170, false)] {
            let claim = AdmissionClaim(
                tag: pattern(8), newest: HeldEpochs.Newest(tag: pattern(8), .ruling), nonce: pattern(32))
            #expect((AdmissionClaim(claim.covered + pattern(32) + pattern(count)) != nil) == isRight)
        }
    }

    /// Whoever has more epochs than are shown is met all the same, and one that has a single old one of them.
    @Test func manyEpochsAreShownInPart() throws {
        let many = (0..<300).map { number in
            let bytes = BigEndian.bytes(UInt64(number)) + [UInt8](repeating: UInt8(number % 251), count: 64)
            return Keyring.Epoch(ruling: nil, secrets: GatheringSecrets(bytes: bytes)!)
        }
        let roll = Roll(rulings: [:], proofs: [:], lineage: Lineage())
        func standing(_ epochs: [Keyring.Epoch]) -> AdmissionStanding {
            AdmissionStanding(keyring: Keyring(newest: epochs[0], earlier: Array(epochs.dropFirst())), roll: roll)
        }
        let catchUp = AdmissionDirective.admit(.catchUp, provenUnder: nil)
        expect(end(standing([many[299]])), end(standing(many)), catchUp)
        expect(end(standing(many)), end(standing([many[299]])), catchUp)
        expect(end(standing(many)), end(standing(many)), .admit(.link, provenUnder: nil))
    }
}
