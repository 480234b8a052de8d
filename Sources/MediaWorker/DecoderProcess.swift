import CSandbox
import CVipsShim
import Glibc
import MediaWorkerProtocol

/// The long-lived worker: closes itself in, then answers jobs from the socket that it was started with, one at a time,
/// until the other end is closed.
struct DecoderProcess {
    /// Standard input is the socket.
    private static let socket: Int32 = 0

    let limits: DecoderLimits
    let parent: pid_t

    /// Returns the process's exit status.
    func run() -> Int32 {
        // Libraries load their modules while files can still be opened.
        guard cvips_start("potluck-media-worker") == 0 else { return ExitStatus.failed }
        guard let greeting = closeIn(),
            csandbox_send(Self.socket, greeting.bytes, Greeting.byteCount, -1) == 0
        else { return ExitStatus.failed }
        while let (job, descriptor) = receive() {
            csandbox_allow_processor_time(limits.processorSeconds)
            let report = perform(job, descriptor)
            csandbox_allow_processor_time(0)
            guard send(report) else { return ExitStatus.failed }
        }
        return ExitStatus.done
    }

    /// `nil` where the process could not be restrained at all. A kernel without Landlock, or without filters for this
    /// processor, leaves one wall of the two; the greeting says which stand.
    private func closeIn() -> Greeting? {
        var rights = csandbox_limits(
            memory: limits.memoryByteCount, written: 0, descriptors: limits.descriptorCountMax, processor_seconds: 0,
            is_idle: limits.isIdle ? 1 : 0)
        guard csandbox_restrain(&rights, parent) == 0 else { return nil }
        let nothing: [UnsafePointer<CChar>?] = [nil]
        let landlock = csandbox_landlock_version()
        let isClosed = csandbox_close_files(nothing, -1, -1) == 0
        let isFiltered = csandbox_filter_decoder() == 0
        return Greeting(landlock: isClosed ? UInt8(clamping: landlock) : 0, hasCallFilter: isFiltered)
    }

    /// `nil` at the end, and when something else came than a job with a file.
    private func receive() -> (Job, Int32)? {
        var bytes: [UInt8] = [], descriptor: Int32 = -1
        while bytes.count < Job.byteCount {
            var part = [UInt8](repeating: 0, count: Job.byteCount - bytes.count)
            var came: Int32 = -1
            let count = csandbox_receive(Self.socket, &part, part.count, &came)
            guard count > 0 else { return nil }
            if came >= 0 { descriptor = came }
            bytes += part.prefix(count)
        }
        guard let job = Job(bytes: bytes), descriptor >= 0 else { return nil }
        return (job, descriptor)
    }

    private func perform(_ job: Job, _ descriptor: Int32) -> Report {
        guard let file = HandedFile(owning: descriptor) else {
            var report = Report()
            report.problem = "it is no file"
            return report
        }
        return Examination(file, limits: limits).perform(job)
    }

    private func send(_ report: Report) -> Bool {
        let bytes = report.bytes
        let length = withUnsafeBytes(of: UInt32(bytes.count).littleEndian) { Array($0) }
        return csandbox_send(Self.socket, length, length.count, -1) == 0
            && csandbox_send(Self.socket, bytes, bytes.count, -1) == 0
    }
}
