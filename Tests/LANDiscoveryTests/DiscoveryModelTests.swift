import SyncEngine
import Testing

@testable import LANDiscovery

@Suite struct DiscoveryModelTests {
    @Test func opensBrowserAndRegistrationAndSaysWhenTheyWork() {
        // Shows the start: both operations are opened, and `available` is said once, when the daemon has confirmed.
        var shell = ScriptedShell()
        shell.feed(.start)
        #expect(shell.count { $0 == .browse } == 1)
        #expect(shell.registration?.name == "potluck-0101010101010101")
        #expect(shell.told.isEmpty)
        shell.confirmRegistration()
        shell.confirmRegistration()
        #expect(shell.told == [.available])
    }

    @Test func findsADeviceThroughResolveAndBothQueries() throws {
        // Shows the way from an announcement to one `found`: IPv4 first, link-local IPv6 with its interface, and the
        // references closed once the answers are in.
        var shell = ScriptedShell.running()
        shell.browse("potluck-b", interface: 2)
        shell.browse("potluck-b", interface: 2)
        try shell.resolve("potluck-b", device: 2, port: 5002)
        try shell.answer(.v6, [0xfe, 0x80] + Array(repeating: 0, count: 13) + [7])
        try shell.answer(.v4, [10, 77, 0, 2])
        #expect(shell.told.isEmpty)
        shell.advance(by: .milliseconds(60))
        #expect(shell.told == [found(2, ["10.77.0.2:5002", "[fe80::7%2]:5002"])])
        shell.advance(by: .seconds(1))
        #expect(shell.openOperations.count == 2)
        #expect(shell.told.count == 1)
    }

    @Test func aMissingKindOfAddressDoesNotHoldUpOrFailALookup() throws {
        // Shows that a laptop without IPv6 is told 50 ms after its IPv4 address, and that the query that never
        // answers is closed.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        #expect(shell.told == [found(2, ["10.77.0.2:5002"])])
        #expect(shell.openOperations.count == 4)
        shell.advance(by: .seconds(2))
        #expect(shell.openOperations.count == 2)
    }

    @Test func followedRecordsAreTold() throws {
        // Shows that devices under an older tag, and members under a strange one, are told once their records are
        // followed, and are lost when they are followed no longer.
        var shell = ScriptedShell.running()
        for (name, tag, device) in [("a", UInt8(6), UInt8(2)), ("b", 9, 3), ("c", 9, 4)] {
            shell.browse(name, interface: 2)
            try shell.resolve(name, tag: tag, device: device, port: 5002)
        }
        shell.advance(by: .seconds(60))
        #expect(shell.told.isEmpty)
        let own = [UInt8](repeating: 7, count: 8)
        shell.feed(
            .followed(FollowedRecords(tags: [own, [UInt8](repeating: 6, count: 8)], devicePrefixes: [prefix(3)])))
        for (name, tag, device) in [("a", UInt8(6), UInt8(2)), ("b", 9, 3), ("c", 9, 4)] {
            try shell.resolve(name, tag: tag, device: device, port: 5002)
            guard device != 4 else { continue }
            try shell.answer(.v4, [10, 77, 0, device])
            shell.advance(by: .milliseconds(60))
            shell.advance(by: .seconds(3))
        }
        #expect(Set(shell.told) == [found(2, ["10.77.0.2:5002"]), found(3, ["10.77.0.3:5002"])])
        shell.takeTold()
        shell.feed(.followed(FollowedRecords(tags: [own])))
        for (name, tag, device) in [("a", UInt8(6), UInt8(2)), ("b", 9, 3)] {
            try shell.resolve(name, tag: tag, device: device, port: 5002)
        }
        #expect(Set(shell.told) == [.lost(devicePrefix: prefix(2)), .lost(devicePrefix: prefix(3))])
    }

    @Test func othersAndOneselfAreNotTold() throws {
        // Shows that another gathering, this device itself, records that are not ours and port 0 lead to no query.
        var shell = ScriptedShell.running()
        let strangers: [(String, UInt8, UInt8, UInt16)] = [("a", 9, 2, 5002), ("b", 7, 1, 5001), ("c", 7, 2, 0)]
        for (name, tag, device, port) in strangers {
            shell.browse(name, interface: 2)
            try shell.resolve(name, tag: tag, device: device, port: port)
        }
        shell.browse("d", interface: 2)
        try shell.resolve("d", textRecord: [200, 1, 2])
        shell.advance(by: .seconds(60))
        #expect(shell.told.isEmpty)
        #expect(shell.openOperations.count == 2)
    }

    @Test func lostOnlyWhenGoneFromEveryInterfaceAndForGood() throws {
        // Shows the counting: two protocols on two interfaces are four announcements, and a device that comes back
        // within three seconds was never gone.
        var shell = ScriptedShell.running()
        for interface: UInt32 in [2, 3] {
            shell.browse("potluck-b", interface: interface)
            shell.browse("potluck-b", interface: interface)
            try shell.resolve("potluck-b", device: 2, port: 5002)
            try shell.answer(.v4, [10, 77, 0, 2])
            shell.advance(by: .seconds(2))
        }
        shell.takeTold()
        for interface: UInt32 in [2, 2, 3] { shell.browse("potluck-b", interface: interface, added: false) }
        shell.advance(by: .seconds(5))
        #expect(shell.told.isEmpty)
        shell.browse("potluck-b", interface: 3, added: false)
        shell.advance(by: .seconds(2))
        shell.browse("potluck-b", interface: 3)
        shell.advance(by: .seconds(1))
        #expect(shell.told.isEmpty)
        shell.browse("potluck-b", interface: 3, added: false)
        shell.advance(by: .seconds(4))
        #expect(shell.told == [.lost(devicePrefix: prefix(2))])
    }

