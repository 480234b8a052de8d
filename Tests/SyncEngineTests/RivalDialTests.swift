import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Two laptops that dial each other at the same moment.
@Suite struct RivalDialTests {
    /// Whoever is reached while it dials gives its dial up, whichever ID is the smaller one; before the other one's hello
    /// it does not.
    @Test(arguments: [(1, 2), (2, 1)])
    func aDialIsGivenUpOnceThePeerIsHere(own: UInt8, other: UInt8) throws {
        var network = TestNetwork()
        try network.add(TestSigning(own))
        try network.add(TestSigning(other))
        var engine = network.nodes[0].engine
        let device = network.nodes[1].engine.device
        let address = PeerAddress(host: "10.0.0.2", port: 1)
        var now = network.now
        func feed(_ input: EngineInput) -> [EngineDirective] {
            engine.handle(input, now: now, wall: 1_000_000_000, using: &network.random)
        }
        func isDial(_ directive: EngineDirective) -> Bool { if case .dial = directive { true } else { false } }
        var dials = feed(.learned(.device(device.prefix), [address], .discovery))
        now = now + 5
        dials += feed(.deadlineReached)
        #expect(dials.count(where: isDial) == 1)
        let link = LinkID(number: 1)
        let cancel = EngineDirective.cancelDial(.device(device.prefix))
        let peer = AdmittedPeer(device, provenUnder: nil)
        #expect(!feed(.connected(link, peer, address: address, key: nil)).contains(cancel))
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: 1, count: 16), port: 1, foldLevel: 1)
        #expect(feed(.received(link, .hello(hello))).contains(cancel))
    }
}
