import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

private let start = MonotonicInstant(nanoseconds: 1_000_000_000)
private let address = PeerAddress(host: "10.0.0.2", port: 4711)

private let devices = (0...UInt8.max).map { DeviceID(bytes: [UInt8](repeating: $0, count: 32))! }
private let devicesByKey = Dictionary(uniqueKeysWithValues: devices.map { (PeerKey.device($0.prefix), $0) })
private func device(_ number: UInt8) -> DeviceID { devices[Int(number)] }
private func key(_ number: UInt8) -> PeerKey { .device(device(number).prefix) }
private func place(_ number: UInt8) -> PeerAddress { PeerAddress(host: "10.0.0.\(number)", port: 4711) }

private func record(_ number: UInt8, _ addresses: [PeerAddress], at: UInt64 = 1) -> AddressRecord {
    let signed = SignedStatement(content: [number] + BigEndian.bytes(at), signature: [])
    return AddressRecord(device: device(number), number: at, addresses: addresses, signed: signed)
}

/// When devices are dialled.
@Suite struct PeerBookTests {
    /// The smaller ID dials at once, the greater lets it, for a moment.
    @Test func greaterIDIsCourteous() {
        var random = TestRandom()
        var small = PeerBook(own: device(1), limits: EngineLimits())
        small.learn(key(2), [address], source: .discovery, now: start)
        #expect(small.due(now: start, using: &random).map(\.addresses) == [[address]])
        var great = PeerBook(own: device(3), limits: EngineLimits())
        great.learn(key(2), [address], source: .discovery, now: start)
        #expect(great.due(now: start, using: &random).isEmpty)
        #expect(great.due(now: start + EngineLimits().dialCourtesy, using: &random).count == 1)
    }

    /// Of a device's addresses those come first at which it was met.
    @Test func metAddressesAreTheBest() {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        #expect(book.addresses(of: device(2)).isEmpty)
        book.learn(key(2), [place(3), place(4), place(5)], source: .discovery, now: start)
        #expect(book.addresses(of: device(2)) == [place(3), place(4), place(5)])
        book.remember(device(2), place(4), source: .discovery)
        #expect(book.addresses(of: device(2)) == [place(4), place(3), place(5)])
        book.learn(key(2), [place(6)], source: .discovery, now: start)
        #expect(book.addresses(of: device(2)) == [place(4), place(6), place(3), place(5)])
        #expect(book.address(of: device(2))?.0 == place(6))
    }

    /// Pauses grow to half a minute, and a new announcement ends them.
    @Test func pausesGrowUntilNews() throws {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        book.learn(key(2), [address], source: .inbound, now: start)
        var now = start
        var pauses: [Double] = []
        for _ in 0..<10 {
            #expect(book.due(now: now, using: &random).count == 1)
            book.failed(key(2), isStranger: false, now: now, using: &random)
            let next = try #require(book.nextDeadline)
            pauses.append(next.seconds(since: now))
            now = next
        }
        #expect(try #require(pauses.first) < 1)
        #expect((20...36).contains(try #require(pauses.last)))
        _ = book.due(now: now, using: &random)
        book.failed(key(2), isStranger: false, now: now, using: &random)
        book.learn(key(2), [place(3)], source: .discovery, now: now)
        #expect(book.due(now: now, using: &random).count == 1)
    }

    /// After another network came, or the same again, nobody waits for pauses to end.
    @Test func anotherNetworkIsTriedAtOnce() {
        var random = TestRandom()
        var book = PeerBook(own: device(1), limits: EngineLimits())
        for number in [UInt8(2), 3] { book.learn(key(number), [place(number)], source: .discovery, now: start) }
        var now = start
        for _ in 0..<8 {
            _ = book.due(now: now, using: &random)
            book.failed(key(2), isStranger: false, now: now, using: &random)
            now = now + 100
        }
        _ = book.due(now: now, using: &random)
        book.failed(key(2), isStranger: false, now: now, using: &random)
        #expect(book.due(now: now + 1, using: &random).isEmpty)
        book.networkChanged(now: now + 1)
        #expect(book.due(now: now + 1, using: &random).map(\.key) == [key(2)])
        // The dial that was under way meanwhile may have been lost with the old network.
        book.failed(key(3), isStranger: false, now: now + 2, using: &random)
        #expect(book.due(now: now + 2, using: &random).map(\.key) == [key(3)])
    }

