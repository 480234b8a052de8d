import PeerTransport
import TestSupport

/// Strangers that hold on to the places which an agent has for connections that are not admitted yet: whatever is closed
/// comes again.
struct Siege: Sendable, CustomStringConvertible {
    enum Manner: String, CaseIterable, Sendable {
        /// Connects, and says nothing.
        case silence
        /// Comes as far as TLS.
        case handshake
        /// Proves another phrase.
        case wrongPhrase
    }

    var addressCount: Int
    /// Connections of each address at a time.
    var connectionCount: Int
    var manner: Manner

    var description: String { "\(addressCount) addresses, \(manner)" }

    /// Between two attempts of one connection: as fast as an agent of a real network would see them.
    private static let pause = Duration.milliseconds(100)

    func run(on laptop: Laptop, until isOver: Flag) async throws {
        let credentials = try Credentials()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<(addressCount * connectionCount) {
                let source = "127.0.0.\(2 + number % addressCount)"
                group.addTask {
                    while !isOver.isSet {
                        try await hold(laptop, from: source, credentials, until: isOver)
                        try await Task.sleep(for: Self.pause)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// One connection, until the agent has closed it.
    private func hold(
        _ laptop: Laptop, from source: String, _ credentials: Credentials, until isOver: Flag
    ) async throws {
        let shown = manner == .handshake || manner == .wrongPhrase ? credentials : nil
        // Where there is no room for it, there is none.
        guard let raw = try? await RawConnection.open(to: laptop, from: source, as: shown) else { return }
        defer { raw.close() }
        switch manner {
        case .silence, .handshake: break
        case .wrongPhrase: try? await raw.admit(credentials, Self.otherSecrets)
        }
        while raw.isOpen, !isOver.isSet { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Of a phrase that nobody has; as many bytes as secrets have.
    private static let otherSecrets = GatheringSecrets(bytes: [UInt8](repeating: 7, count: 72))!
}
