import SyncEngine
import Testing

@testable import LANDiscovery

@Suite struct DiscoveryOutageTests {
    @Test func anOutageIsToldOnceAndRetriedWithGrowingPauses() throws {
        // Shows 1, 2, 4, 8, 16, 30, 30 s between tries without a daemon, one sentence for all of it, and one
        // `available` at its end.
        var shell = ScriptedShell()
        shell.feed(.start)
        for seconds in [1, 2, 4, 8, 16, 30, 30] {
            shell.feed(.failed(try #require(shell.operation { $0 == .browse }), .notRunning))
            #expect(shell.openOperations.isEmpty)
            shell.advance(by: .seconds(seconds) - .milliseconds(1))
            #expect(shell.openOperations.isEmpty)
            shell.advance(by: .milliseconds(1))
            #expect(shell.openOperations.count == 2)
        }
        #expect(shell.told == [.unavailable(reason: OperationFailure.notRunning.sentence)])
        shell.confirmRegistration()
        #expect(shell.told.last == .available)
        #expect(shell.told.count == 2)
    }

    @Test(arguments: [OperationFailure.notRunning, .notAnswering, .tooManyConnections])
    func theReasonTellsWhatToDo(failure: OperationFailure) {
        // Shows that every reason names the way that works without Avahi.
        #expect(failure.sentence.contains("--peer HOST:PORT"))
    }

    @Test func whenTheDaemonGoesEveryOperationIsClosedAndDevicesAreKept() throws {
        // Shows that a restarted daemon costs nobody a `lost`: devices that show up again within ten seconds of its
        // return are kept silently, others are lost then.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        try shell.discover("potluck-c", device: 3)
        shell.takeTold()
        shell.failRegistration(.notRunning)
        #expect(shell.openOperations.isEmpty)
        shell.advance(by: .seconds(1))
        shell.confirmRegistration()
        #expect(shell.told == [.unavailable(reason: OperationFailure.notRunning.sentence), .available])
        shell.takeTold()
        try shell.discover("potluck-b", device: 2)
        shell.advance(by: .seconds(6))
        #expect(shell.told.isEmpty)
        shell.advance(by: .seconds(1))
        #expect(shell.told == [.lost(devicePrefix: prefix(3))])
    }

    @Test func aLongOutageLosesNobody() throws {
        // Shows that no daemon, or one that stands still for a while, is no proof of absence.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        shell.takeTold()
        shell.failRegistration(.notRunning)
        for _ in 0..<100 {
            shell.advance(by: .seconds(30))
            if let browse = shell.operation({ $0 == .browse }) { shell.feed(.failed(browse, .notRunning)) }
        }
        #expect(shell.told == [.unavailable(reason: OperationFailure.notRunning.sentence)])
    }

    @Test func aRegistrationThatIsNeverConfirmedIsAnOutage() {
        // Shows that a daemon which accepts everything and does nothing is noticed.
        var shell = ScriptedShell()
        shell.feed(.start)
        shell.advance(by: .seconds(30))
        #expect(shell.told == [.unavailable(reason: OperationFailure.notAnswering.sentence)])
    }

    @Test func aTakenNameIsReplacedWithoutAnOutage() {
        // Shows that another program that holds the name on this host does no harm.
        var shell = ScriptedShell()
        shell.feed(.start)
        shell.failRegistration(.nameTaken)
        #expect(shell.registration == nil)
        shell.advance(by: .seconds(1))
        #expect(shell.registration?.name == "potluck-0101010101010101-2")
        shell.confirmRegistration()
        #expect(shell.told == [.available])
    }

    @Test func aChangedNetworkRegistersAnewOncePerBurst() throws {
        // Shows the settling second, one registration for many changes, the old one taken back first, and the five
        // seconds between two.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        shell.advance(by: .seconds(10))
        let before = try #require(shell.registration?.id)
        shell.takeTold()
        for _ in 0..<5 { shell.feed(.networkChanged) }
        #expect(shell.registration?.id == before)
        #expect(shell.told.isEmpty)
        shell.advance(by: .seconds(1))
        #expect(shell.takeTold() == [.networkChanged])
        let after = try #require(shell.registration?.id)
        #expect(after != before)
        #expect(shell.count { if case .register = $0 { true } else { false } } == 1)
        shell.feed(.networkChanged)
        shell.advance(by: .seconds(4))
        #expect(shell.registration?.id == after)
        shell.advance(by: .seconds(1))
        #expect(shell.registration?.id != after)
    }

    @Test func aChangedNetworkLooksUpWhoIsNotConnected() throws {
        // Shows that devices are looked up when somebody says which of them are not connected, and never this one;
        // that nothing else is paid for a network that comes and goes.
        var shell = ScriptedShell.running()
        for device: UInt8 in [1, 2, 3] {
            try shell.discover("potluck-\(device)", device: device)
            shell.advance(by: .seconds(3))
        }
        func resolves() -> [String] {
            shell.openOperations.values.compactMap { if case .resolve(let key) = $0 { key.name } else { nil } }.sorted()
        }
        shell.feed(.networkChanged)
        shell.advance(by: .seconds(1))
        #expect(resolves().isEmpty)
        shell.feed(.lookRequested(except: [prefix(2)]))
        #expect(resolves() == ["potluck-3"])
        shell.feed(.lookRequested(except: []))
        #expect(resolves() == ["potluck-2", "potluck-3"])
    }

    @Test func aRefreshLooksUpAllOthers() throws {
        // Shows the remedy for a network that lost packets in silence.
        var shell = ScriptedShell.running()
        try shell.discover("potluck-b", device: 2)
        shell.feed(.refreshRequested)
        shell.advance(by: .seconds(28))
        #expect(shell.count { if case .resolve = $0 { true } else { false } } == 1)
    }

    @Test func refreshIsRateLimitedAndNotForgotten() throws {
        // Shows that an agent which asks all the time costs one registration in 30 s, and that what it asked is done.
        var shell = ScriptedShell.running()
        let first = try #require(shell.registration?.id)
        for _ in 0..<29 {
            shell.feed(.refreshRequested)
            shell.advance(by: .seconds(1))
        }
        #expect(shell.registration?.id == first)
        shell.advance(by: .seconds(2))
        #expect(shell.registration?.id != first)
        shell.confirmRegistration()
        let second = shell.registration?.id
        shell.advance(by: .seconds(120))
        #expect(shell.registration?.id == second)
    }
}