    /// What is learned while a dial is under way is tried as soon as it failed.
    @Test func newsDuringADialIsTriedNext() {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        book.learn(key(2), [address], source: .inbound, now: start)
        _ = book.due(now: start, using: &random)
        book.learn(key(2), [place(3)], source: .discovery, now: start)
        book.failed(key(2), isStranger: false, now: start + 1, using: &random)
        #expect(book.due(now: start + 1, using: &random).map(\.addresses) == [[place(3), address]])
    }

    /// Whoever turned out to be no member is left alone for minutes.
    @Test func strangersAreLeftAlone() throws {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        book.learn(.fixed(address), [address], source: .fixed, now: start)
        _ = book.due(now: start, using: &random)
        book.failed(.fixed(address), isStranger: true, now: start, using: &random)
        #expect(try #require(book.nextDeadline).seconds(since: start) >= 240)
    }

    /// Connections that end as soon as they are made are not made again and again.
    @Test func shortConnectionsAreFollowedByPauses() throws {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        book.learn(key(2), [address], source: .inbound, now: start)
        var now = start
        for _ in 0..<8 {
            #expect(book.due(now: now, using: &random).count == 1)
            book.connected(device(2), key: key(2), now: now)
            book.disconnected(device(2), now: now, using: &random)
            now = try #require(book.nextDeadline)
        }
        #expect(now.seconds(since: start) > 25)
        // One that lasted is followed by a dial at once.
        _ = book.due(now: now, using: &random)
        book.connected(device(2), key: key(2), now: now)
        book.disconnected(device(2), now: now + 60, using: &random)
        #expect(try #require(book.nextDeadline).seconds(since: now) < 61)
    }

    @Test func ownAnnouncementIsIgnored() {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        book.learn(key(1), [address], source: .discovery, now: start)
        #expect(book.due(now: start, using: &random).isEmpty)
    }

    /// An address that a person gave becomes one of the device that answered there.
    @Test func fixedAddressFindsItsDevice() {
        var book = PeerBook(own: device(1), limits: EngineLimits())
        var random = TestRandom()
        book.learn(.fixed(address), [address], source: .fixed, now: start)
        #expect(book.due(now: start, using: &random).first?.expecting == nil)
        book.connected(device(2), key: .fixed(address), now: start)
        #expect(book.address(of: device(2))?.0 == address)
        #expect(book.source(of: address, device: device(2)) == .fixed)
        #expect(book.due(now: start + 100, using: &random).isEmpty)
    }

    /// Whoever invents devices does not fill the memory, and those that are known go on being heard.
    @Test func inventedDevicesAreBounded() {
        var limits = EngineLimits()
        limits.knownDeviceCountMax = 3
        var book = PeerBook(own: device(1), limits: limits)
        for number in UInt8(2)...9 {
            book.learn(key(number), [place(number)], source: .discovery, now: start)
            _ = book.learn(record(number, [place(number)]), now: start)
        }
        #expect(book.entries.count == 3)
        book.learn(key(2), [place(99)], source: .discovery, now: start)
        #expect(book.address(of: device(2))?.0 == place(99))
    }
}

/// With how many devices links are sought, and which are kept.
@Suite struct MeshRuleTests {
    private var random = TestRandom()
    private var book = PeerBook(own: device(1), limits: EngineLimits())

    private mutating func announce(_ numbers: ClosedRange<UInt8>) {
        for number in numbers { book.learn(key(number), [place(number)], source: .discovery, now: start) }
    }

    private mutating func connect(_ numbers: ClosedRange<UInt8>, needsLink: Bool = false, at now: MonotonicInstant) {
        for number in numbers {
            let verdict = book.judge(
                device(number), needsLink: needsLink, key: nil, connected: connected, now: now, using: &random)
            #expect(verdict == .keep)
            book.connected(device(number), key: nil, now: now)
        }
    }

    private var connected: [DeviceID] {
        book.entries.filter { $0.value.state == .connected }.compactMap { devicesByKey[$0.key] }.sorted()
    }

