import DiskIO
import Glibc

/// One run of a program on one file, closed in by a worker.
struct ToolRun {
    let command: WorkerCommand
    let tool: ToolCall

    /// Runs it with its standard output in `output`. Blocks.
    ///
    /// - Parameter watcher: is told of the process, and of its end, so that somebody else can end it.
    func perform(
        on file: Descriptor, output: Descriptor, watcher: (ChildProcess?) -> Void
    ) throws(WorkerFailure) {
        let words = command.tool(
            tool.words, memory: tool.memory, written: tool.written, processorSeconds: processorSeconds)
        let input = tool.input.isEmpty ? nil : try Descriptor.memory("potluck-input", holding: tool.input)
        let process = try ChildProcess(
            words, descriptors: [input?.number ?? -1, output.number, -1, file.number])
        watcher(process)
        defer { watcher(nil) }
        guard let status = process.end(by: Deadline(after: tool.timeout)) else { throw .timeout }
        try check(status)
    }

    /// Runs it with an output file that it may go back and forth in, and hands over what it writes to its standard output
    /// in the meantime. Blocks.
    func perform(
        on file: Descriptor, outputFile: Descriptor, watcher: (ChildProcess?) -> Void,
        _ body: ([UInt8]) -> Void
    ) throws(WorkerFailure) {
        let words = command.tool(
            tool.words, memory: tool.memory, written: tool.written, processorSeconds: processorSeconds,
            hasOutputFile: true)
        let channel = try WorkerChannel(words) { socket in [-1, socket, -1, file.number, outputFile.number] }
        watcher(channel.process)
        defer { watcher(nil) }
        try check(try channel.receiveToEnd(by: Deadline(after: tool.timeout), body))
    }

    private var processorSeconds: UInt32 { tool.processorSeconds ?? command.limits.processorSeconds }

    private func check(_ status: ProcessStatus) throws(WorkerFailure) {
        switch status {
        case .exited(0): return
        case .killed(SIGXFSZ): throw .refused("what is taken out of it is too long")
        case .exited: throw .refused(tool.refusal)
        case .killed: throw .ended(status)
        }
    }
}
