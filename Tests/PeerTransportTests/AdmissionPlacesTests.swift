import AlbumModel
import NIOCore
import TestSupport
import Testing

@testable import PeerTransport

/// Strangers may try what they like: whoever has the phrase gets a place, and keeps it for as long as admission takes.
struct AdmissionPlacesTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    private func source(_ host: String) throws -> Source {
        Source(try SocketAddress(ipAddress: host, port: 1))
    }

    /// The stranger's address of this number.
    private func strangers(_ number: Int) throws -> Source { try source("10.1.\(number / 250).\(number % 250 + 1)") }

    private func number(_ entry: AdmissionPlaces.Entry) -> AdmissionPlaces.Number? {
        if case .taken(let number, _) = entry { number } else { nil }
    }

    /// Four of one address have places. A fifth is turned away at once, and gets in where one of them had its time.
    @Test func placesOfAnAddressAreLimited() throws {
        var (places, random) = (AdmissionPlaces(limits: TransportLimits()), SplitMix(state: 1))
        let crowd = try source("10.0.0.1")
        let taken = (0..<4).compactMap { _ in number(places.enter(crowd, now: start, using: &random)) }
        #expect(taken.count == 4)
        #expect(places.enter(crowd, now: start + .milliseconds(900), using: &random) == .refused)
        guard case .taken(_, let instead?) = places.enter(crowd, now: start + .seconds(1), using: &random) else {
            Issue.record("the fifth has no place, or one that was free")
            return
        }
        #expect(taken.contains(instead))
        #expect(places.count == 4)
        places.leave(taken.first { $0 != instead }!)
        #expect(number(places.enter(crowd, now: start + .milliseconds(1_100), using: &random)) != nil)
        #expect(places.count == 4)
    }

    /// However many addresses a host takes of its /64, it has four places, also among link-local ones.
    @Test(arguments: ["2001:db8::", "fe80::"])
    func addressesOfOneHostShareTheirPlaces(_ prefix: String) throws {
        var (places, random) = (AdmissionPlaces(limits: TransportLimits()), SplitMix(state: 1))
        for host in 1...100 { _ = places.enter(try source("\(prefix)\(host)"), now: start, using: &random) }
        #expect(places.count == 4)
    }

    /// Two hundred and fifty addresses hold all places for minutes, each connecting anew as soon as it is closed. A
    /// member that nobody knows gets one within five attempts, half a second apart, and keeps it for a second; a known
    /// device keeps the one that it has, and a known address has one at once.
    @Test(.slow, arguments: 0..<10)
    func crowdLocksNobodyOut(_ seed: Int) throws {
        var (places, random) = (AdmissionPlaces(limits: TransportLimits()), SplitMix(state: UInt64(seed)))
        let known = try source("10.0.0.7")
        places.noteKnown(known)
        var held: [AdmissionPlaces.Number: Int] = [:]
        var waiting = Array(repeating: 0..<250, count: 4).flatMap(\.self)
        var member: (number: AdmissionPlaces.Number, until: NIODeadline)?
        var (attemptCount, admittedCount, knownCount) = (0, 0, 0)
        for millisecond in 0..<10_000 {
            let now = start + .milliseconds(Int64(millisecond))
            // Ten connections a millisecond, of whoever has none.
            for _ in 0..<min(10, waiting.count) {
                let host = waiting.remove(at: Int.random(in: waiting.indices, using: &random))
                guard case .taken(let number, let instead) = places.enter(try strangers(host), now: now, using: &random)
                else {
                    waiting.append(host)
                    continue
                }
                held[number] = host
                if let instead, let other = held.removeValue(forKey: instead) { waiting.append(other) }
                if let instead { #expect(instead != member?.number, "crowded out within a second") }
            }
            if let current = member, now >= current.until {
                places.leave(current.number)
                (member, attemptCount) = (nil, 0)
                admittedCount += 1
            }
            guard millisecond >= 1_000, millisecond % 500 == 0 else { continue }
            let entry = places.enter(known, now: now, using: &random)
            if let number = number(entry) {
                knownCount += 1
                places.leave(number)
            }
            guard member == nil else { continue }
            attemptCount += 1
            #expect(attemptCount <= 5)
            guard case .taken(let number, let instead) = places.enter(try source("10.0.0.9"), now: now, using: &random)
            else { continue }
            if let instead, let other = held.removeValue(forKey: instead) { waiting.append(other) }
            member = (number, now + .seconds(1))
        }
        #expect(held.count >= TransportLimits().unadmittedCountMax - 1)
        #expect(admittedCount >= 4)
        #expect(knownCount == 18)
    }

    /// Strangers that come once each and say nothing hold all places: who comes then waits a second at most, and takes
    /// the place of one at random.
    @Test func whoHadItsTimeMakesRoom() throws {
        var limits = TransportLimits()
        (limits.unadmittedCountMax, limits.strangerBurst) = (20, 1_000)
        var crowdedOut: Set<AdmissionPlaces.Number> = []
        for seed in 0..<50 {
            var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: UInt64(seed)))
            for host in 0..<20 { _ = places.enter(try strangers(host), now: start, using: &random) }
            let late = try source("10.0.0.9")
            #expect(places.enter(late, now: start + .milliseconds(900), using: &random) == .refused)
            guard case .taken(_, let instead?) = places.enter(late, now: start + .seconds(1), using: &random) else {
                Issue.record("nobody made room")
                return
            }
            crowdedOut.insert(instead)
        }
        #expect(crowdedOut.count > 10)
    }

    /// Whose place went to another connection is told so when it is about to be admitted; whoever left its place makes
    /// room for nobody.
    @Test func whoMadeRoomLearnsIt() throws {
        var limits = TransportLimits()
        (limits.unadmittedCountMax, limits.admissionPatience) = (1, .zero)
        var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: 1))
        let sources = try (1...3).map { try source("10.0.0.\($0)") }
        let first = try #require(number(places.enter(sources[0], now: start, using: &random)))
        guard case .taken(let second, first) = places.enter(sources[1], now: start, using: &random) else {
            Issue.record("nobody made room")
            return
        }
        let left = [first, second, second].map { places.leave($0) }
        #expect(left == [false, true, false])
        #expect(places.count == 0)
        let third = places.enter(sources[2], now: start, using: &random)
        #expect(third == .taken(second + 1, insteadOf: nil))
    }

    /// Who has shown a known device's key is moved to the reserve: no stranger takes its place, and of one device two
    /// at a time are there.
    @Test func knownDevicesKeepTheirPlaces() throws {
        var limits = TransportLimits()
        (limits.unadmittedCountMax, limits.strangerBurst, limits.insistentRate) = (4, 10_000, 10_000)
        var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: 3))
        let device = DeviceIdentity().deviceID
        let numbers = try (0..<3).compactMap { host in
            number(places.enter(try source("10.0.0.\(host)"), now: start, using: &random))
        }
        #expect(places.recognise(numbers[0], as: device, using: &random) == nil)
        #expect(places.recognise(numbers[1], as: device, using: &random) == nil)
        #expect(places.recognise(numbers[2], as: device, using: &random) == numbers[0])
        for round in 0..<100 {
            for host in 0..<50 {
                let now = start + .seconds(Int64(round))
                guard case .taken(_, let instead?) = places.enter(try strangers(host), now: now, using: &random) else {
                    continue
                }
                #expect(!numbers.contains(instead))
            }
        }
        #expect(places.count == 6)
    }

    /// The reserve is bounded too: whoever comes from a known address when it is full is counted with the strangers.
    @Test func reserveIsBounded() throws {
        var limits = TransportLimits()
        (limits.reservedCountMax, limits.unadmittedCountMax) = (4, 4)
        var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: 1))
        for host in 0..<20 {
            let source = try strangers(host)
            places.noteKnown(source)
            _ = places.enter(source, now: start, using: &random)
        }
        #expect(places.count == 8)
    }

    /// Strangers come so often at most, whoever they are; after a while as many may come again.
    @Test func strangersHaveARate() throws {
        var limits = TransportLimits()
        (limits.strangerRate, limits.strangerBurst) = (10, 20)
        var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: 1))
        func takenCount(_ hosts: Range<Int>, after time: TimeAmount) throws -> Int {
            try hosts.count { host in
                guard let number = number(places.enter(try strangers(host), now: start + time, using: &random)) else {
                    return false
                }
                places.leave(number)
                return true
            }
        }
        #expect(try takenCount(0..<50, after: .zero) == 20)
        #expect(try takenCount(50..<100, after: .seconds(1)) == 10)
        #expect(try takenCount(100..<150, after: .seconds(60)) == 20)
    }

    /// Attempts of so many networks are counted. With those of one more, networks whose attempts are forgotten by then go
    /// first, and where none are, all go: whoever insisted counts as new.
    @Test func countedNetworksAreBounded() throws {
        var limits = TransportLimits()
        (limits.attemptNetworkCountMax, limits.insistentRate) = (20, 1)
        var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: 1))
        let insistent = try source("10.0.0.9")
        let others = try (0..<20).map { try strangers($0) }
        func isTaken(_ source: Source, after time: TimeAmount = .zero) -> Bool {
            guard let number = number(places.enter(source, now: start + time, using: &random)) else { return false }
            places.leave(number)
            return true
        }
        // Beyond the fourth at one time, attempts have one place a second.
        #expect((0..<6).map { _ in isTaken(insistent) } == [true, true, true, true, true, false])
        for other in others.dropLast() { #expect(isTaken(other)) }
        #expect(places.attemptNetworkCount == 20 && !isTaken(insistent))
        #expect(isTaken(others[19]))
        #expect(places.attemptNetworkCount == 0)
        #expect((0..<4).map { _ in isTaken(insistent) } == [true, true, true, true])

        for _ in 0..<10 { _ = isTaken(insistent) }
        for other in others.dropLast() { #expect(isTaken(other)) }
        #expect(places.attemptNetworkCount == 20)
        #expect(isTaken(others[19], after: .seconds(3)))
        #expect(places.attemptNetworkCount == 2)
        #expect((0..<2).map { _ in isTaken(insistent, after: .seconds(3)) } == [true, false])
    }

    /// So many addresses from which somebody was admitted are remembered; the oldest makes room for another, and is a
    /// stranger's again.
    @Test func knownAddressesAreBounded() throws {
        var limits = TransportLimits()
        (limits.knownHostCountMax, limits.unadmittedCountMax) = (3, 0)
        var (places, random) = (AdmissionPlaces(limits: limits), SplitMix(state: 1))
        let hosts = try (0..<4).map { try strangers($0) }
        // Strangers have no places here at all.
        func isKnown(_ source: Source) -> Bool {
            guard let number = number(places.enter(source, now: start, using: &random)) else { return false }
            places.leave(number)
            return true
        }
        for host in hosts.prefix(3) + hosts.prefix(1) { places.noteKnown(host) }
        #expect(hosts.map { isKnown($0) } == [true, true, true, false])
        places.noteKnown(hosts[3])
        #expect(hosts.map { isKnown($0) } == [false, true, true, true])
    }
}
