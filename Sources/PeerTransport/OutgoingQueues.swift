import NIOCore

/// What waits to be sent on one connection: control, thumbnails and originals, in this order of precedence.
///
/// A value type without I/O. Bulk goes through three stages: jobs that wait, one order a lane that the blocking pool
/// reads, chunks of frames that are ready.
struct OutgoingQueues: Sendable {
    private struct Job: Sendable {
        let ticket: UInt64
        let number: UInt32
        let source: any PieceSource
        let offset: UInt64
        let byteCount: Int
        let precedence: UInt64
        var orderedByteCount = 0
    }

    private struct Chunk: Sendable {
        let ticket: UInt64
        let precedence: UInt64
        var frames: ByteBuffer
        let isLast: Bool
    }

    private struct Lane: Sendable {
        var jobs = CircularBuffer<Job>()
        var isReading = false
        var chunks = CircularBuffer<Chunk>()
        var readyByteCount = 0

        mutating func insert(_ job: Job) {
            let place = jobs.lastIndex { $0.precedence >= job.precedence }
            jobs.insert(job, at: place.map(jobs.index(after:)) ?? jobs.startIndex)
        }

        mutating func insert(_ chunk: Chunk) {
            let place = chunks.lastIndex { $0.precedence >= chunk.precedence }
            chunks.insert(chunk, at: place.map(chunks.index(after:)) ?? chunks.startIndex)
            readyByteCount += chunk.frames.readableBytes
        }

        /// Whether more may be read; what overtakes all that is ready may be so beside it.
        func mayRead(_ job: Job, _ limits: TransportLimits) -> Bool {
            let overtakes = chunks.first.map { $0.precedence < job.precedence } ?? false
            return readyByteCount < limits.readAheadByteCount + (overtakes ? limits.chunkByteCount : 0)
        }
    }

    private let limits: TransportLimits
    private var messages = CircularBuffer<[UInt8]>()
    private var firstMessageSentByteCount = 0
    private var controlByteCount = 0
    /// Senders that wait until no more bytes of messages do.
    private var waiters: [(byteCountMax: Int, continuation: CheckedContinuation<Void, Never>)] = []
    private var lanes = [Lane](repeating: Lane(), count: BulkClass.allCases.count)
    /// Answers that are not wholly handed out, by ticket; the value is the request's number.
    private var numbers: [UInt64: UInt32] = [:]
    private var nextTicket: UInt64 = 0
    /// Originals of less precedence are kept back.
    private var precedenceMin: UInt64 = 0
    private var isClosed = false
    /// Whether the event loop has been told that there is something to do and has not looked yet.
    private var isWakePending = false

    init(limits: TransportLimits) {
        self.limits = limits
    }

    // MARK: - What callers put in

    /// Whether the event loop must be woken, or why the connection must end.
    enum Outcome: Hashable, Sendable {
        case wake
        case nothing
        case overflow(String)
    }

    mutating func send(_ message: [UInt8]) -> Outcome {
        precondition(message.count <= TransportLimits.messageByteCountMax, "a message is at most 4 MiB")
        guard !isClosed else { return .nothing }
        controlByteCount += message.count + limits.messageOverheadByteCount
        guard controlByteCount <= limits.controlByteCountMax else {
            return .overflow("the peer does not read its messages")
        }
        messages.append(message)
        return wake()
    }

    /// The answer goes before those of its class that are of less precedence, also amid one of them.
    mutating func serve(
        number: UInt32, from source: any PieceSource, offset: UInt64, byteCount: Int, bulkClass: BulkClass,
        precedence: UInt64
    ) -> Outcome {
        guard !isClosed else { return .nothing }
        guard (0...TransportLimits.bulkByteCountMax).contains(byteCount) else {
            return .overflow("the peer asked for more than a piece at once")
        }
        guard numbers.count < limits.serveCountMax else { return .overflow("the peer asked for too much at once") }
        numbers[nextTicket] = number
        let job = Job(
            ticket: nextTicket, number: number, source: source, offset: offset, byteCount: byteCount,
            precedence: precedence)
        lanes[bulkClass.rawValue].insert(job)
        nextTicket += 1
        return wake()
    }

    /// Keeps originals of less precedence back until this is called again.
    mutating func yield(to precedence: UInt64) -> Outcome {
        precedenceMin = precedence
        return wake()
    }

    /// Frames of the answer that were handed out already still leave; no more follow.
    mutating func cancelServe(number: UInt32) -> Outcome {
        for (ticket, other) in numbers where other == number { drop(ticket) }
        return wake()
    }

    /// Lets go of everything and takes nothing more.
    mutating func close() {
        isClosed = true
        messages.removeAll()
        controlByteCount = 0
        numbers.removeAll()
        lanes = [Lane](repeating: Lane(), count: BulkClass.allCases.count)
    }

    /// Keeps the sender until ``takeReadyWaiters()`` gives it back.
    mutating func wait(_ continuation: CheckedContinuation<Void, Never>, untilAtMost byteCountMax: Int) {
        waiters.append((byteCountMax, continuation))
    }

