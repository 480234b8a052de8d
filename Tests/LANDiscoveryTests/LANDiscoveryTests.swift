import Dispatch
import Glibc
import Logging
import Testing

@testable import LANDiscovery

@Suite struct LANDiscoveryTests {
    @Test(.timeLimit(.minutes(1))) func withoutADaemonItSaysSoAndStillEnds() async throws {
        // Shows the real library without D-Bus: one sentence that names the way out, calls that do no harm, and an
        // end that does not wait for anybody.
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/potluck", 1)
        let discovery = LANDiscovery(
            advertisement: Advertisement(tag: prefix(7), devicePrefix: prefix(1), port: 5001),
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        let events = try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await discovery.run() }
            discovery.refresh()
            discovery.resolveAgain(devicePrefix: prefix(2))
            var events: [DiscoveryEvent] = []
            for await event in discovery.events {
                events.append(event)
                group.cancelAll()
            }
            try await group.waitForAll()
            return events
        }
        #expect(events == [.unavailable(reason: OperationFailure.notRunning.sentence)])
    }

    @Test func theNetworkIsSeenTheSameTwice() {
        // Shows that a snapshot holds nothing that changes by itself, such as counters.
        #expect(NetworkSnapshot() == NetworkSnapshot())
        let queue = DispatchQueue(label: "test")
        let watcher = NetworkWatcher(queue: queue) {}
        #expect(watcher != nil)
        watcher?.stop()
    }
}
