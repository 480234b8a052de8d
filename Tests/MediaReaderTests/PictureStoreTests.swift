import AlbumModel
import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import MediaReader

/// The store of renditions on a disk, with makings that the tests hold in their hand.
struct PictureStoreTests {
    private let scratch = Scratch()

    private var folder: String { "\(scratch.path)/renditions" }
    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
    }

    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    /// Runs a store for as long as `body`.
    private func withStore<Result: Sendable>(
        _ change: (inout RenditionLimits) -> Void = { _ in }, clock: TestClock = TestClock(),
        _ body: (PictureStore) async throws -> Result
    ) async throws -> Result {
        var limits = RenditionLimits()
        change(&limits)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let store = PictureStore(path: folder, limits: limits, logger: logger) { clock.now }
        return try await withThrowingTaskGroup { group in
            group.addTask { try await store.run() }
            let result: Swift.Result<Result, any Error>
            do { result = .success(try await body(store)) } catch { result = .failure(error) }
            group.cancelAll()
            try await group.waitForAll()
            return try result.get()
        }
    }

    /// A making that writes these bytes.
    private func writing(_ bytes: [UInt8], _ count: Recorder<UInt8>? = nil) -> PictureStore.Making {
        { path, _ in
            count?.add(bytes.first ?? 0)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
    }

    private func failing(_ error: any Error, _ count: Recorder<UInt8>) -> PictureStore.Making {
        { path, _ in
            count.add(0)
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
            throw error
        }
    }

    /// Asks until it is there, each time after a change.
    private func made(
        _ store: PictureStore, _ kind: RenditionKind, _ blob: BlobID, _ make: @escaping PictureStore.Making
    ) async throws -> RenditionState {
        var changes = store.changes.makeAsyncIterator()
        while true {
            let state = await store.rendition(kind, of: blob, make: make)
            guard case .making = state else { return state }
            _ = try #require(await changes.next(isolation: nil))
        }
    }

    private func bytes(_ state: RenditionState) throws -> [UInt8] {
        guard case .ready(let file) = state else {
            Issue.record("\(state)")
            return []
        }
        var bytes = [UInt8](repeating: 0, count: Int(file.byteCount))
        try #require(pread(file.descriptor, &bytes, bytes.count, 0) == bytes.count)
        return bytes
    }

    /// A copy without place is kept beside what else was made of its original, and has the original's type.
    @Test(.timeLimit(.minutes(3))) func copiesWithoutPlaceAreOfTheirOwn() async throws {
        for _ in 0..<2 {
            try await withStore { store async throws in
                #expect(try bytes(await made(store, .preview, blob(1), writing([1]))) == [1])
                let state = try await made(store, .placeless, blob(1), writing([2, 2]))
                #expect(try bytes(state) == [2, 2])
                if case .ready(let file) = state { #expect(file.mediaType == nil) }
            }
            #expect(try names.count == 2)
        }
    }

    /// What is asked for is made once, however many ask, and said to be there; then it is handed out at once.
    @Test(.timeLimit(.minutes(3))) func whatIsAskedForIsMadeOnce() async throws {
        let count = Recorder<UInt8>()
        try await withStore { store async throws in
            let gate = Gate()
            let make: PictureStore.Making = { [writing] path, progress in
                progress(0.25)
                await gate.wait()
                try await writing([7, 8, 9], count)(path, progress)
            }
            for _ in 0..<20 {
                guard case .making = await store.rendition(.video, of: blob(1), make: make) else {
                    Issue.record("it is not being made")
                    return
                }
            }
            #expect(await waitFor { await store.progress(.video, blob(1)) == 0.25 })
            #expect(count.values == [])
            gate.open()
            var changes = store.changes.makeAsyncIterator()
            let change = await changes.next(isolation: nil)
            #expect(change == RenditionChange(kind: .video, blob: blob(1), isReady: true))
            let state = await store.rendition(.video, of: blob(1), make: failing(CancellationError(), count))
            #expect(try bytes(state) == [7, 8, 9])
            guard case .ready(let file) = state else { return }
            #expect(file.mediaType == "video/mp4" && file.sha256.count == 64)
            #expect(count.values == [7])
            let names = try names
            #expect(names.count == 1 && names[0].hasPrefix(blob(1).hex + "-video.1-3-"))
        }
    }

    /// Whatever makes pictures and whatever makes films do not wait for each other.
    @Test(.timeLimit(.minutes(3))) func filmsHoldUpNoPicture() async throws {
        try await withStore { store async throws in
            let gate = Gate()
            _ = await store.rendition(.video, of: blob(1)) { _, _ in await gate.wait() }
            #expect(try bytes(await made(store, .preview, blob(1), writing([5]))) == [5])
            gate.open()
        }
    }

    /// The bound holds, what was used longest ago goes, and whoever reads it goes on reading.
    @Test(.timeLimit(.minutes(3))) func theLeastRecentlyUsedGoes() async throws {
        try await withStore({ $0.byteCountMax = 100 }) { store async throws in
            func make(_ number: UInt8) async throws -> RenditionState {
                try await made(store, .preview, blob(number), writing([UInt8](repeating: number, count: 40)))
            }
            _ = try await make(1)
            let second = try await make(2)
            _ = try await make(1)
            _ = try await make(3)
            #expect(store.byteCount == 80)
            #expect(await eventually { (try? names.count) == 2 })
            #expect(try names.map { $0.prefix(64) } == [1, 3].map { blob($0).hex.prefix(64) })
            #expect(try bytes(second) == [UInt8](repeating: 2, count: 40))
            // What is larger than all there is room for is refused, and the rest stays.
            let state = try await made(store, .preview, blob(4), writing([UInt8](repeating: 4, count: 101)))
            guard case .failed(let reason) = state else {
                Issue.record("\(state)")
                return
            }
            #expect(reason == "What was prepared of it is too large to be kept.")
            #expect(try names.count == 2 && store.byteCount == 80)
        }
    }

    /// A new start finds what is there, in the order of its use, removes what is not its own, and knows torn files by their
    /// length at once and by their bytes when they are asked for.
    @Test(.timeLimit(.minutes(3))) func aRestartKeepsWhatIsWhole() async throws {
        try await withStore { store async throws in
            for number in 1...4 as ClosedRange<UInt8> {
                _ = try await made(store, .preview, blob(number), writing([UInt8](repeating: number, count: 1000)))
            }
        }
        let before = try names
        for (index, name) in before.enumerated() {
            let path = "\(folder)/\(name)"
            if index == 1 { truncate(path, 999) }
            if index == 2 { try Data([UInt8](repeating: 0, count: 1000)).write(to: URL(fileURLWithPath: path)) }
            // The first was used last.
            let times = [Int](repeating: 1_700_000_000 - index * 60, count: 2).map { timespec(tv_sec: $0, tv_nsec: 0) }
            utimensat(AT_FDCWD, path, times, 0)
        }
        for name in ["making-1", "notes.txt", "\(blob(9).hex)-preview.0-3-abc"] {
            try Data([1, 2, 3]).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let count = Recorder<UInt8>()
        try await withStore({ $0.byteCountMax = 3000 }) { store async throws in
            #expect(try bytes(await made(store, .preview, blob(1), writing([1], count))).count == 1000)
            #expect(try names == [before[0], before[2], before[3]])
            #expect(try bytes(await made(store, .preview, blob(2), writing([2], count))) == [2])
            #expect(try bytes(await made(store, .preview, blob(3), writing([3], count))) == [3])
            #expect(count.values == [2, 3])
            // The fourth was used before all others.
            _ = try await made(store, .preview, blob(5), writing([UInt8](repeating: 5, count: 1500)))
            #expect(await eventually { (try? names.contains(before[3])) == false })
            #expect(store.byteCount == 2502)
        }
    }

    /// A damaged photo is not tried at each look, but again after some minutes; what the machine could not do, sooner.
    @Test(.timeLimit(.minutes(3))) func failuresAreRemembered() async throws {
        let clock = TestClock(), count = Recorder<UInt8>()
        let damaged = MediaError(.unreadable, "It cannot be read: it is damaged.")
        try await withStore(clock: clock) { store async throws in
            for _ in 0..<3 {
                let state = try await made(store, .preview, blob(1), failing(damaged, count))
                guard case .failed(let reason) = state else {
                    Issue.record("\(state)")
                    return
                }
                #expect(reason == "It cannot be read: it is damaged.")
            }
            #expect(count.values.count == 1)
            _ = try await made(store, .preview, blob(2), failing(POSIXError(.ENOSPC), count))
            #expect(count.values.count == 2)
            clock.advance(by: .seconds(31))
            #expect(try bytes(await made(store, .preview, blob(2), writing([2]))) == [2])
            guard case .failed = await store.rendition(.preview, of: blob(1), make: writing([1])) else {
                Issue.record("it was forgotten")
                return
            }
            clock.advance(by: .seconds(600))
            #expect(try bytes(await made(store, .preview, blob(1), writing([1]))) == [1])
            #expect(try names.count == 2)
        }
    }

    /// One that made nothing, or an empty file, is a failure.
    @Test(.timeLimit(.minutes(3))) func nothingIsNoRendition() async throws {
        try await withStore { store async throws in
            for (number, make) in [(1, writing([])), (2, { _, _ in })] as [(UInt8, PictureStore.Making)] {
                guard case .failed = try await made(store, .preview, blob(number), make) else {
                    Issue.record("\(number)")
                    return
                }
            }
            #expect(try names == [])
        }
    }

    /// Whoever goes away while asking takes nothing with them.
    @Test(.timeLimit(.minutes(3))) func cancelledAskersHarmNothing() async throws {
        try await withStore { store async throws in
            _ = try await made(store, .preview, blob(1), writing([1]))
            let before = try names
            await withTaskGroup(of: Void.self) { group in
                group.cancelAll()
                for _ in 0..<20 {
                    group.addTask { _ = await store.rendition(.preview, of: blob(1), make: writing([2])) }
                }
            }
            #expect(try names == before)
            #expect(try bytes(await store.rendition(.preview, of: blob(1), make: writing([3]))) == [1])
        }
    }

    /// Those that wait are bounded.
    @Test(.timeLimit(.minutes(3))) func theQueueIsBounded() async throws {
        try await withStore({ $0.previewWaitingCountMax = 2 }) { store async throws in
            let gate = Gate(), begun = Gate()
            _ = await store.rendition(.preview, of: blob(1)) { _, _ in
                begun.open()
                await gate.wait()
            }
            await begun.wait()
            for number in 2...3 as ClosedRange<UInt8> {
                _ = await store.rendition(.preview, of: blob(number), make: writing([number]))
            }
            guard case .busy = await store.rendition(.preview, of: blob(4), make: writing([4])) else {
                Issue.record("it is not busy")
                return
            }
            gate.open()
            #expect(try bytes(await made(store, .preview, blob(3), writing([9]))) == [3])
        }
    }

    /// Of a photo that is to be seen no more nothing stays, and its making is ended.
    @Test(.timeLimit(.minutes(3))) func originalsAreForgotten() async throws {
        try await withStore { store async throws in
            _ = try await made(store, .preview, blob(1), writing([1]))
            let begun = Gate(), ended = Gate()
            _ = await store.rendition(.video, of: blob(1)) { path, _ in
                try Data([1]).write(to: URL(fileURLWithPath: path))
                begun.open()
                // Ends with the task.
                await Gate().wait()
                ended.open()
                try Task.checkCancellation()
            }
            await begun.wait()
            await store.remove(blob(1))
            await ended.wait()
            #expect(await eventually { (try? names) == [] })
            #expect(store.byteCount == 0)
            #expect(try bytes(await made(store, .video, blob(1), writing([2]))) == [2])
        }
    }

    /// A store that ends ends what it is making, and tells whoever asks; one that has no directory tells as well.
    @Test(.timeLimit(.minutes(3))) func theEndIsTold() async throws {
        let begun = Gate()
        let store = try await withStore { store async throws -> PictureStore in
            _ = await store.rendition(.video, of: blob(1)) { path, _ in
                try Data([1]).write(to: URL(fileURLWithPath: path))
                begun.open()
                await Gate().wait()
                try Task.checkCancellation()
            }
            await begun.wait()
            return store
        }
        guard case .failed(let reason) = await store.rendition(.preview, of: blob(1), make: writing([1])) else {
            Issue.record("it goes on")
            return
        }
        #expect(reason.contains("stopping"))
        #expect(try names == [])

        try FileManager.default.removeItem(atPath: folder)
        _ = try scratch.file("renditions", [1])
        try await withStore { store async throws in
            #expect(await waitFor { await store.isFailing(blob(1)) })
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder)) == Data([1]))
    }

    /// With a real reader: a photo's preview and a film, made and kept.
    @Test(
        .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
        .timeLimit(.minutes(3)))
    func readersMakeThem() async throws {
        let photo = try scratch.file("a.png", Fixture.png(width: 300, height: 200))
        let broken = try scratch.file("b.jpg", [0xFF, 0xD8, 0xFF, 0xE0, 0, 16])
        try await withReader { reader async throws in
            try await withStore { store async throws in
                let state = try await made(store, .preview, blob(1)) { path, _ in
                    try await reader.preview(of: photo, into: path)
                }
                #expect(try bytes(state).starts(with: [0xFF, 0xD8, 0xFF]))
                let failed = try await made(store, .preview, blob(2)) { path, _ in
                    try await reader.preview(of: broken, into: path)
                }
                guard case .failed(let reason) = failed else {
                    Issue.record("\(failed)")
                    return
                }
                #expect(reason.hasPrefix("It cannot be read: "))
            }
        }
    }
}

extension PictureStore {
    /// Of what is being made.
    fileprivate func progress(_ kind: RenditionKind, _ blob: BlobID) async -> Double? {
        guard case .making(let progress) = await rendition(kind, of: blob, make: { _, _ in }) else { return nil }
        return progress
    }

    fileprivate func isFailing(_ blob: BlobID) async -> Bool {
        guard case .failed = await rendition(.preview, of: blob, make: { _, _ in }) else { return false }
        return true
    }
}

/// Waits until something is so that only another task knows, at most 20 seconds.
private func waitFor(_ condition: () async -> Bool) async -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(20))
    while await !condition() {
        guard ContinuousClock.now < end else { return false }
        await Task.yield()
    }
    return true
}

/// Lets through whoever waits, once it has been opened or their task is cancelled.
private final class Gate: Sendable {
    private let stream: AsyncStream<Never>
    private let continuation: AsyncStream<Never>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

/// A clock that goes when it is told.
private final class TestClock: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    var now: ContinuousClock.Instant { instant.withLock { $0 } }

    func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
}
