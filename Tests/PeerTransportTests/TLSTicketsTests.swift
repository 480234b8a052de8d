import NIOSSL
import Testing

@testable import PeerTransport

/// Session tickets are left out of every connection, as long as swift-nio-ssl keeps its context where it was found.
@Suite struct TLSTicketsTests {
    @Test func ticketsCanBeTurnedOff() throws {
        let context = try NIOSSLContext(configuration: .makeClientConfiguration())
        #expect(TLSTickets.turnOff(in: context))
    }
}
