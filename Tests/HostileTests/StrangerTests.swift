import TestSupport
import Testing

extension HostileTests {
    /// Ten addresses are a household, 250 a network that somebody rules.
    private static let sieges = [
        Siege(addressCount: 10, connectionCount: 4, manner: .silence),
        Siege(addressCount: 250, connectionCount: 1, manner: .silence),
        Siege(addressCount: 10, connectionCount: 4, manner: .handshake),
        Siege(addressCount: 10, connectionCount: 4, manner: .wrongPhrase),
    ]
    /// How long a member may need to get in, who was never there before, from an address that nobody knows.
    private static let admissionMax = Duration.seconds(10)

    /// Strangers hold all places of admission, continuously. New members get in nevertheless, and so does a laptop that was
    /// there before.
    @Test(arguments: sieges)
    func strangersKeepNobodyOut(_ siege: Siege) async throws {
        try await Reunion.run { reunion in
            let isOver = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await siege.run(on: reunion.vera, until: isOver) }
                defer { isOver.set() }
                try await reunion.endure("\(siege)") {
                    for number in 0..<5 { try await Self.enter(reunion.vera, from: "127.0.2.\(1 + number)") }
                }
                try await reunion.ben.down()
                // How long a start may take is another promise.
                try await reunion.ben.up(dialling: [reunion.vera])
                let begin = ContinuousClock.now
                try await reunion.expectConnected([reunion.ben])
                #expect(.now - begin <= Self.admissionMax, "a laptop that was there before, \(siege)")
                isOver.set()
                try await group.waitForAll()
            }
            // That Ben left for a moment was the test's doing.
            try reunion.passOverLog()
        }
    }

    private static func enter(_ laptop: Laptop, from source: String) async throws {
        let credentials = try Credentials()
        try await eventually("a new member gets in", within: admissionMax) { () -> Attempt<Void> in
            // Whoever is refused tries again.
            guard let member = try? await Member.connect(to: laptop, as: credentials, from: source) else {
                return .notYet("it was not admitted")
            }
            defer { member.close() }
            _ = try await member.ping()
            return .done(())
        }
    }

    /// What comes before admission, in any form, ends with the connection: a frame too long, of another kind, half a one,
    /// two, and the same without TLS.
    @Test func nothingIsTrappedBeforeAdmission() async throws {
        try await Reunion.run { reunion in
            let credentials = try Credentials()
            var mutator = Mutator(seed: 1)
            let proof = RawConnection.frame(0, randomBytes(64))
            let words =
                [[], [0], [0, 0], RawConnection.frame(0, []), RawConnection.frame(0, randomBytes(65_000))]
                + [proof + proof, [0, 0xFF, 0xFF, 0xFF], [1, 0, 0, 0], [3, 0, 0, 8], [0xFF, 0xFF, 0xFF, 0xFF]]
                + (0..<20).map { _ in mutator.mutated(proof) }
            try await reunion.endure("words before admission") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    // At once, since some are waited for, and from an address each, since an address has few places.
                    for (number, bytes) in words.enumerated() {
                        for shown in [credentials, nil] {
                            let source = "127.0.\(shown == nil ? 4 : 3).\(1 + number)"
                            group.addTask {
                                let raw = try await RawConnection.open(to: reunion.vera, from: source, as: shown)
                                raw.send(bytes)
                                try await raw.expectClosed("a stranger")
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
