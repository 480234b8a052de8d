import DiskIO
import Glibc
import PotluckAPI

/// Reads one line, and no more than a line should have.
enum InputLine {
    /// Far more than an invite phrase, or an answer to a question, has.
    static let byteCountMax = 4096

    /// The first line of a file; `nil` where it is empty. Waits for whoever writes into a pipe. Blocks.
    static func read(path: String) throws(PotluckError) -> String? {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path, .stream)
        } catch {
            throw unreadable(path, error.causeText)
        }
        return try read(file.number, of: path)
    }

    /// The next line without its end; `nil` at the input's end. Byte by byte, so that what follows is there for whoever
    /// reads next. Blocks.
    ///
    /// - Parameter name: The input's, for sentences.
    static func read(_ descriptor: Int32, of name: String) throws(PotluckError) -> String? {
        var bytes: [UInt8] = []
        while true {
            var byte: UInt8 = 0
            let count = Glibc.read(descriptor, &byte, 1)
            if count < 0 {
                try wait(for: descriptor, name)
                continue
            }
            if count == 0, bytes.isEmpty { return nil }
            if count == 0 || byte == UInt8(ascii: "\n") { break }
            guard bytes.count < byteCountMax else {
                throw PotluckError(
                    .usage, "A line of \(name) is longer than 4 KiB, and was not taken. Nothing was changed by it.")
            }
            bytes.append(byte)
        }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// After a failed call: returns where another one may succeed.
    private static func wait(for descriptor: Int32, _ name: String) throws(PotluckError) {
        if errno == EINTR { return }
        guard errno == EAGAIN else { throw unreadable(name, FileError.text(errno)) }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, -1)
    }

    private static func unreadable(_ name: String, _ reason: String) -> PotluckError {
        PotluckError(.failed, "\(name) cannot be read: \(reason). Nothing was changed.")
    }
}