    private mutating func verdict(_ number: UInt8, needsLink: Bool, key: PeerKey? = nil, at now: MonotonicInstant)
        -> LinkVerdict
    {
        book.judge(device(number), needsLink: needsLink, key: key, connected: connected, now: now, using: &random)
    }

    /// Eight devices: everyone is dialled. Nine: six are, and when one does not answer another is.
    @Test mutating func aboveEightDevicesSixLinksAreSought() {
        announce(2...8)
        #expect(book.due(now: start, using: &random).count == 7)
        book = PeerBook(own: device(1), limits: EngineLimits())
        announce(2...30)
        let dials = book.due(now: start, using: &random)
        #expect(dials.count == 6)
        #expect(book.nextDeadline == nil)
        book.failed(dials[0].key, isStranger: false, now: start, using: &random)
        let others = book.due(now: start, using: &random)
        #expect(others.count == 1)
        #expect(!dials.map(\.key).contains(others[0].key))
    }

    /// Two devices that know the same others do not choose the same ones.
    @Test mutating func theChoiceIsRandom() {
        var choices: Set<[PeerKey]> = []
        for _ in 0..<10 {
            book = PeerBook(own: device(1), limits: EngineLimits())
            announce(2...30)
            choices.insert(book.due(now: start, using: &random).map(\.key).sorted())
        }
        #expect(choices.count >= 9)
    }

    /// Devices that neither answer nor are announced do not make a gathering large.
    @Test mutating func theAbsentDoNotCount() {
        for number in UInt8(2)...40 { book.learn(key(number), [place(number)], source: .inbound, now: start) }
        var now = start
        for _ in 0..<100 {
            for dial in book.due(now: now, using: &random) {
                book.failed(dial.key, isStranger: false, now: now, using: &random)
            }
            now = now + 0.5
        }
        #expect(book.census().isSmall)
        announce(41...47)
        #expect(book.due(now: now + 60, using: &random).count > 7)
    }

    /// What a person gave is dialled before anybody else, even when there are links enough, and is kept then.
    @Test mutating func fixedAddressesComeFirst() throws {
        announce(2...30)
        book.learn(.fixed(place(99)), [place(99)], source: .fixed, now: start)
        let dials = book.due(now: start, using: &random)
        #expect(dials.count == 6)
        #expect(dials.first?.key == .fixed(place(99)))
        for dial in dials { book.failed(dial.key, isStranger: false, now: start, using: &random) }
        connect(2...9, at: start)
        book.learn(.fixed(place(98)), [place(98)], source: .fixed, now: start)
        #expect(book.due(now: start, using: &random).map(\.key) == [.fixed(place(98))])
        #expect(verdict(50, needsLink: false, key: key(50), at: start) == .refuse)
        let kept = verdict(98, needsLink: false, key: .fixed(place(98)), at: start)
        guard case .keepInstead(let other) = kept else { throw Unexpected(verdict: kept) }
        book.refusedAsFull(other, key: nil, now: start, using: &random)
        book.connected(device(98), key: .fixed(place(98)), now: start)
    }

    /// A device whose address a person gave is sought whenever there is room, and nobody takes its place.
    @Test mutating func fixedDevicesAreKept() {
        announce(2...30)
        for dial in book.due(now: start, using: &random) {
            book.failed(dial.key, isStranger: false, now: start, using: &random)
        }
        connect(2...8, at: start)
        book.learn(key(98), [place(98)], source: .fixed, now: start)
        #expect(book.due(now: start, using: &random).map(\.key) == [key(98)])
        book.connected(device(98), key: key(98), now: start)
        #expect(connected.count == 8)
        for _ in 0..<100 {
            #expect(verdict(50, needsLink: true, at: start) != .keepInstead(of: device(98)))
            #expect(book.turn(connected: connected, now: start, using: &random).letGo != device(98))
        }
    }

    /// Up to eight links are taken. Then only those who have none are, and somebody else's link goes instead.
    @Test mutating func fullLinksYieldToTheLonely() throws {
        announce(2...60)
        connect(2...9, at: start)
        #expect(connected.count == 8)
        #expect(verdict(10, needsLink: false, at: start) == .refuse)
        var goers: Set<DeviceID> = []
        for _ in 0..<50 {
            let kept = verdict(10, needsLink: true, at: start)
            guard case .keepInstead(let other) = kept else { throw Unexpected(verdict: kept) }
            #expect(connected.contains(other))
            goers.insert(other)
        }
        #expect(goers.count >= 6)
    }

