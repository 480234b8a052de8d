import CSandbox
import DiskIO
import Glibc

/// A process at the other end of a socket, from which bytes are awaited no longer than until a deadline. Blocks.
///
/// Dies with its last reference, and at the first thing that goes wrong: after anything is thrown it is of no more use.
final class WorkerChannel: Sendable {
    let process: ChildProcess
    private let socket: Descriptor

    /// Starts `words` with one end of a socket.
    ///
    /// - Parameter descriptors: what it gets as 0, 1, …, by the number of its end of the socket.
    init(_ words: [String], descriptors: (_ socket: Int32) -> [Int32]) throws(WorkerFailure) {
        var pair: [Int32] = [-1, -1]
        let error = csandbox_socket_pair(&pair)
        guard error == 0 else { throw .impossible("there is no socket (\(FileError.text(error)))") }
        let theirs = Descriptor(owning: pair[1], path: "a worker's socket")
        socket = Descriptor(owning: pair[0], path: "a worker's socket")
        process = try ChildProcess(words, descriptors: descriptors(theirs.number))
    }

    deinit {
        process.kill()
        _ = process.end(by: Deadline(after: .zero))
    }

    /// What is sent is small, and the process reads it before anything else: the socket's buffer takes it at once.
    func send(_ bytes: [UInt8], with file: Descriptor? = nil) throws(WorkerFailure) {
        guard csandbox_send(socket.number, bytes, bytes.count, file?.number ?? -1) == 0 else {
            throw failure(by: Deadline(after: .seconds(1)))
        }
    }

    /// Exactly so many bytes.
    func receive(_ count: Int, by deadline: Deadline) throws(WorkerFailure) -> [UInt8] {
        var received: [UInt8] = []
        received.reserveCapacity(count)
        while received.count < count {
            received += try receive(atMost: count - received.count, by: deadline)
        }
        return received
    }

    /// At least one byte.
    func receive(atMost count: Int, by deadline: Deadline) throws(WorkerFailure) -> [UInt8] {
        let bytes = try receiveOrEnd(atMost: count, by: deadline)
        guard !bytes.isEmpty else { throw failure(by: deadline) }
        return bytes
    }

    /// Hands over whatever comes until the process has ended.
    func receiveToEnd(by deadline: Deadline, _ body: ([UInt8]) -> Void) throws(WorkerFailure) -> ProcessStatus {
        while true {
            let bytes = try receiveOrEnd(atMost: 1 << 12, by: deadline)
            guard !bytes.isEmpty else { break }
            body(bytes)
        }
        guard let status = process.end(by: deadline) else { throw .timeout }
        return status
    }

    /// No byte where the other end is closed.
    private func receiveOrEnd(atMost count: Int, by deadline: Deadline) throws(WorkerFailure) -> [UInt8] {
        var readable = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
        var ready: Int32
        repeat { ready = poll(&readable, 1, deadline.milliseconds) } while ready < 0 && errno == EINTR
        guard ready > 0 else {
            process.kill()
            throw .timeout
        }
        return [UInt8](unsafeUninitializedCapacity: min(count, 1 << 18)) { buffer, filled in
            var got: Int
            repeat { got = read(socket.number, buffer.baseAddress!, buffer.count) } while got < 0 && errno == EINTR
            filled = max(0, got)
        }
    }

    /// Why it sends nothing more.
    private func failure(by deadline: Deadline) -> WorkerFailure {
        process.end(by: deadline).map(WorkerFailure.ended) ?? .timeout
    }
}