    /// Those that need not wait any longer; all of them after the end.
    mutating func takeReadyWaiters() -> [CheckedContinuation<Void, Never>] {
        guard !waiters.isEmpty else { return [] }
        let ready = waiters.filter { controlByteCount <= $0.byteCountMax }
        waiters.removeAll { controlByteCount <= $0.byteCountMax }
        return ready.map(\.continuation)
    }

    private mutating func wake() -> Outcome {
        defer { isWakePending = true }
        return isWakePending ? .nothing : .wake
    }

    // MARK: - What the event loop takes out

    /// The event loop looks now: whoever comes later has to wake it again.
    mutating func noteAwake() { isWakePending = false }

    /// The next task for the blocking pool; one a lane at a time, and none while enough is ready.
    mutating func nextRead() -> ReadOrder? {
        for bulkClass in BulkClass.allCases {
            let index = bulkClass.rawValue
            guard !lanes[index].isReading, var job = lanes[index].jobs.first, lanes[index].mayRead(job, limits) else {
                continue
            }
            let byteCount = min(limits.chunkByteCount, job.byteCount - job.orderedByteCount)
            let order = ReadOrder(
                ticket: job.ticket, bulkClass: bulkClass, number: job.number, source: job.source,
                sourceOffset: job.offset + UInt64(job.orderedByteCount), offset: job.orderedByteCount,
                byteCount: byteCount, isLast: job.orderedByteCount + byteCount == job.byteCount,
                precedence: job.precedence)
            job.orderedByteCount += byteCount
            if order.isLast {
                lanes[index].jobs.removeFirst()
            } else {
                lanes[index].jobs[lanes[index].jobs.startIndex] = job
            }
            lanes[index].isReading = true
            return order
        }
        return nil
    }

    /// Takes an order's result; `frames` is `nil` if the source could not be read. Gives the number of an answer that
    /// ends here because of that.
    mutating func finishRead(_ order: ReadOrder, frames: ByteBuffer?) -> UInt32? {
        let index = order.bulkClass.rawValue
        lanes[index].isReading = false
        // Cancelled, or the connection ended, while it was being read.
        guard numbers[order.ticket] != nil else { return nil }
        guard let frames else {
            drop(order.ticket)
            return order.number
        }
        lanes[index].insert(
            Chunk(ticket: order.ticket, precedence: order.precedence, frames: frames, isLast: order.isLast))
        return nil
    }

    /// Frames of messages, about `byteCountMax` bytes at most; `nil` if no message waits.
    mutating func takeControl(byteCountMax: Int, allocator: ByteBufferAllocator) -> ByteBuffer? {
        guard !messages.isEmpty else { return nil }
        var frames = allocator.buffer(capacity: min(byteCountMax, controlByteCount + 8 * FrameHeader.byteCount))
        while let message = messages.first, frames.readableBytes < byteCountMax {
            let remaining = message.count - firstMessageSentByteCount
            let count = min(remaining, FrameHeader.payloadByteCountMax)
            let ends = count == remaining
            frames.writeFrameHeader(ends ? .messageEnd : .messagePart, payloadByteCount: count)
            frames.writeBytes(message[firstMessageSentByteCount..<firstMessageSentByteCount + count])
            controlByteCount -= count
            firstMessageSentByteCount += count
            if ends {
                messages.removeFirst()
                controlByteCount -= limits.messageOverheadByteCount
                firstMessageSentByteCount = 0
            }
        }
        return frames
    }

    /// Whole bulk frames, `byteCountMax` bytes at most but at least one frame; `nil` if none is ready.
    mutating func takeBulk(byteCountMax: Int) -> ByteBuffer? {
        for index in lanes.indices {
            guard var chunk = firstChunk(index) else { continue }
            let frameByteCount = TransportLimits.frameByteCountMax
            let room = max(1, byteCountMax / frameByteCount) * frameByteCount
            let frames = chunk.frames.readSlice(length: min(room, chunk.frames.readableBytes))!
            lanes[index].readyByteCount -= frames.readableBytes
            if chunk.frames.readableBytes > 0 {
                lanes[index].chunks[lanes[index].chunks.startIndex] = chunk
            } else {
                lanes[index].chunks.removeFirst()
                if chunk.isLast { numbers[chunk.ticket] = nil }
            }
            return frames
        }
        return nil
    }

    /// The size of the bulk frame that would leave next; `nil` if none is ready.
    var nextBulkByteCount: Int? {
        lanes.indices.lazy.compactMap { firstChunk($0) }.first.map {
            min($0.frames.readableBytes, TransportLimits.frameByteCountMax)
        }
    }

    /// What of a lane may leave next.
    private func firstChunk(_ index: Int) -> Chunk? {
        guard let chunk = lanes[index].chunks.first,
            index != BulkClass.original.rawValue || chunk.precedence >= precedenceMin
        else { return nil }
        return chunk
    }

    private mutating func drop(_ ticket: UInt64) {
        numbers[ticket] = nil
        for index in lanes.indices {
            lanes[index].jobs.removeAll { $0.ticket == ticket }
            lanes[index].chunks.removeAll { $0.ticket == ticket }
            lanes[index].readyByteCount = lanes[index].chunks.reduce(0) { $0 + $1.frames.readableBytes }
        }
    }
}
