import Testing

@testable import WebGallery

/// Where requests come from.
@Suite struct OriginCheckTests {
    private let check = OriginCheck(authorities: ["10.0.0.5:4712", "[FE80::1]:4712", "127.9.8.7"])

    private func decision(
        _ host: String?, _ origin: String? = nil, _ effect: OriginCheck.Effect = .reading, credential: Bool = false
    ) -> OriginCheck.Decision {
        check.decision(host: host, origin: origin, effect: effect, carriesCredential: credential)
    }

    /// Shows that a name of another site that leads here (DNS rebinding) is refused whatever else is right.
    @Test(
        arguments: [
            nil, "", "evil.example", "10.0.0.5", "10.0.0.5:4713", "10.0.0.5:4712.evil.example", "localhost:4712",
            "10.0.0.5:4712@evil.example", "fe80::1:4712", "[fe80::1]",
        ])
    func foreignHostsAreRefused(_ host: String?) {
        for effect in [OriginCheck.Effect.forEverybody, .reading, .changing] {
            #expect(decision(host, host.map { "http://\($0)" }, effect, credential: true) == .wrongHost)
        }
    }

    @Test func ownHostsAreTaken() {
        #expect(decision("10.0.0.5:4712") == .allowed)
        #expect(decision("[fe80::1]:4712") == .allowed)
        #expect(decision("127.9.8.7") == .allowed)
        #expect(decision("127.9.8.7:80") == .allowed)
    }

    /// Shows that a change by cookie needs this very origin: another port or another of our own addresses is another site.
    @Test func changesNeedTheirOrigin() {
        #expect(decision("10.0.0.5:4712", "http://10.0.0.5:4712", .changing) == .allowed)
        #expect(decision("127.9.8.7", "http://127.9.8.7", .changing) == .allowed)
        #expect(decision("127.9.8.7:80", "http://127.9.8.7", .changing) == .allowed)
        for origin in [
            nil, "null", "http://10.0.0.5", "http://10.0.0.5:8080", "https://10.0.0.5:4712", "http://127.9.8.7",
            "http://10.0.0.5:4712.evil.example", "http://evil.example", "",
        ] {
            #expect(decision("10.0.0.5:4712", origin, .changing) == .wrongOrigin, "\(origin ?? "none")")
            #expect(decision("10.0.0.5:4712", origin, .changing, credential: true) == .allowed)
        }
    }

    /// Shows that another site's script does not even read, but for what is for everybody.
    @Test func foreignScriptsDoNotRead() {
        #expect(decision("10.0.0.5:4712", "http://evil.example") == .wrongOrigin)
        #expect(decision("10.0.0.5:4712", "http://10.0.0.5:4712") == .allowed)
        #expect(decision("10.0.0.5:4712", "null") == .allowed)
        #expect(decision("10.0.0.5:4712", "http://10.0.0.6:4712", .forEverybody) == .allowed)
    }
}