    @Test func resolvingAgainFindsANewPort() throws {
        // Shows the remedy for an agent that was killed and restarted on a new port, which raises no event; a second
        // request within a second is done at its end.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        shell.advance(by: .seconds(2))
        shell.takeTold()
        shell.feed(.resolveRequested(devicePrefix: prefix(2)))
        shell.feed(.resolveRequested(devicePrefix: prefix(2)))
        try shell.resolve("potluck-b", device: 2, port: 6002)
        try shell.answer(.v4, [10, 77, 0, 2])
        shell.advance(by: .milliseconds(100))
        #expect(shell.told == [found(2, ["10.77.0.2:6002"])])
    }

    @Test func knownDevicesAreLookedUpNowAndThen() throws {
        // Shows that a change without any event (a laptop with a new address) is found within half a minute.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        shell.advance(by: .seconds(5))
        shell.takeTold()
        shell.advance(by: .seconds(30))
        try shell.resolve("potluck-b", device: 2, port: 5002)
        try shell.answer(.v4, [10, 77, 0, 22])
        shell.advance(by: .milliseconds(100))
        #expect(shell.told == [found(2, ["10.77.0.22:5002"])])
    }

    @Test func aLookupThatFindsNothingIsTriedAgainWithGrowingPauses() throws {
        // Shows the pauses 1, 2, 4, 8, 16, 30, 30 s after resolves that end with the library's "no such name".
        var shell = ScriptedShell.running()
        shell.browse("potluck-b", interface: 2)
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            let resolve = try #require(shell.operation { if case .resolve = $0 { true } else { false } })
            shell.feed(.failed(resolve, .notRunning))
            shell.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(shell.openOperations.count == 2)
            shell.advance(by: .milliseconds(1))
            #expect(shell.openOperations.count == 3)
        }
    }

    @Test func aResolveOrQueryThatNeverAnswersIsClosed() throws {
        // Shows the own timers, for a daemon that stands still and for host names that do not exist.
        var shell = ScriptedShell.running()
        shell.browse("potluck-b", interface: 2)
        shell.advance(by: .milliseconds(8500))
        #expect(shell.openOperations.count == 2)
        shell.advance(by: .seconds(1))
        try shell.resolve("potluck-b", device: 2, port: 5002)
        #expect(shell.openOperations.count == 4)
        shell.advance(by: .milliseconds(5100))
        #expect(shell.openOperations.count == 2)
        #expect(shell.told.isEmpty)
    }

    @Test func lateAnswersOfClosedOperationsFindNothing() throws {
        // Shows that an operation's number is never used again.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        let query = try #require(shell.operation { if case .query(.v4, _, _) = $0 { true } else { false } })
        shell.advance(by: .seconds(3))
        shell.takeTold()
        shell.feed(.address(query, added: true, IPAddress(bytes: [10, 0, 0, 9])!))
        shell.feed(.failed(query, .notRunning))
        shell.advance(by: .seconds(1))
        #expect(shell.told.isEmpty)
        #expect(shell.openOperations.count == 2)
    }

    @Test func manyServicesAreLookedUpAFewAtATime() throws {
        // Shows both bounds: at most 12 lookups hold references, and what a flood announces is not remembered.
        var shell = ScriptedShell.running()
        for number in 0..<1000 { shell.browse("potluck-\(number)", interface: 2) }
        #expect(shell.openOperations.count == 2 + 12)
        var resolvedCount = 0
        while let resolve = shell.operation({ if case .resolve = $0 { true } else { false } }), resolvedCount < 1000 {
            resolvedCount += 1
            let service = ResolvedService(host: "h.local.", port: 1, textRecord: [], interface: 2)
            shell.feed(.resolved(resolve, service))
        }
        #expect(resolvedCount == 256)
        #expect(shell.openCountMax <= 2 + 24)
    }

    @Test func addressesThatLeadNowhereAreDropped() throws {
        // Shows that another host's loopback address is not told, that the loopback interface's is, and that it
        // stands behind the others: two agents on one host.
        var shell = ScriptedShell.running()
        shell.browse("potluck-b", interface: 2)
        try shell.resolve("potluck-b", device: 2, port: 5002)
        for bytes: [UInt8] in [[127, 0, 1, 1], [0, 0, 0, 0], [224, 0, 0, 1], [169, 254, 3, 4]] {
            try shell.answer(.v4, bytes)
        }
        shell.advance(by: .seconds(3))
        #expect(shell.told == [found(2, ["169.254.3.4:5002"])])
        shell.takeTold()
        try shell.discover("potluck-b", device: 2, interface: 1, address: [127, 0, 0, 1])
        #expect(shell.told == [found(2, ["169.254.3.4:5002", "127.0.0.1:5002"])])
    }
}
