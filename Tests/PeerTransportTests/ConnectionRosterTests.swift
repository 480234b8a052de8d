import AlbumModel
import TestSupport
import Testing

@testable import PeerTransport

/// Admitted connections are few, and those of members that have none come first.
struct ConnectionRosterTests {
    private func device(_ number: UInt8) -> DeviceID { DeviceID(bytes: [UInt8](repeating: number, count: 32))! }

    /// A third connection of a device takes the place of the first that has not greeted, else of the first.
    @Test func deviceHasTwoConnections() throws {
        var (roster, random) = (ConnectionRoster(limits: TransportLimits()), SplitMix(state: 1))
        let first = try #require(roster.enter(device(1), using: &random))
        let second = try #require(roster.enter(device(1), using: &random))
        #expect(first.insteadOf.isEmpty && second.insteadOf.isEmpty)
        roster.noteGreeted(first.number)
        let third = try #require(roster.enter(device(1), using: &random))
        #expect(third.insteadOf == [second.number])
        roster.noteGreeted(third.number)
        let fourth = try #require(roster.enter(device(1), using: &random))
        #expect(fourth.insteadOf == [first.number])
        #expect(roster.count == 2)
    }

    /// Whoever says nothing makes room for the next, one at random; whoever has greeted stays.
    @Test func ungreetedConnectionsMakeRoom() throws {
        var limits = TransportLimits()
        limits.ungreetedCountMax = 8
        var leavers: Set<ConnectionRoster.Number> = []
        for seed in 0..<50 {
            var (roster, random) = (ConnectionRoster(limits: limits), SplitMix(state: UInt64(seed)))
            let member = try #require(roster.enter(device(0), using: &random))
            roster.noteGreeted(member.number)
            for number in 1...8 { #expect(roster.enter(device(UInt8(number)), using: &random)?.insteadOf == []) }
            let late = try #require(roster.enter(device(9), using: &random))
            #expect(late.insteadOf.count == 1 && !late.insteadOf.contains(member.number))
            leavers.formUnion(late.insteadOf)
            #expect(roster.count == 9)
        }
        #expect(leavers.count > 4)
    }

    /// Where all are taken a second connection is turned away, and makes room for a device that has none; so does one
    /// that is being closed, before all others.
    @Test func fullRosterPrefersWhoHasNone() throws {
        var limits = TransportLimits()
        limits.connectionCountMax = 4
        var (roster, random) = (ConnectionRoster(limits: limits), SplitMix(state: 1))
        var numbers: [ConnectionRoster.Number] = []
        for number in [1, 2, 3, 3] as [UInt8] {
            numbers.append(try #require(roster.enter(device(number), using: &random)).number)
            roster.noteGreeted(numbers.last!)
        }
        #expect(roster.enter(device(1), using: &random) == nil)
        let fourth = try #require(roster.enter(device(4), using: &random))
        #expect(fourth.insteadOf == [numbers[3]])
        roster.noteGreeted(fourth.number)
        // Members alone, each once: nobody is cut off for another.
        #expect(roster.enter(device(5), using: &random) == nil)
        roster.noteClosing(numbers[0])
        #expect(roster.enter(device(5), using: &random)?.insteadOf == [numbers[0]])
        #expect(roster.count == 4)
    }
}
