import DiskIO
import MediaWorkerProtocol
import Synchronization

/// One place where a file is read: at most one decoder, one waiting ExifTool and one run of a tool, none of them before
/// there is a need. Used by one file at a time, blocking; ``end()`` and ``stop()`` may come from elsewhere.
final class Slot: Sendable {
    private struct State {
        var decoder: DecoderWorker?
        var exifTool: ExifToolWorker?
        var tool: ChildProcess?
        /// Files that the two have read since they were started.
        var decodedCount = 0
        var exifToolCount: UInt32 = 0
        var isStopped = false
    }

    private let state = Mutex(State())
    private let settings: MediaReaderSettings
    /// Whether its processes give way to those of other slots.
    private let isIdle: Bool

    init(_ settings: MediaReaderSettings, isIdle: Bool) {
        self.settings = settings
        self.isIdle = isIdle
    }

    // MARK: Work

    func decode(_ job: Job, _ file: Descriptor) throws(WorkerFailure) -> Report {
        let decoder = try readyDecoder()
        do {
            let report = try decoder.perform(job, on: file)
            state.withLock { state in
                state.decodedCount += 1
                if state.decodedCount >= settings.limits.filesPerWorkerMax { state.decoder = nil }
            }
            return report
        } catch {
            state.withLock { $0.decoder = nil }
            throw judged(error)
        }
    }

    /// What ExifTool says of a file; `nil` where there is no ExifTool.
    func metadata(_ file: Descriptor) throws(WorkerFailure) -> RawMetadata? {
        guard let program = settings.exifTool else { return nil }
        guard file.byteCount <= settings.limits.copiedByteCountMax else {
            let byteCountMax = settings.limits.answerByteCountMax
            let words = ExifTool.oneShot(path: WorkerCommand.handedFile)
            let tool = ToolCall(
                words: [program] + words, memory: settings.limits.exifToolMemory, written: byteCountMax,
                timeout: settings.limits.toolTimeout, refusal: "ExifTool cannot read it")
            return ExifTool.metadata(answer: try run(tool, on: file).contents(byteCountMax: byteCountMax))
        }
        let exifTool = try readyExifTool(program)
        let number = state.withLock { state in
            state.exifToolCount += 1
            return state.exifToolCount
        }
        do {
            let raw = try exifTool.read(file, number: number)
            if number >= settings.limits.filesPerWorkerMax { state.withLock { $0.exifTool = nil } }
            return raw
        } catch {
            state.withLock { $0.exifTool = nil }
            throw judged(error)
        }
    }

    /// What a program writes when it is handed a file, as a file in memory.
    func run(_ tool: ToolCall, on file: Descriptor) throws(WorkerFailure) -> Descriptor {
        let output = try Descriptor.memory("potluck-tool")
        try run(tool, on: file, output: output)
        return output
    }

    /// The same, with its standard output in `output`.
    func run(_ tool: ToolCall, on file: Descriptor, output: Descriptor) throws(WorkerFailure) {
        let run = ToolRun(command: try command(), tool: tool)
        do {
            try run.perform(on: file, output: output, watcher: watch)
        } catch {
            throw judged(error)
        }
    }

    /// The same with an output file that the tool may go back and forth in.
    ///
    /// - Parameters:
    ///   - stop: ends the tool before its time.
    ///   - body: is handed what the tool writes to its standard output.
    func run(
        _ tool: ToolCall, on file: Descriptor, outputFile: Descriptor, stop: StopSwitch,
        _ body: ([UInt8]) -> Void
    ) throws(WorkerFailure) {
        let run = ToolRun(command: try command(), tool: tool)
        do {
            try run.perform(on: file, outputFile: outputFile) { process in
                watch(process)
                stop.watch(process)
            } _: {
                body($0)
            }
        } catch {
            throw orStopped(error)
        }
    }

    private func watch(_ process: ChildProcess?) {
        state.withLock { state in
            state.tool = process
            if state.isStopped { process?.kill() }
        }
    }

    // MARK: Processes

    private func command() throws(WorkerFailure) -> WorkerCommand {
        guard !state.withLock({ $0.isStopped }) else { throw .stopped }
        guard let worker = settings.worker else { throw .impossible("there is no potluck-media-worker") }
        return WorkerCommand(worker: worker, limits: settings.limits, isIdle: isIdle)
    }

    private func readyDecoder() throws(WorkerFailure) -> DecoderWorker {
        if let decoder = state.withLock({ $0.decoder }) { return decoder }
        let decoder = try DecoderWorker(command())
        state.withLock { state in
            state.decoder = decoder
            state.decodedCount = 0
        }
        return decoder
    }

    private func readyExifTool(_ program: String) throws(WorkerFailure) -> ExifToolWorker {
        if let exifTool = state.withLock({ $0.exifTool }) { return exifTool }
        let exifTool = try ExifToolWorker(program, command())
        state.withLock { state in
            state.exifTool = exifTool
            state.exifToolCount = 0
        }
        return exifTool
    }

    /// Where others have all of the processor, time that passes is no file's fault either.
    private func judged(_ failure: WorkerFailure) -> WorkerFailure {
        isIdle && failure == .timeout ? orStopped(.impossible("this machine is too busy")) : orStopped(failure)
    }

    /// What dies while the reader stops is no file's fault.
    private func orStopped(_ failure: WorkerFailure) -> WorkerFailure {
        state.withLock { $0.isStopped } ? .stopped : failure
    }

    /// Ends what waits here. Not to be called while a file is read. Blocks for a moment.
    func end() {
        // The last references go here, outside of the lock.
        let ended = state.withLock { state in
            defer { (state.decoder, state.exifTool) = (nil, nil) }
            return (state.decoder, state.exifTool)
        }
        withExtendedLifetime(ended) {}
    }

    /// Kills what runs here, for good. Whoever waits for it fails with ``WorkerFailure/stopped``. Does not block.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.decoder?.kill()
            state.exifTool?.kill()
            state.tool?.kill()
        }
    }

    /// What runs on one file, for tests.
    var tool: ChildProcess? { state.withLock { $0.tool } }

    /// The processes that wait here, for tests.
    var processes: [ChildProcess] {
        state.withLock { [$0.decoder?.process, $0.exifTool?.process].compactMap { $0 } }
    }
}
