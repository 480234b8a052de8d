import Glibc

/// Asks one ExifTool that was started with ``ExifTool/stayOpen``, file after file.
///
/// Blocks; used on one thread. It sets no time limit: whoever started the process ends it when a file takes too long,
/// and the call that waits throws ``ToolFailure/ended``. After anything is thrown but ``ToolFailure/badPath`` the
/// process is of no more use.
public struct ExifToolSession: ~Copyable {
    private let input: Int32
    private let output: Int32
    private var number: UInt32 = 0
    /// What was read behind the last answer: nothing, if all goes well.
    private var rest: [UInt8] = []

    /// - Parameters:
    ///   - input: where its standard input is written to; a socket, if SIGPIPE is not to end this process too.
    ///   - output: where its standard output is read from. Both stay the caller's.
    public init(input: Int32, output: Int32) {
        self.input = input
        self.output = output
    }

    /// - Parameter path: of the file as that process sees it, absolute.
    public mutating func read(path: String) throws(ToolFailure) -> RawMetadata {
        number &+= 1
        guard let request = ExifTool.request(path: path, number: number) else { throw .badPath }
        try write(Array(request.utf8))
        return ExifTool.metadata(answer: try answer(endingWith: Array(ExifTool.endMark(number: number).utf8)))
    }

    /// Tells it to end, which it does not do by itself.
    public consuming func finish() {
        // If it cannot be told it is gone already, or will be killed.
        try? write(Array(ExifTool.farewell.utf8))
    }

    private mutating func answer(endingWith mark: [UInt8]) throws(ToolFailure) -> ArraySlice<UInt8> {
        var answer = rest
        rest = []
        while !(answer.count >= mark.count && answer.suffix(mark.count).elementsEqual(mark)) {
            guard answer.count <= ExifTool.answerByteCountMax else { throw .tooMuch }
            answer += try readSome()
        }
        return answer.dropLast(mark.count)
    }

    private func readSome() throws(ToolFailure) -> [UInt8] {
        var failure: ToolFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var result: Int
            repeat { result = Glibc.read(output, buffer.baseAddress!, buffer.count) } while result < 0 && errno == EINTR
            if result <= 0 { failure = result == 0 ? .ended : .system(errno) }
            count = max(0, result)
        }
        if let failure { throw failure }
        return bytes
    }

    private func write(_ bytes: [UInt8]) throws(ToolFailure) {
        var sent = 0
        while sent < bytes.count {
            let result = bytes[sent...].withUnsafeBytes { part in
                let sent = send(input, part.baseAddress!, part.count, Int32(MSG_NOSIGNAL))
                return sent < 0 && errno == ENOTSOCK ? Glibc.write(input, part.baseAddress!, part.count) : sent
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw errno == EPIPE || errno == ECONNRESET ? .ended : .system(errno) }
            sent += result
        }
    }
}
