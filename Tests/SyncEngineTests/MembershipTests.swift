import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Which links stay, and where devices are said to be, without sessions, batches or photos.
@Suite struct MembershipTests {
    private static let now = MonotonicInstant(nanoseconds: 1_000_000_000_000)

    /// One side of some links.
    private struct Side {
        var membership: Membership
        private var random = TestRandom()

        init(_ number: UInt8) {
            let signing = TestSigning(number)
            membership = Membership(
                own: BatchSignature.deviceID(publicKey: signing.publicKey), signing: signing, limits: EngineLimits())
        }

        mutating func feed(_ input: Membership.Input, wall: UInt64 = 1_000_000_000) -> [Membership.Directive] {
            membership.handle(input, now: MembershipTests.now, wall: wall, using: &random)
        }

        /// Connects and greets.
        mutating func open(
            _ link: LinkID, _ device: DeviceID, at host: String = "10.0.0.2", dialled: Bool, needsLink: Bool = false,
            run: UInt8 = 1, quiet: Set<LinkID> = []
        ) -> [Membership.Directive] {
            let address = PeerAddress(host: host, port: 4000)
            let key = dialled ? PeerKey.device(device.prefix) : nil
            let opening = feed(.connected(link, device, address: address, key: key))
            let hello = Hello(
                versions: WireLimits.protocolVersions, run: [UInt8](repeating: run, count: 16), port: 4711,
                foldLevel: 1,
                needsLink: needsLink)
            return opening + feed(.greeted(link, hello, quiet: quiet))
        }
    }

    private func link(_ number: UInt64) -> LinkID { LinkID(number: number) }

    private func device(_ number: UInt8) -> DeviceID {
        BatchSignature.deviceID(publicKey: TestSigning(number).publicKey)
    }

    private func accepted(_ directives: [Membership.Directive]) -> [LinkID] {
        directives.compactMap { if case .accept(let link, _, _) = $0 { link } else { nil } }
    }

    /// Both dial at once, and the links are greeted in any order: both sides keep the same one.
    @Test(arguments: [true, false], [true, false])
    func bothSidesKeepTheSameOfTwoLinks(isOwnFirstHere: Bool, isOwnFirstThere: Bool) {
        var (here, there) = (Side(1), Side(2))
        // Link 1 was dialled here, link 2 there.
        for number in isOwnFirstHere ? [1, 2] : [2, 1] as [UInt64] {
            _ = here.open(link(number), device(2), dialled: number == 1)
        }
        for number in isOwnFirstThere ? [2, 1] : [1, 2] as [UInt64] {
            _ = there.open(link(number), device(1), dialled: number == 2)
        }
        let kept = (1...2).map { link($0) }.filter { here.membership.isAccepted($0) }
        #expect(kept.count == 1)
        #expect(kept == (1...2).map { link($0) }.filter { there.membership.isAccepted($0) })
    }

    /// What the peer's agent left behind when it started again goes, and so does a link that has been silent.
    @Test func staleLinksGiveWay() {
        let small = device(1) < device(2) ? 1 : 2 as UInt8
        // Of two links the one stays that the smaller ID dialled.
        var side = Side(small)
        let other = device(3 - small)
        #expect(accepted(side.open(link(1), other, dialled: true)) == [link(1)])
        #expect(side.open(link(2), other, dialled: false).contains(.close(link(2), .duplicate)))
        _ = side.feed(.disconnected(link(2)))
        #expect(side.open(link(3), other, dialled: false, quiet: [link(1)]).contains(.close(link(1), .duplicate)))
        _ = side.feed(.disconnected(link(1)))
        let directives = side.open(link(4), other, dialled: false, run: 2)
        #expect(directives.contains(.close(link(3), .replaced)) && accepted(directives) == [link(4)])
    }

    /// With all links taken a newcomer is refused, and one that has no other link takes the place of somebody.
    @Test func fullLinksYieldToTheLonely() {
        var side = Side(1)
        let most = UInt8(MeshLimits().linkCountMax)
        for number in 0..<most {
            #expect(!accepted(side.open(link(UInt64(number)), device(10 + number), dialled: false)).isEmpty)
        }
        #expect(side.membership.isPartial)
        let late = link(100)
        #expect(side.open(late, device(100), dialled: false) == [.farewell(late)])
        #expect(!side.membership.isAccepted(late))
        let lonely = side.open(link(101), device(101), dialled: false, needsLink: true)
        let gone = lonely.compactMap { if case .farewell(let link) = $0 { link } else { nil } }
        #expect(gone.count == 1 && gone[0] != late && accepted(lonely) == [link(101)])
        #expect(!side.membership.isAccepted(gone[0]))
    }

    /// A device is lost with the last of its links, and not with one that never stayed.
    @Test func aDeviceIsLostOnce() {
        var side = Side(1)
        _ = side.open(link(1), device(2), dialled: true)
        _ = side.open(link(2), device(2), dialled: true)
        #expect(side.membership.isAccepted(link(2)) && !side.membership.isAccepted(link(1)))
        #expect(side.feed(.disconnected(link(1))).isEmpty)
        #expect(side.feed(.disconnected(link(2))) == [.lost(device(2))])
        #expect(side.feed(.disconnected(link(2))).isEmpty)
    }

