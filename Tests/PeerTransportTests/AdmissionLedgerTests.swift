import NIOCore
import NIOPosix
import SyncEngine
import Testing

@testable import PeerTransport

struct AdmissionLedgerTests {
    private func source(_ host: String) throws -> Source {
        Source(try SocketAddress(ipAddress: host, port: 1))
    }

    /// An IPv6 host can take any address of its /64, the link-local one too; IPv4 is the same in both spellings.
    @Test func addressesAreCountedByWhoCanChooseThem() throws {
        func network(_ host: String) throws -> [UInt8] { try source(host).network }
        #expect(try network("2001:db8::1") == network("2001:db8::2"))
        #expect(try network("2001:db8::1") != network("2001:db8:0:1::1"))
        #expect(try network("fe80::1") == network("fe80::2"))
        #expect(try network("::ffff:10.0.0.1") == network("10.0.0.1"))
        #expect(try network("10.0.0.1") != network("10.0.0.2"))
        #expect(try source("2001:db8::1").host != source("2001:db8::2").host)
        #expect(Source(PeerAddress(host: "fe80::1%2", port: 9))?.host == (try source("fe80::1").host))
        #expect(Source(PeerAddress(host: "laptop.local", port: 9)) == nil)
    }

    /// Each wrong proof doubles the wait up to the cap; it ends with time, and other addresses never wait.
    @Test func wrongProofsSlowTheirAddressDown() throws {
        var ledger = AdmissionLedger(limits: TransportLimits())
        let wrong = try source("10.0.0.1")
        let start = NIODeadline.uptimeNanoseconds(1_000)
        #expect(ledger.delay(wrong, now: start) == .zero)
        ledger.noteWrongProof(wrong, now: start)
        #expect(ledger.delay(wrong, now: start) == .milliseconds(200))
        ledger.noteWrongProof(wrong, now: start)
        #expect(ledger.delay(wrong, now: start) == .milliseconds(400))
        for _ in 0..<100 { ledger.noteWrongProof(wrong, now: start) }
        #expect(ledger.delay(wrong, now: start) == .seconds(3))
        #expect(try ledger.delay(source("10.0.0.2"), now: start) == .zero)
        #expect(ledger.delay(wrong, now: start + .seconds(601)) == .zero)
    }

    /// However many addresses are wrong, few are remembered, and the last of them is.
    @Test func memoryOfWrongProofsIsBounded() throws {
        var limits = TransportLimits()
        limits.slowedAddressCountMax = 3
        var ledger = AdmissionLedger(limits: limits)
        for host in 1...9 {
            ledger.noteWrongProof(try source("10.0.0.\(host)"), now: .uptimeNanoseconds(UInt64(host)))
        }
        #expect(try ledger.delay(source("10.0.0.1"), now: .uptimeNanoseconds(10)) == .zero)
        #expect(try ledger.delay(source("10.0.0.9"), now: .uptimeNanoseconds(10)) > .zero)
    }

    /// A device that was admitted before does not wait for what others did from its address.
    @Test func knownDevicesAreExempt() throws {
        let known = DeviceIdentity().deviceID
        let core = try TransportCore(
            identity: DeviceIdentity(), standing: .test(1), knownDevices: { $0 == known },
            knownAddresses: [], report: { _ in }, limits: TransportLimits(), random: SystemRandomNumberGenerator(),
            blockingPool: .singleton, logger: .quiet)
        let address = try SocketAddress(ipAddress: "10.0.0.1", port: 1)
        core.noteWrongProof(address: address, .notAMember)
        #expect(core.proofDelay(device: known, address: address) == .zero)
        #expect(core.proofDelay(device: DeviceIdentity().deviceID, address: address) > .zero)
    }
}