    /// Who just came because it had no other link is let go last, and of such the one that had most time to find one.
    @Test mutating func theLonelyAreNotLetGoForEachOther() {
        connect(2...3, at: start)
        connect(4...9, needsLink: true, at: start + 1)
        for _ in 0..<20 {
            let kept = verdict(20, needsLink: true, at: start + 2)
            #expect(kept == .keepInstead(of: device(2)) || kept == .keepInstead(of: device(3)))
        }
        for number in UInt8(2)...3 { book.refusedAsFull(device(number), key: nil, now: start + 2, using: &random) }
        connect(10...10, needsLink: true, at: start + 2)
        connect(11...11, needsLink: true, at: start + 3)
        #expect(verdict(20, needsLink: true, at: start + 4) == .keepInstead(of: device(4)))
        var goers: Set<LinkVerdict> = []
        for _ in 0..<50 { goers.insert(verdict(20, needsLink: true, at: start + 60)) }
        #expect(goers.count > 3)
    }

    @Test mutating func needsALinkUntilThereIsOne() {
        #expect(book.needsLink)
        connect(2...2, at: start)
        #expect(!book.needsLink)
        book.disconnected(device(2), now: start, using: &random)
        #expect(book.needsLink)
    }

    /// A full device has not failed: others are tried, and it again after a minute; by the lonely after a second.
    @Test mutating func fullDevicesAreTriedLater() throws {
        announce(2...2)
        #expect(book.due(now: start, using: &random).count == 1)
        book.connected(device(2), key: key(2), now: start)
        book.refusedAsFull(device(2), key: key(2), now: start, using: &random)
        #expect((0.5...1.5).contains(try #require(book.nextDeadline).seconds(since: start)))
        connect(3...3, at: start)
        #expect((48...72).contains(try #require(book.nextDeadline).seconds(since: start)))
        #expect(book.due(now: start + 40, using: &random).isEmpty)
        #expect(book.due(now: start + 72, using: &random).map(\.key) == [key(2)])
    }

    /// The lonely try whom they have not tried before they go back to a full device.
    @Test mutating func theLonelyTryOthersFirst() {
        announce(2...3)
        #expect(book.due(now: start, using: &random).count == 2)
        book.connected(device(2), key: key(2), now: start)
        book.refusedAsFull(device(2), key: key(2), now: start, using: &random)
        #expect(book.due(now: start + 2, using: &random).isEmpty)
        book.failed(key(3), isStranger: false, now: start + 2, using: &random)
        #expect(book.due(now: start + 2, using: &random).map(\.key) == [key(2)])
    }

    /// Who has links enough does not trouble a full device every minute, though a person named it.
    @Test mutating func fullDevicesAreLeftAloneByTheContent() {
        announce(20...40)
        for dial in book.due(now: start, using: &random) {
            book.failed(dial.key, isStranger: false, now: start, using: &random)
        }
        connect(2...7, at: start)
        book.learn(key(8), [place(8)], source: .fixed, now: start)
        #expect(book.due(now: start, using: &random).map(\.key) == [key(8)])
        book.refusedAsFull(device(8), key: key(8), now: start, using: &random)
        #expect(book.due(now: start + 280, using: &random).isEmpty)
        #expect(book.due(now: start + 312, using: &random).map(\.key) == [key(8)])
    }

    /// Of those that are due, the untried are dialled before those that failed, and these before the full ones.
    @Test mutating func thePromisingAreTriedFirst() {
        announce(2...4)
        for dial in book.due(now: start, using: &random) {
            book.failed(dial.key, isStranger: false, now: start, using: &random)
        }
        announce(5...7)
        for dial in book.due(now: start, using: &random) {
            let device = devicesByKey[dial.key]!
            book.refusedAsFull(device, key: dial.key, now: start, using: &random)
        }
        announce(8...10)
        let dials = book.due(now: start + 400, using: &random).map { devicesByKey[$0.key]! }
        #expect(Set(dials.prefix(3)) == Set((UInt8(8)...10).map(device)))
        #expect(Set(dials.dropFirst(3)) == Set((UInt8(2)...4).map(device)))
    }

