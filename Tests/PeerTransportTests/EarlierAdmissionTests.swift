import Testing

@testable import PeerTransport

/// Admission as laptops of earlier versions know it.
struct EarlierAdmissionTests {
    private let keys = (dialler: pattern(91, seed: 1), acceptor: pattern(91, seed: 2))

    private func machine(
        _ role: AdmissionRole, gathering: UInt8 = 1, nonce: UInt8 = 9
    ) -> EarlierAdmission {
        let (own, peer) = role == .dialler ? (keys.dialler, keys.acceptor) : (keys.acceptor, keys.dialler)
        return EarlierAdmission(
            role: role, secrets: .test(gathering), ownKey: own, peerKey: peer,
            nonce: [UInt8](repeating: nonce, count: 32))
    }

    private func sent(_ directives: [AdmissionDirective]) throws -> [UInt8] {
        guard case .send(let payload) = directives.first else { throw Unexpected() }
        return payload
    }

    /// Two members admit each other: nonce, proof, answer; the acceptor is done when it answers.
    @Test func membersAdmitEachOther() throws {
        var acceptor = machine(.acceptor)
        var dialler = machine(.dialler)
        #expect(dialler.start().isEmpty)
        let proof = try sent(dialler.receive(sent(acceptor.start())))
        #expect(acceptor.awaitsProof)
        let answer = acceptor.receive(proof)
        #expect(answer.last == .admit(.link, provenUnder: nil))
        #expect(try dialler.receive(sent(answer)) == [.admit(.link, provenUnder: nil)])
    }

    /// The acceptor answers a proof under another phrase with the end alone, which the dialler understands.
    @Test func otherPhraseIsRefused() throws {
        var acceptor = machine(.acceptor)
        var stranger = machine(.dialler, gathering: 2)
        _ = stranger.start()
        let proof = try sent(stranger.receive(sent(acceptor.start())))
        #expect(acceptor.receive(proof) == [.refuse(.notAMember)])
        #expect(stranger.failureAtEnd == .notAMember)
        #expect(acceptor.receive(proof) == [.refuse(.protocolError("unexpected admission frame"))])
    }

    /// An acceptor that does not know the phrase cannot answer, not even with the dialler's own proof.
    @Test func acceptorHasToProveToo() throws {
        var dialler = machine(.dialler)
        _ = dialler.start()
        let proof = try sent(dialler.receive(pattern(32)))
        #expect(dialler.receive(Array(proof.suffix(32))) == [.refuse(.notAMember)])
    }

    /// A proof recorded on another connection, with other keys or another nonce, is worth nothing.
    @Test func proofHoldsForOneConnection() throws {
        var first = machine(.acceptor)
        var dialler = machine(.dialler)
        _ = dialler.start()
        let proof = try sent(dialler.receive(sent(first.start())))
        var otherNonce = machine(.acceptor, nonce: 10)
        _ = otherNonce.start()
        #expect(otherNonce.receive(proof) == [.refuse(.notAMember)])
        var otherKey = EarlierAdmission(
            role: .acceptor, secrets: .test(1), ownKey: keys.acceptor, peerKey: pattern(91, seed: 3),
            nonce: [UInt8](repeating: 9, count: 32))
        _ = otherKey.start()
        #expect(otherKey.receive(proof) == [.refuse(.notAMember)])
    }

    /// Payloads of the wrong length are refused in each state.
    @Test(arguments: [0, 31, 33, 63, 65, 4_092])
    func malformedPayloadsAreRefused(_ byteCount: Int) throws {
        let payload = [UInt8](repeating: 0, count: byteCount)
        var acceptor = machine(.acceptor)
        _ = acceptor.start()
        #expect(acceptor.receive(payload) == [.refuse(.protocolError("malformed proof"))])
        var dialler = machine(.dialler)
        _ = dialler.start()
        #expect(dialler.receive(payload) == [.refuse(.protocolError("malformed nonce"))])
        #expect(dialler.failureAtEnd == .closed)
    }
}
