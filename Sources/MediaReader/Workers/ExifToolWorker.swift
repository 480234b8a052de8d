import DiskIO

/// An ExifTool that is kept running, and gets its files as copies in memory: starting it takes ten times as long as
/// reading a file. Its sandbox has no way to any file of the person's. Blocks.
final class ExifToolWorker: Sendable {
    private let channel: WorkerChannel
    /// What it sees as its file, file after file.
    private let copy: Descriptor
    private let limits: MediaReaderLimits

    init(_ program: String, _ command: WorkerCommand) throws(WorkerFailure) {
        let copy = try Descriptor.memory("potluck-exiftool")
        self.copy = copy
        limits = command.limits
        let words = command.tool(
            [program] + ExifTool.stayOpen, memory: command.limits.exifToolMemory, written: 0, processorSeconds: 0)
        channel = try WorkerChannel(words) { socket in [socket, socket, -1, copy.number] }
    }

    var process: ChildProcess { channel.process }

    func kill() { process.kill() }

    func read(_ file: Descriptor, number: UInt32) throws(WorkerFailure) -> RawMetadata {
        try copy.copy(file)
        defer { copy.empty() }
        guard let request = ExifTool.request(path: WorkerCommand.handedFile, number: number) else { throw .lie }
        try channel.send(Array(request.utf8))
        let mark = Array(ExifTool.endMark(number: number).utf8)
        let deadline = Deadline(after: limits.decoderTimeout)
        var answer: [UInt8] = []
        while !answer.hasSuffix(mark) {
            guard answer.count <= limits.answerByteCountMax else { throw .lie }
            answer += try channel.receive(atMost: 1 << 16, by: deadline)
        }
        return ExifTool.metadata(answer: answer.dropLast(mark.count))
    }
}

extension [UInt8] {
    fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
