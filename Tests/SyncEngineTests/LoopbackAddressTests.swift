import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Addresses on one machine, which nobody signs.
@Suite struct LoopbackAddressTests {
    private static let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private var random = TestRandom()
    private var book = PeerBook(own: Self.device(1), limits: EngineLimits())

    private static func device(_ number: UInt8) -> DeviceID { DeviceID(bytes: [UInt8](repeating: number, count: 32))! }

    private func key(_ number: UInt8) -> PeerKey { .device(Self.device(number).prefix) }

    private func place(_ port: UInt16) -> PeerAddress { PeerAddress(host: "127.0.0.1", port: port) }

    private func loopback(_ number: UInt8, _ port: UInt16) -> LoopbackAddress {
        LoopbackAddress(device: Self.device(number), address: place(port))!
    }

    @Test(arguments: ["127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1"])
    func addressesOfThisMachineAreTaken(host: String) {
        #expect(LoopbackAddress(device: Self.device(2), address: PeerAddress(host: host, port: 1)) != nil)
    }

    /// No peer can have this device dial anything beyond the machine.
    @Test(arguments: [
        "", "10.0.0.1", "126.0.0.1", "128.0.0.1", "0.0.0.0", "::", "::2", "1::1", "fe80::1", "fd00::1", "::127.0.0.1",
        "::ffff:127.0.0.1", "::1%lo", "127.1", "localhost",
    ])
    func othersAreRefused(host: String) {
        let address = PeerAddress(host: host, port: 1)
        #expect(LoopbackAddress(device: Self.device(2), address: address) == nil)
        #expect(LoopbackAddress(unsigned([address])) == nil)
    }

    private func unsigned(_ addresses: [PeerAddress]) -> SignedStatement {
        let content = AddressStatement(
            device: Self.device(2), number: 0, addresses: addresses.map { .init(host: $0.host, port: $0.port) })
        return SignedStatement(content: content.encoded(), signature: [])
    }

    /// What is sent is read again. What is signed, names another count than one, or has no port, is not.
    @Test func statementsNameOneAddress() {
        let sent = loopback(2, 7)
        #expect(LoopbackAddress(sent.statement) == sent)
        var signed = sent.statement
        signed.signature = [1]
        #expect(LoopbackAddress(signed) == nil)
        #expect(LoopbackAddress(unsigned([])) == nil)
        #expect(LoopbackAddress(unsigned([place(7), place(8)])) == nil)
        #expect(LoopbackAddress(unsigned([place(0)])) == nil)
        #expect(LoopbackAddress(SignedStatement(content: [1, 2, 3], signature: [])) == nil)
    }

    /// It is dialled at once, for that device's key; the newest takes the place of the one before, and no signed record
    /// takes it away.
    @Test mutating func theNewestIsDialled() {
        book.learn(loopback(2, 7), now: Self.start)
        let dial = Dial(key: key(2), addresses: [place(7)], expecting: Self.device(2).prefix)
        #expect(book.due(now: Self.start, using: &random) == [dial])
        book.failed(key(2), isStranger: false, now: Self.start, using: &random)
        book.learn(loopback(2, 7), now: Self.start)
        #expect(book.due(now: Self.start, using: &random).isEmpty)
        book.learn(loopback(2, 8), now: Self.start)
        #expect(book.due(now: Self.start, using: &random).map(\.addresses) == [[place(8)]])
        let record = AddressRecord(device: Self.device(2), number: 1, addresses: [], signed: unsigned([]))
        _ = book.learn(record, now: Self.start)
        #expect(book.addresses(of: Self.device(2)) == [place(8)])
    }

    /// Where a device was met stays known, whatever a peer says of it.
    @Test mutating func metDevicesStayKnown() {
        let elsewhere = PeerAddress(host: "10.0.0.2", port: 1)
        book.learn(loopback(2, 7), now: Self.start)
        book.remember(Self.device(2), place(7), source: .discovery)
        book.remember(Self.device(2), elsewhere, source: .inbound)
        for port in 100...200 as ClosedRange<UInt16> { book.learn(loopback(2, port), now: Self.start) }
        #expect(book.addresses(of: Self.device(2)) == [elsewhere, place(7), place(200)])
    }

    /// Ever new addresses end no pause of a device that is known otherwise, so nobody in the network is dialled by them.
    @Test mutating func pausesOfOthersAreKept() {
        let elsewhere = PeerAddress(host: "10.0.0.2", port: 1)
        book.learn(key(2), [elsewhere], source: .discovery, now: Self.start)
        #expect(book.due(now: Self.start, using: &random).count == 1)
        book.failed(key(2), isStranger: false, now: Self.start, using: &random)
        for port in 100...200 as ClosedRange<UInt16> {
            book.learn(loopback(2, port), now: Self.start)
            #expect(book.due(now: Self.start, using: &random).isEmpty)
        }
    }

    /// Ten are dialled a minute in all, however many a peer invents.
    @Test mutating func inventedAddressesAreTriedSlowly() {
        var dialCount = 0
        for second in 0..<120 {
            let now = Self.start + Double(second)
            for number in 2...40 as ClosedRange<UInt8> {
                book.learn(loopback(number, UInt16(1000 + second)), now: now)
            }
            for dial in book.due(now: now, using: &random) {
                dialCount += dial.addresses.count
                book.failed(dial.key, isStranger: false, now: now, using: &random)
            }
        }
        #expect(dialCount == 20)
    }
}
