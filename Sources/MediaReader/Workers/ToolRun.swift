import Glibc

/// One run of a program on one file, closed in by a worker.
struct ToolRun {
    let command: WorkerCommand
    let tool: ToolCall

    /// Runs it with its standard output in `output`. Blocks.
    ///
    /// - Parameter watcher: is told of the process, and of its end, so that somebody else can end it.
    func perform(
        on file: OwnedDescriptor, output: OwnedDescriptor, watcher: (ChildProcess?) -> Void
    ) throws(WorkerFailure) {
        let words = command.tool(
            tool.words, memory: tool.memory, written: tool.written, processorSeconds: command.limits.processorSeconds)
        let input = tool.input.isEmpty ? nil : try OwnedDescriptor.memory("potluck-input", holding: tool.input)
        let process = try ChildProcess(
            words, descriptors: [input?.number ?? -1, output.number, -1, file.number])
        watcher(process)
        defer { watcher(nil) }
        guard let status = process.end(by: Deadline(after: tool.timeout)) else { throw .timeout }
        switch status {
        case .exited(0): return
        case .killed(SIGXFSZ): throw .refused("what is taken out of it is too long")
        case .exited: throw .refused(tool.refusal)
        case .killed: throw .ended(status)
        }
    }
}
