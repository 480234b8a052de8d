import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@testable import LANDiscovery

@Suite struct ReadWatchTests {
    /// Shows that Dispatch has let go of a descriptor when `stop` says so, and that nothing is told after `stop`: who
    /// closes it earlier makes Dispatch serve a hang-up, which now and then ends the process.
    @Test(.timeLimit(.minutes(1))) func nothingWatchesADescriptorThatMayBeClosed() async throws {
        let queue = DispatchQueue(label: "test")
        for _ in 0..<200 {
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            let (near, far) = (ends[0], ends[1])
            let isStopped = Mutex(false)
            let (spoke, speaker) = AsyncStream.makeStream(of: Bool.self)
            let watch = ReadWatch(descriptor: near, queue: queue) {
                #expect(!isStopped.withLock { $0 })
                speaker.finish()
            }
            #expect(write(far, "x", 1) == 1)
            for await _ in spoke {}
            #expect(Self.watchedDescriptors().contains(near))

            nonisolated(unsafe) let stopping = watch
            await withCheckedContinuation { continuation in
                queue.async {
                    isStopped.withLock { $0 = true }
                    stopping.stop { continuation.resume() }
                }
            }
            #expect(!Self.watchedDescriptors().contains(near))
            close(far)
            close(near)
        }
    }

    /// All that this process watches by epoll(7), as the kernel lists it.
    private static func watchedDescriptors() -> Set<Int32> {
        let directory = "/proc/self/fdinfo"
        let texts = ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).compactMap {
            try? String(contentsOfFile: "\(directory)/\($0)", encoding: .utf8)
        }
        let watched = texts.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("tfd:") }
        return Set(watched.compactMap { Int32($0.split(whereSeparator: \.isWhitespace)[1]) })
    }
}