    /// Each record of own addresses has a greater number than any before, also where the clock went back; one of a copy of
    /// this home makes for another one at the next turn.
    @Test func ownRecordsAreNewerThanAllBefore() throws {
        var side = Side(1)
        let addresses = [PeerAddress(host: "10.0.0.1", port: 1)]
        func number() -> UInt64? {
            side.membership.book.record(of: device(1)).flatMap { try? AddressStatement(decoding: $0.content).number }
        }
        #expect(side.feed(.ownAddresses(addresses), wall: 100) == [.spreadAddresses([device(1)], from: nil)])
        #expect(number() == 100)
        _ = side.feed(.ownAddresses(addresses), wall: 50)
        #expect(number() == 101)
        #expect(side.feed(.turn, wall: 200).isEmpty)
        let statement = AddressStatement(device: device(1), number: 900, addresses: [])
        let copy = AddressRecord(statement, SignedStatement(content: statement.encoded(), signature: []))
        _ = side.open(link(1), device(2), dialled: true)
        #expect(side.feed(.records([copy], link(1))).isEmpty)
        #expect(side.feed(.turn, wall: 200).contains(.spreadAddresses([device(1)], from: nil)))
        #expect(number() == 901)
    }

    /// What is new is passed on to others; a peer whose own record is older than one that is under way is told that.
    @Test func recordsArePassedOnOnce() {
        var side = Side(1)
        _ = side.open(link(1), device(2), dialled: true)
        func record(_ number: UInt64) -> AddressRecord {
            let statement = AddressStatement(
                device: device(2), number: number, addresses: [.init(host: "10.0.0.9", port: 9)])
            return AddressRecord(statement, SignedStatement(content: statement.encoded(), signature: []))
        }
        #expect(side.feed(.records([record(5)], link(1))) == [.spreadAddresses([device(2)], from: link(1))])
        #expect(side.feed(.records([record(5)], link(1))).isEmpty)
        #expect(side.feed(.records([record(4)], link(1))) == [.tellAddresses(link(1), [device(2)])])
    }

    // MARK: Loopback addresses

    private func loopback(_ number: UInt8, _ port: UInt16) -> LoopbackAddress {
        LoopbackAddress(device: device(number), address: PeerAddress(host: "127.0.0.1", port: port))!
    }

    /// What a peer that has caught up is told next.
    private func told(_ number: UInt64, by side: inout Side) -> [LoopbackAddress] {
        _ = side.feed(.caughtUp(link(number)))
        let owedCount = side.membership.owedCount(link(number))
        guard case .addresses(let statements) = side.membership.nextMessage(for: link(number)) else { return [] }
        #expect(owedCount == 1 && side.membership.owedCount(link(number)) == 0)
        #expect(side.membership.nextMessage(for: link(number)) == nil)
        return statements.compactMap { LoopbackAddress($0) }
    }

    /// Peers on this machine are told where the others on it listen: those that dialled by the port that they state. Peers
    /// on other machines are told nothing, and nobody is told of them.
    @Test func peersOfOneMachineAreToldOfEachOther() {
        var side = Side(1)
        _ = side.open(link(1), device(2), at: "127.0.0.1", dialled: false)
        #expect(told(1, by: &side) == [])
        _ = side.open(link(2), device(3), at: "127.0.0.1", dialled: true)
        _ = side.open(link(3), device(4), dialled: true)
        #expect(told(1, by: &side) == [loopback(3, 4000)])
        #expect(told(2, by: &side) == [loopback(2, 4711)])
        #expect(told(3, by: &side) == [])
        _ = side.feed(.disconnected(link(1)))
        #expect(told(2, by: &side) == [])
    }

    /// A loopback address counts only from a peer on this machine, and goes no further.
    @Test func loopbackAddressesStayOnTheMachine() {
        var side = Side(1)
        _ = side.open(link(1), device(2), at: "127.0.0.1", dialled: false)
        _ = side.open(link(2), device(3), at: "127.0.0.1", dialled: false)
        _ = side.open(link(3), device(4), dialled: false)
        #expect(side.feed(.loopback([loopback(5, 7)], link(3))).isEmpty)
        #expect(side.membership.book.addresses(of: device(5)).isEmpty)
        #expect(side.feed(.loopback([loopback(5, 7), loopback(1, 8)], link(1))).isEmpty)
        #expect(side.membership.book.addresses(of: device(5)) == [PeerAddress(host: "127.0.0.1", port: 7)])
        #expect(side.membership.book.addresses(of: device(1)).isEmpty)
        #expect(told(2, by: &side) == [loopback(2, 4711)])
        #expect(side.membership.book.record(of: device(5)) == nil)
    }
}

extension Membership {
    /// Whether a link was greeted, stayed and is not about to end.
    fileprivate func isAccepted(_ link: LinkID) -> Bool { links[link].map { $0.isGreeted && $0.isAccepted } ?? false }
}
