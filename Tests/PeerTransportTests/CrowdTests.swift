import AlbumModel
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import PeerTransport

/// Strangers hold every place that they can get; whoever has the phrase comes in all the same.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CrowdTests {
    /// A stranger with ten addresses, and one with 250, connects from each four times at once, says nothing, and
    /// connects again as soon as it is closed. A member whom nobody knows is admitted within five attempts, each with
    /// what a dial has of time; so is a device that was admitted before, from an address where it never was; and from
    /// the member's own address the first attempt is enough.
    @Test(arguments: [10, 250])
    func strangersLockNobodyOut(_ addressCount: Int) async throws {
        try await Site.run { site in
            try await Crowd.run(at: site, addressCount: addressCount) { crowd in
                let places = min(4 * addressCount, TransportLimits().unadmittedCountMax)
                try await eventually { site.transport.core.inboundCounts.unadmitted >= places }
                // By now the crowd has shown that it insists; ten addresses find places enough and need not.
                if addressCount > 32 { try await eventually { crowd.closedCount >= 16 * addressCount } }
                let identity = DeviceIdentity()
                try await Site.run(identity: identity) { member in
                    let attemptCount = try await attempts {
                        _ = try await member.transport.dial([site.address], expecting: .device(site.identity.deviceID))
                    }
                    #expect(attemptCount <= 5)
                    let again = try await attempts {
                        _ = try await member.transport.dial([site.address], expecting: .device(site.identity.deviceID))
                    }
                    #expect(again == 1)
                }
                let elsewhere = try await attempts {
                    let raw = try await RawPeer.connect(to: site, .certificate(identity), from: "127.0.9.9")
                    try await raw.admit(identity: identity, secrets: .test(1))
                }
                #expect(elsewhere <= 5)
            }
        }
    }

    /// How many times it took.
    private func attempts(_ body: () async throws -> Void) async throws -> Int {
        var count = 0
        while true {
            count += 1
            do {
                try await body()
                return count
            } catch {
                try Task.checkCancellation()
                guard count < 20 else { throw error }
            }
        }
    }
}

/// A stranger with many addresses.
private final class Crowd: Sendable {
    private let closed = Atomic(0)

    /// Connections of the crowd that were ended.
    var closedCount: Int { closed.load(ordering: .relaxed) }

    static func run(at site: Site, addressCount: Int, _ body: @Sendable (Crowd) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let crowd = Crowd()
        do {
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<addressCount {
                    let host = "127.0.\(4 + number / 250).\(number % 250 + 1)"
                    for _ in 0..<4 { tasks.addTask { try await crowd.hold(site, from: host, group) } }
                }
                try await body(crowd)
                tasks.cancelAll()
                // They end as the cancelled do.
                while let _ = await tasks.nextResult() {}
            }
            try await group.shutdownGracefully()
        } catch {
            try await group.shutdownGracefully()
            throw error
        }
    }

    private func hold(_ site: Site, from host: String, _ group: MultiThreadedEventLoopGroup) async throws {
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(site.port))
        while !Task.isCancelled {
            // A connection that is refused was ended as well.
            let channel = try? await ClientBootstrap(group: group)
                .bind(to: SocketAddress(ipAddress: host, port: 0)).connect(to: address).get()
            await withTaskCancellationHandler {
                try? await channel?.closeFuture.get()
            } onCancel: {
                channel?.close(promise: nil)
            }
            closed.add(1, ordering: .relaxed)
        }
    }
}
