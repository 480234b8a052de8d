import AlbumModel
import Foundation
import Testing

@testable import MediaReader

/// What becomes of workers: killed, stuck, lied to, idle, orphaned.
@Suite(.enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"))
struct WorkerLifeTests {
    private let scratch = Scratch()

    /// A black TIFF of so many pixels a side, most of it a hole: takes long to go through, and next to no disk.
    private func longFile(_ name: String, side: Int = 12_000) throws -> MediaFile {
        let (header, byteCount) = Fixture.blackTIFF(side: side)
        return try scratch.file(name, header, byteCount: byteCount)
    }

    private func settings(_ change: (inout MediaReaderSettings) -> Void = { _ in }) -> MediaReaderSettings {
        Machine.settings { settings in
            // The decoder alone, so that each step is its.
            (settings.exifTool, settings.ffmpeg, settings.ffprobe) = (nil, nil, nil)
            settings.workerCount = 1
            change(&settings)
        }
    }

    /// Whoever kills a worker in the midst of a file keeps nobody from reading it: a fresh worker does.
    @Test(.timeLimit(.minutes(3))) func aKilledWorkerIsReplaced() async throws {
        let file = try longFile("a.tif")
        try await withReader(settings()) { reader in
            async let reading = reader.read(file)
            #expect(await eventually { reader.processes.contains { $0.processorTime > .milliseconds(200) } })
            let first = reader.processes.first
            first?.kill()
            #expect(await reading.thumbnail != nil)
            #expect(reader.processes.first?.number != first?.number)
        }
    }

    /// A file that takes longer than is allowed three times is given up, in words; others are read meanwhile and after.
    @Test(.timeLimit(.minutes(3))) func aFileHasThreeStrikes() async throws {
        let bad = try longFile("bad.tif", side: 50_000)
        let good = try scratch.file("good.png", Fixture.png(width: 50, height: 50))
        let limited = settings { settings in
            settings.limits.pixelCountMax = .max
            settings.limits.decoderTimeout = .seconds(1)
            settings.workerCount = 2
        }
        try await withReader(limited) { reader in
            async let struck = reader.read(bad)
            for _ in 0..<20 { #expect(await reader.read(good).thumbnail != nil) }
            #expect(await struck.facts.problem == "It cannot be read: it takes longer than is allowed.")
            #expect(await struck.isFinal)
            #expect(await reader.read(good).thumbnail != nil)
        }
    }

    /// So is one that uses up its processor time, though the agent's clock would have been more patient.
    @Test(.timeLimit(.minutes(3))) func processorTimeIsLimited() async throws {
        let bad = try longFile("bad.tif", side: 50_000)
        let limited = settings { settings in
            settings.limits.pixelCountMax = .max
            settings.limits.processorSeconds = 1
        }
        let reading = try await withReader(limited) { await $0.read(bad) }
        #expect(reading.facts.problem == "It cannot be read: it takes more processor time than is allowed.")
    }

    /// Where the decoder must not take the memory that a picture needs, that is said, and the worker lives on.
    @Test(.timeLimit(.minutes(3))) func memoryIsLimited() async throws {
        let file = try longFile("a.tif")
        try await withReader(settings { $0.limits.decoderMemory = 80 << 20 }) { reader in
            let error = await #expect(throws: MediaError.self) { try await reader.picture(of: file, fitting: 8192) }
            // Not every library survives that it gets no memory, so the reason may be another.
            #expect(error?.code == .unreadable)
            #expect(await reader.read(file).thumbnail != nil)
        }
    }

    /// A worker that was broken into says what it likes: the file is struck out, and nothing of it is believed.
    @Test(
        .timeLimit(.minutes(3)),
        arguments: [
            // A report of 4 GiB; one that is none; nothing at all; another program's greeting.
            "printf '\\001\\000\\007\\001'; dd bs=1 count=4 >&2; printf '\\377\\377\\377\\377'; cat",
            "printf '\\001\\000\\007\\001'; dd bs=1 count=4 >&2; printf '\\004\\000\\000\\000????'; cat",
            "printf '\\001\\000\\007\\001'; exit 1", "printf 'hello, world'; cat",
        ])
    func aLyingWorkerIsNotBelieved(_ script: String) async throws {
        let program = try scratch.file("worker", Array("#!/bin/sh\nexec 1<>/proc/self/fd/0\n\(script)\n".utf8))
        chmod(program.path, 0o755)
        let file = try scratch.file("a.png", Fixture.png(width: 9, height: 9))
        try await withReader(settings { $0.worker = program.path }) { reader in
            let reading = await reader.read(file)
            #expect(reading.thumbnail == nil)
            #expect(reading.facts.problem.contains("not read") || reading.facts.problem.contains("cannot be read"))
        }
    }

    /// Workers that have nothing to do are ended after a while, and started again when there is a need.
    @Test(.timeLimit(.minutes(3))) func idleWorkersEnd() async throws {
        let file = try scratch.file("a.png", Fixture.png(width: 50, height: 50))
        try await withReader(settings { $0.limits.idleTimeout = .milliseconds(100) }) { reader in
            _ = await reader.read(file)
            #expect(await eventually { reader.processes.isEmpty })
            #expect(await reader.read(file).thumbnail != nil)
        }
    }

    /// When the reader ends, so do its processes, and whoever waits is told.
    @Test(.timeLimit(.minutes(3))) func theReaderEndsWithAllThatItStarted() async throws {
        let file = try longFile("a.tif")
        let process = try await withThrowingTaskGroup(of: MediaReading.self) { readings in
            let process = try await withReader(settings()) { reader in
                for _ in 0..<4 { readings.addTask { await reader.read(file) } }
                #expect(await eventually { !reader.processes.isEmpty })
                return reader.processes.first?.number
            }
            for try await reading in readings { #expect(!reading.isFinal) }
            return try #require(process)
        }
        #expect(kernelStatus(process)["PPid"] != "\(getpid())")
    }

    /// A decoder ends by itself when nobody is left to ask it, and does not start for anybody but who started it.
    @Test(.timeLimit(.minutes(3))) func anOrphanEnds() throws {
        let command = WorkerCommand(worker: try #require(Machine.settings.worker), limits: MediaReaderLimits())
        var pair: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
        let process = try ChildProcess(command.decoder(), descriptors: [pair[1], -1, -1])
        close(pair[1])
        var greeting = [UInt8](repeating: 0, count: 4)
        #expect(recv(pair[0], &greeting, 4, Int32(MSG_WAITALL)) == 4)
        close(pair[0])
        #expect(process.end(by: Deadline(after: .seconds(10))) == .exited(0))

        var words = command.decoder()
        words[2] = "1"
        let stray = try ChildProcess(words, descriptors: [-1, -1, -1])
        #expect(stray.end(by: Deadline(after: .seconds(10))) == .exited(70))
    }
}

extension ChildProcess {
    /// That it has used so far.
    var processorTime: Duration {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let fields = text.split(separator: ")").last?.split(separator: " "), fields.count > 13,
            let user = Int(fields[11]), let system = Int(fields[12])
        else { return .zero }
        return .seconds(user + system) / sysconf(Int32(_SC_CLK_TCK))
    }
}