    /// An address that a person gave belongs to whoever answered there, though it was full.
    @Test mutating func fullFixedDeviceIsKnown() {
        book.learn(.fixed(address), [address], source: .fixed, now: start)
        _ = book.due(now: start, using: &random)
        book.refusedAsFull(device(2), key: .fixed(address), now: start, using: &random)
        #expect(book.address(of: device(2))?.0 == address)
        #expect(book.due(now: start + 2, using: &random).map(\.key) == [key(2)])
    }

    /// Refusing somebody's connection does not disturb the dial to it that is under way.
    @Test mutating func refusedWhileDialling() {
        announce(2...30)
        let dials = book.due(now: start, using: &random)
        guard case .device(let prefix) = dials[0].key else { return }
        let other = (UInt8(2)...30).map(device).first { $0.prefix == prefix }!
        book.refusedAsFull(other, key: nil, now: start, using: &random)
        #expect(book.entries[dials[0].key]?.state == .dialling)
    }

    /// In a large gathering a link above the target is let go now and then, and at the target another is sought.
    @Test mutating func linksAreExchanged() {
        announce(2...30)
        connect(2...9, at: start)
        #expect(book.due(now: start, using: &random).isEmpty)
        var goes = 0
        for turn in 1...100 {
            let turn = book.turn(connected: connected, now: start + 30 * Double(turn), using: &random)
            #expect(turn.share.map(connected.contains) == true)
            guard let device = turn.letGo else { continue }
            goes += 1
            book.refusedAsFull(device, key: nil, now: start + 60, using: &random)
        }
        #expect(goes == 2)
        #expect(connected.count == 6)
        #expect(book.due(now: start + 4000, using: &random).count == 1)
        #expect(book.due(now: start + 4000, using: &random).isEmpty)
        #expect(book.nextDeadline == nil)
    }

    /// An exchange looks also for those that do not answer: they may be the other half of a cut network.
    @Test mutating func exchangesReachTheSilent() {
        var chosen: Set<PeerKey> = []
        for _ in 0..<50 {
            book = PeerBook(own: device(1), limits: EngineLimits())
            announce(2...3)
            for dial in book.due(now: start, using: &random) {
                book.failed(dial.key, isStranger: false, now: start, using: &random)
            }
            connect(4...9, at: start)
            announce(10...11)
            book.seeksExchange = true
            chosen.formUnion(book.due(now: start + 60, using: &random).map(\.key))
        }
        #expect(chosen == [key(2), key(3), key(10), key(11)])
    }

