import Testing
import WireFormat

@testable import SyncEngine

/// Two laptops that meet again, and where each of them can be reached.
@Suite struct AddressTellingTests {
    private static func addresses(_ port: UInt16) -> [PeerAddress] { [PeerAddress(host: "10.0.0.7", port: port)] }

    /// How many statements of addresses a laptop told since this was last asked.
    private static func toldCount(_ node: Int, in network: inout TestNetwork) -> Int {
        let told = network.nodes[node].sent.map { message in
            if case .addresses(let statements) = message { statements.count } else { 0 }
        }
        network.nodes[node].sent = []
        return told.reduce(0, +)
    }

    /// Two laptops that have a photo each, so that each knows the other's key, after they were connected and cut again.
    private static func acquaintances() throws -> TestNetwork {
        var network = try TestNetwork.pair()
        for node in 0...1 {
            network.feed(node, .contribute(token: 1, .photo(albumName: "Beach", file(UInt8(node)))))
        }
        network.settle()
        network.cut(0, 1)
        for node in 0...1 {
            network.feed(node, .ownAddresses(addresses(1)))
            network.nodes[node].sent = []
        }
        return network
    }

    /// Once, and not again when they meet again; whoever got others meanwhile says so.
    @Test func whatThePeerHasIsNotToldAgain() throws {
        var network = try Self.acquaintances()
        network.connect(0, 1)
        network.settle()
        for node in 0...1 { #expect(Self.toldCount(node, in: &network) == 1) }
        network.cut(0, 1)
        network.connect(1, 0)
        network.settle()
        for node in 0...1 { #expect(Self.toldCount(node, in: &network) == 0) }
        network.cut(0, 1)
        network.feed(1, .ownAddresses(Self.addresses(2)))
        network.connect(0, 1)
        network.settle()
        #expect(Self.toldCount(0, in: &network) == 0)
        #expect(Self.toldCount(1, in: &network) == 1)
        let known = network.nodes[0].engine.book.entries[.device(network.nodes[1].engine.device.prefix)]
        #expect(known?.knows(Self.addresses(2)[0]) == true)
    }

    /// A laptop that was started anew has forgotten them, and is told.
    @Test func aNewRunIsTold() throws {
        var network = try Self.acquaintances()
        network.connect(0, 1)
        network.settle()
        network.cut(0, 1)
        try network.add(TestSigning(2), journal: network.nodes[1].journal)
        _ = Self.toldCount(0, in: &network)
        network.connect(0, 2)
        network.settle()
        #expect(Self.toldCount(0, in: &network) == 1)
    }

    /// Laptops on one machine, with a photo each; the others have met the first one, and know each other's keys by it.
    private static func machine(_ count: UInt16) throws -> TestNetwork {
        var network = TestNetwork()
        for number in 1...count {
            let node = Int(number) - 1
            try network.add(TestSigning(UInt8(number)), at: PeerAddress(host: "127.0.0.1", port: number))
            network.feed(node, .contribute(token: 1, .photo(albumName: "Beach", file(UInt8(number)))))
            network.settle()
            guard node > 0 else { continue }
            network.connect(node, 0)
            network.settle()
        }
        return network
    }

    /// Whoever comes to a peer on its machine learns where the others are that came before, and nobody signs that.
    @Test func laptopsOfOneMachineFindEachOther() throws {
        let network = try Self.machine(3)
        let devices = network.nodes.map(\.engine.device)
        #expect(network.nodes[2].engine.book.addresses(of: devices[1]) == [PeerAddress(host: "127.0.0.1", port: 2)])
        for node in network.nodes {
            for device in devices { #expect(node.engine.book.record(of: device) == nil) }
        }
    }

    /// A device that signed nothing is not known by what a peer says of it.
    @Test func inventedDevicesOfOneMachineAreIgnored() throws {
        var network = try Self.machine(2)
        let count = network.nodes[0].engine.book.count
        let link = try #require(network.nodes[0].links.keys.first)
        let place = PeerAddress(host: "127.0.0.1", port: 9)
        for number in 50...60 as ClosedRange<UInt8> {
            let device = BatchSignature.deviceID(publicKey: TestSigning(number).publicKey)
            let invented = try #require(LoopbackAddress(device: device, address: place))
            network.receive(.addresses([invented.statement]), at: 0, over: link)
        }
        #expect(network.nodes[0].engine.book.count == count)
        #expect(network.nodes[0].links.count == 1)
    }
}
