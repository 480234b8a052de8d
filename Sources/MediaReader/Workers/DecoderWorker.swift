import DiskIO
import MediaWorkerProtocol

/// A decoder process, asked one file at a time. Blocks.
final class DecoderWorker: Sendable {
    private let channel: WorkerChannel
    private let limits: MediaReaderLimits

    init(_ command: WorkerCommand) throws(WorkerFailure) {
        limits = command.limits
        channel = try WorkerChannel(command.decoder()) { socket in [socket, -1, -1] }
        let bytes: [UInt8]
        do {
            bytes = try channel.receive(Greeting.byteCount, by: Deadline(after: limits.startTimeout))
        } catch {
            throw .impossible("potluck-media-worker does not start")
        }
        guard Greeting(bytes: bytes) != nil else { throw .impossible("potluck-media-worker is of another version") }
    }

    var process: ChildProcess { channel.process }

    func kill() { process.kill() }

    /// What it answers is within bounds, and a JPEG of the size that it says if there is a picture.
    func perform(_ job: Job, on file: Descriptor) throws(WorkerFailure) -> Report {
        let deadline = Deadline(after: limits.decoderTimeout)
        try channel.send(job.bytes, with: file)
        let length = try channel.receive(4, by: deadline).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= WorkerLimits.reportByteCountMax else { throw .lie }
        guard let report = Report(bytes: try channel.receive(length, by: deadline)) else { throw .lie }
        if let picture = report.picture, !PictureCheck.isPlain(picture, side: UInt32(job.side)) { throw .lie }
        return report
    }
}