    @Test mutating func smallGatheringsExchangeNothing() {
        announce(2...8)
        connect(2...8, at: start)
        for _ in 0..<100 { #expect(book.turn(connected: connected, now: start, using: &random).letGo == nil) }
        #expect(book.turn(connected: [], now: start, using: &random) == MeshTurn())
    }

    /// Somebody who is announced anew is a reason for one more link, though not for one each.
    @Test mutating func newcomersAreMet() {
        connect(2...7, at: start)
        announce(8...8)
        for dial in book.due(now: start, using: &random) {
            book.failed(dial.key, isStranger: false, now: start, using: &random)
        }
        let now = start + 100
        for number in UInt8(9)...30 { book.learn(key(number), [place(number)], source: .discovery, now: now) }
        #expect(book.due(now: now, using: &random).count == 1)
        for number in UInt8(31)...40 { book.learn(key(number), [place(number)], source: .discovery, now: now + 1) }
        #expect(book.due(now: now + 1, using: &random).isEmpty)
    }

    /// Who is linked already is no newcomer when its announcement comes.
    @Test mutating func announcementsOfPeersAreNoNews() {
        for number in UInt8(20)...30 { book.learn(key(number), [place(number)], source: .inbound, now: start) }
        connect(2...7, at: start)
        announce(2...7)
        #expect(book.due(now: start, using: &random).isEmpty)
    }

    /// After any sequence of events the next deadline lies ahead: an engine that reads it never spins.
    @Test(arguments: UInt64(1)...20) mutating func theDeadlineLiesAhead(seed: UInt64) {
        random = TestRandom(state: seed)
        var now = start
        var dials: [PeerKey] = []
        for _ in 0..<1000 {
            step(&dials, now: now)
            dials += book.due(now: now, using: &random).map(\.key)
            if let next = book.nextDeadline { #expect(next > now) }
            let pause = [0, 0.1, 1, 20].randomElement(using: &random)!
            now = Bool.random(using: &random) ? book.nextDeadline ?? now : now + pause
        }
    }

    private mutating func step(_ dials: inout [PeerKey], now: MonotonicInstant) {
        let number = UInt8.random(in: 2...20, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: book.learn(key(number), [place(number)], source: .discovery, now: now)
        case 1: book.learn(.fixed(place(number)), [place(number)], source: .fixed, now: now)
        case 2: book.announcementEnded(key(number))
        case 3:
            let told = (0..<3).map { place(number &+ $0) }
            _ = book.learn(record(number, told, at: now.nanoseconds), now: now)
        case 4: book.disconnected(device(number), now: now, using: &random)
        case 5: book.refusedAsFull(device(number), key: nil, now: now, using: &random)
        case 6: _ = book.turn(connected: connected, now: now, using: &random)
        default:
            guard let dial = dials.popLast() else { return }
            if Bool.random(using: &random) {
                book.failed(dial, isStranger: false, now: now, using: &random)
            } else {
                greet(dial, now: now)
            }
        }
    }

    private mutating func greet(_ dial: PeerKey, now: MonotonicInstant) {
        let number = (UInt8(2)...20).first { key($0) == dial || .fixed(place($0)) == dial }!
        guard !connected.contains(device(number)) else {
            return book.connected(device(number), key: dial, now: now)
        }
        switch verdict(number, needsLink: Bool.random(using: &random), key: dial, at: now) {
        case .refuse: return book.refusedAsFull(device(number), key: dial, now: now, using: &random)
        case .keepInstead(let other): book.refusedAsFull(other, key: nil, now: now, using: &random)
        case .keep: break
        }
        book.connected(device(number), key: dial, now: now)
        #expect(connected.count <= MeshLimits().linkCountMax)
    }

    private struct Unexpected: Error {
        var verdict: LinkVerdict
    }
}

/// What devices sign of themselves and pass on.
@Suite struct AddressGossipTests {
    private var random = TestRandom()
    private var book = PeerBook(own: device(1), limits: EngineLimits())

    @Test(arguments: [
        "10.0.0.1", "192.168.178.255", "169.254.7.7", "8.8.8.8", "223.255.255.255", "fd00::1", "2001:db8::",
        "2001:DB8:1:2:3:4:5:6", "64:ff9b::10.0.0.1", "1:2:3:4:5:6:10.0.0.1", "1::8",
    ])
    func unicastAddressesAreTaken(host: String) {
        let record = record(2, [PeerAddress(host: host, port: 1)])
        #expect(record.flaw(known: nil) == nil)
    }

    @Test(arguments: [
        "", "0.0.0.0", "0.1.2.3", "127.0.0.1", "224.0.0.251", "240.0.0.1", "255.255.255.255", "::", "::1", "::2",
        "::ffff:10.0.0.1", "::10.0.0.1", "ff02::fb", "fe80::1", "febf::1", "fe80::1%2", "fd00::1%eth0", "laptop.local",
        "10.0.0", "10.0.0.1.2", "10.0.0.256", "10.0.0.01", "10.0.0.+1", "10.0.0.", "0x0a.0.0.1", "10.0.0.1 ",
        "١.0.0.1",
        "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "1:::2", ":1:2:3:4:5:6:7", "1:2:3:4:5:6:7:",
        "1:2:3:4:5:6:7::8",
        "12345::", "g::", "+1::", "10.0.0.1::", "1:2:3:4:5:6:7:10.0.0.1", "[fd00::1]",
    ])
    func othersAreRefused(host: String) {
        let address = PeerAddress(host: host, port: 1)
        #expect(record(2, [place(2), address]).flaw(known: nil) == .unusable(address))
    }

    @Test func recordsAreJudged() {
        let eight = (1...8).map { place($0) }
        #expect(record(2, eight).flaw(known: nil) == nil)
        #expect(record(2, eight + [place(9)]).flaw(known: nil) == .tooManyAddresses)
        #expect(record(2, []).flaw(known: nil) == nil)
        let portless = PeerAddress(host: "10.0.0.1", port: 0)
        #expect(record(2, [portless]).flaw(known: nil) == .unusable(portless))
        #expect(record(2, [], at: 5).flaw(known: 4) == nil)
        #expect(record(2, [], at: 5).flaw(known: 5) == .stale)
    }

    /// The newest record holds, whatever order they come in.
    @Test mutating func newestRecordWins() {
        let records = [
            record(2, [place(2)], at: 5), record(2, [place(2)], at: 5), record(2, [place(3)], at: 4),
            record(2, [place(4)], at: 6), record(2, [PeerAddress(host: "127.0.0.1", port: 1)], at: 7),
        ]
        let areNews = records.map { book.learn($0, now: start) }
        #expect(areNews == [true, false, false, true, false])
        #expect(book.sample(9, for: device(9), knowing: nil, using: &random) == [device(2)])
        #expect(book.record(of: device(2)) == record(2, [], at: 6).signed)
        #expect(book.due(now: start, using: &random).map(\.addresses) == [[place(4)]])
    }

    /// A record replaces what was gossiped before, and nothing that is known otherwise.
    @Test mutating func recordReplacesGossipOnly() {
        book.learn(key(2), [place(10)], source: .discovery, now: start)
        _ = book.learn(record(2, [place(10), place(11), place(12)], at: 1), now: start)
        #expect(book.source(of: place(10), device: device(2)) == .discovery)
        #expect(book.source(of: place(11), device: device(2)) == .gossip)
        book.learn(key(2), [place(11)], source: .inbound, now: start)
        _ = book.learn(record(2, [place(13)], at: 2), now: start)
        #expect(book.source(of: place(10), device: device(2)) == .discovery)
        #expect(book.source(of: place(11), device: device(2)) == .inbound)
        #expect(book.source(of: place(12), device: device(2)) == nil)
        #expect(book.source(of: place(13), device: device(2)) == .gossip)
        #expect(book.address(of: device(2))?.0 == place(11))
    }

    /// A new address is tried at once, an old one in a new record is not.
    @Test mutating func newAddressesEndPauses() {
        _ = book.learn(record(2, [place(2)], at: 1), now: start)
        #expect(book.due(now: start, using: &random).count == 1)
        book.failed(key(2), isStranger: false, now: start, using: &random)
        _ = book.learn(record(2, [place(2)], at: 2), now: start)
        #expect(book.due(now: start, using: &random).isEmpty)
        _ = book.learn(record(2, [place(3)], at: 3), now: start)
        #expect(book.due(now: start, using: &random).map(\.addresses) == [[place(3)]])
    }

    /// Addresses known only by gossip: ten a minute in all, whatever devices sign.
    @Test mutating func hearsayIsTriedSlowly() throws {
        var tried: [MonotonicInstant] = []
        for number in UInt8(2)...200 {
            _ = book.learn(record(number, [place(number), place(number &+ 100)]), now: start)
        }
        var now = start
        while now < start + 600 {
            for dial in book.due(now: now, using: &random) {
                for _ in dial.addresses { tried.append(now) }
                book.failed(dial.key, isStranger: false, now: now, using: &random)
            }
            now = try #require(book.nextDeadline)
        }
        #expect(tried.count == 100)
        for (first, last) in zip(tried, tried.dropFirst(10)) { #expect(last >= first + 60) }
    }

    /// Of many one dial tries some, and what is known otherwise goes beside them and does not count.
    @Test(arguments: [UInt64(1), 2, 3]) mutating func oneDialTriesSomeHearsay(seed: UInt64) {
        random = TestRandom(state: seed)
        _ = book.learn(record(2, (1...8).map { place($0) }), now: start)
        for (number, count) in [(UInt8(20), 5), (21, 6), (22, 5), (23, 4)] {
            book.learn(key(2), [place(number)], source: .inbound, now: start)
            let addresses = book.due(now: start, using: &random).flatMap(\.addresses)
            #expect(addresses.count == count)
            #expect(addresses.first == place(number))
            book.failed(key(2), isStranger: false, now: start, using: &random)
        }
    }

    /// Where a device was met it may be dialled again as often as needed.
    @Test mutating func provenAddressesAreNoHearsay() {
        var limits = EngineLimits()
        limits.settledInterval = 0
        book = PeerBook(own: device(1), limits: limits)
        for round in 0..<30 {
            let now = start + Double(round)
            _ = book.learn(record(2, [place(2)], at: UInt64(round)), now: now)
            #expect(book.due(now: now, using: &random).count == 1)
            book.connected(device(2), key: key(2), now: now)
            book.remember(device(2), place(2), source: .discovery)
            #expect(book.source(of: place(2), device: device(2)) == .gossip)
            book.disconnected(device(2), now: now, using: &random)
        }
    }

    /// Samples hold this device's record and random others, never the receiver's, none twice.
    @Test mutating func samplesAreRandom() {
        let own = record(1, [place(1)])
        book.setOwn(own)
        for number in UInt8(2)...50 { _ = book.learn(record(number, [place(number)]), now: start) }
        var seen: Set<DeviceID> = []
        for _ in 0..<200 {
            let sample = book.sample(8, for: device(2), knowing: nil, using: &random)
            #expect(sample.count == 8 && Set(sample).count == 8 && sample[0] == device(1))
            seen.formUnion(sample)
        }
        #expect(seen.count == 49)
        #expect(!seen.contains(device(2)))
        #expect(book.sample(100, for: device(2), knowing: nil, using: &random).count == 49)
    }

    /// Whoever has this device's newest record is told those of others alone.
    @Test mutating func ownRecordIsToldOnce() {
        let own = record(1, [place(1)], at: 5)
        book.setOwn(own)
        _ = book.learn(record(3, [place(3)]), now: start)
        #expect(book.sample(1, for: device(2), knowing: 4, using: &random) == [device(1)])
        #expect(book.sample(1, for: device(2), knowing: 6, using: &random) == [device(1)])
        #expect(book.sample(1, for: device(2), knowing: 5, using: &random) == [])
        #expect(book.sample(2, for: device(2), knowing: 5, using: &random) == [device(3)])
        #expect(book.addressesNumber(of: device(2)) == nil)
        _ = book.learn(record(2, [place(2)], at: 7), now: start)
        #expect(book.addressesNumber(of: device(2)) == 7)
    }

    /// Addresses are tried in both families in turn, whatever order they were learned in, IPv4 first.
    @Test mutating func familiesTakeTurns() {
        let old = [PeerAddress(host: "10.0.0.1", port: 1), PeerAddress(host: "10.0.0.2", port: 1)]
        let new = ["fe80::1%2", "fd00::1", "fd00::2"].map { PeerAddress(host: $0, port: 1) }
        book.learn(key(2), old, source: .discovery, now: start)
        book.learn(key(2), new, source: .discovery, now: start)
        #expect(book.due(now: start, using: &random).map(\.addresses) == [[old[0], new[0], old[1], new[1], new[2]]])
    }

    /// A device whose clock was ahead, or whose home was copied, learns that its record is not the newest.
    @Test mutating func outdoneOwnRecordIsMadeAnew() {
        #expect(book.nextOwnNumber(wall: 70) == 70)
        let own = record(1, [place(1)], at: 70)
        book.setOwn(own)
        _ = book.learn(own, now: start)
        #expect(!book.isOwnRecordOutdone)
        let isNews = book.learn(record(1, [place(9)], at: 900), now: start)
        #expect(!isNews && book.isOwnRecordOutdone)
        #expect(book.nextOwnNumber(wall: 71) == 901)
        book.setOwn(record(1, [place(1)], at: 901))
        #expect(!book.isOwnRecordOutdone)
        #expect(book.due(now: start, using: &random).isEmpty)
        // And who sends an old record of itself is told.
        _ = book.learn(record(2, [place(2)], at: 8), now: start)
        #expect(book.isOutdone(record(2, [place(3)], at: 7)))
        #expect(book.record(of: device(2)) == record(2, [], at: 8).signed)
        #expect(!book.isOutdone(record(2, [place(2)], at: 8)))
        #expect(!book.isOutdone(record(2, [], at: 9)))
        #expect(!book.isOutdone(record(3, [], at: 1)))
    }
}
