import NIOCore
import Synchronization
import Testing

@testable import PeerTransport

struct OutgoingQueuesTests {
    private let allocator = ByteBufferAllocator()

    /// Performs all reads that the queues want now.
    private func read(_ queues: inout OutgoingQueues) throws {
        while let order = queues.nextRead() {
            #expect(try queues.finishRead(order, frames: order.read(allocator: allocator)) == nil)
        }
    }

    private func serve(
        _ queues: inout OutgoingQueues, number: UInt32, byteCount: Int, _ bulkClass: BulkClass = .original,
        precedence: UInt64 = 0
    ) -> OutgoingQueues.Outcome {
        queues.serve(
            number: number, from: MemorySource(pattern(byteCount)), offset: 0, byteCount: byteCount,
            bulkClass: bulkClass, precedence: precedence)
    }

    /// The number in the bulk frame that the queues give next.
    private func nextNumber(_ queues: inout OutgoingQueues) -> UInt32? {
        queues.takeBulk(byteCountMax: 1)?.getInteger(at: FrameHeader.byteCount)
    }

    /// Whole frames leave, one at least; between two of an original's, a thumbnail that came later goes first.
    @Test func thumbnailsOvertakeOriginalsBetweenFrames() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        _ = serve(&queues, number: 1, byteCount: 1 << 20)
        try read(&queues)
        #expect(nextNumber(&queues) == 1)
        _ = serve(&queues, number: 2, byteCount: 100, .thumbnail)
        try read(&queues)
        #expect(nextNumber(&queues) == 2)
        #expect(nextNumber(&queues) == 1)
        #expect(queues.takeBulk(byteCountMax: 3 << 16)?.readableBytes == 3 << 16)
    }

    /// An answer of more precedence goes before others, also amid one that has begun, and behind its equals that came
    /// earlier.
    @Test func precedenceIsKept() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        for (number, precedence) in [(1, 5), (2, 5), (3, 9), (4, 9), (5, 7)] as [(UInt32, UInt64)] {
            _ = serve(&queues, number: number, byteCount: 1 << 20, precedence: precedence)
            if number == 1 {
                try read(&queues)
                #expect(nextNumber(&queues) == 1)
            }
        }
        var seen: [UInt32] = []
        while true {
            try read(&queues)
            guard let number = nextNumber(&queues) else { break }
            if seen.last != number { seen.append(number) }
        }
        #expect(seen == [3, 4, 5, 1, 2])
    }

    /// Originals of less precedence stay back, also amid one, until they may go on; thumbnails do not.
    @Test func lessPrecedenceIsKeptBack() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        _ = serve(&queues, number: 1, byteCount: 1 << 20, precedence: 5)
        try read(&queues)
        #expect(nextNumber(&queues) == 1)
        queues.noteAwake()
        #expect(queues.yield(to: 7) == .wake)
        #expect(queues.nextBulkByteCount == nil && nextNumber(&queues) == nil)
        for (number, precedence) in [(2, 6), (3, 7)] as [(UInt32, UInt64)] {
            _ = serve(&queues, number: number, byteCount: 100, precedence: precedence)
        }
        try read(&queues)
        #expect(nextNumber(&queues) == 3)
        _ = serve(&queues, number: 4, byteCount: 100, .thumbnail, precedence: 1)
        try read(&queues)
        #expect(nextNumber(&queues) == 4)
        #expect(nextNumber(&queues) == nil)
        _ = queues.yield(to: 0)
        try read(&queues)
        #expect(nextNumber(&queues) == 2)
        #expect(nextNumber(&queues) == 1)
    }

    /// All bytes of an answer leave in order, whatever the room; the last frame may be short.
    @Test(arguments: [0, 1, 65_524, 65_525, 300_000, 1 << 20])
    func answersLeaveWhole(_ byteCount: Int) throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        _ = serve(&queues, number: 5, byteCount: byteCount)
        var received: [UInt8] = []
        repeat {
            try read(&queues)
            guard var frames = queues.takeBulk(byteCountMax: 100_000) else { throw Unexpected() }
            while let head = frames.readInteger(as: UInt32.self) {
                #expect(frames.readInteger(as: UInt32.self) == 5)
                #expect(frames.readInteger(as: UInt32.self) == UInt32(received.count))
                received += frames.readBytes(length: Int(head & 0xff_ffff) - 8)!
            }
        } while received.count < byteCount
        #expect(received == pattern(byteCount))
        try read(&queues)
        #expect(queues.takeBulk(byteCountMax: 1) == nil)
    }

    /// Reading ahead stops while the network takes nothing, so that a slow peer costs little memory.
    @Test func readingAheadIsBounded() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        for number in 0..<100 { _ = serve(&queues, number: UInt32(number), byteCount: 1 << 20) }
        var readByteCount = 0
        while let order = queues.nextRead() {
            readByteCount += order.byteCount
            _ = queues.finishRead(order, frames: try order.read(allocator: allocator))
        }
        #expect(readByteCount < 1 << 20)
    }

    /// A piece takes two tasks of the pool, and no third one for a little rest.
    @Test func aPieceIsReadInHalves() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        _ = serve(&queues, number: 1, byteCount: 1 << 20)
        var readCount = 0
        repeat {
            while let order = queues.nextRead() {
                readCount += 1
                _ = queues.finishRead(order, frames: try order.read(allocator: allocator))
            }
        } while queues.takeBulk(byteCountMax: 1 << 20) != nil
        #expect(readCount == 2)
    }

    /// A cancelled answer gives nothing more, neither what is ready nor what is being read.
    @Test func cancelledAnswersStop() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        _ = serve(&queues, number: 1, byteCount: 1 << 20)
        guard let order = queues.nextRead() else { throw Unexpected() }
        _ = queues.cancelServe(number: 1)
        #expect(queues.finishRead(order, frames: try order.read(allocator: allocator)) == nil)
        #expect(queues.nextRead() == nil)
        #expect(queues.takeBulk(byteCountMax: 1) == nil)
        _ = serve(&queues, number: 2, byteCount: 10)
        try read(&queues)
        #expect(nextNumber(&queues) == 2)
    }

    /// An answer that cannot be read is reported once, and the next one goes on.
    @Test func unreadableAnswersAreReported() throws {
        var queues = OutgoingQueues(limits: TransportLimits())
        let short = MemorySource(pattern(10))
        _ = queues.serve(number: 1, from: short, offset: 0, byteCount: 11, bulkClass: .original, precedence: 0)
        _ = serve(&queues, number: 2, byteCount: 10)
        guard let order = queues.nextRead() else { throw Unexpected() }
        #expect(throws: ReadOrder.SourceEnded.self) { try order.read(allocator: allocator) }
        #expect(queues.finishRead(order, frames: nil) == 1)
        try read(&queues)
        #expect(nextNumber(&queues) == 2)
    }

    /// Who asks for more than the caps allow is told so; an answer that has left makes room for another.
    @Test func waitingAnswersAreCapped() throws {
        var limits = TransportLimits()
        limits.serveCountMax = 2
        var queues = OutgoingQueues(limits: limits)
        #expect(serve(&queues, number: 1, byteCount: 10) == .wake)
        #expect(serve(&queues, number: 2, byteCount: 10) == .nothing)
        #expect(serve(&queues, number: 3, byteCount: 10) == .overflow("the peer asked for too much at once"))
        try read(&queues)
        #expect(nextNumber(&queues) == 1)
        queues.noteAwake()
        #expect(serve(&queues, number: 3, byteCount: 10) == .wake)
        #expect(
            serve(&queues, number: 4, byteCount: (1 << 20) + 1)
                == .overflow("the peer asked for more than a piece at once"))
    }

    /// Messages leave in order and in frames of legal length; the bytes that wait are counted, empty messages too.
    @Test func messagesAreFramedAndCounted() throws {
        var limits = TransportLimits()
        limits.controlByteCountMax = 200_000
        var queues = OutgoingQueues(limits: limits)
        let messages = [pattern(150_000), [], pattern(3, seed: 5)]
        for message in messages { _ = queues.send(message) }
        #expect(queues.send(pattern(60_000)) == .overflow("the peer does not read its messages"))
        var buffer = ByteBuffer()
        while var frames = queues.takeControl(byteCountMax: 1, allocator: allocator) { buffer.writeBuffer(&frames) }
        var received: [[UInt8]] = [[]]
        while let head = buffer.readInteger(as: UInt32.self) {
            #expect(Int(head & 0xff_ffff) <= FrameHeader.payloadByteCountMax)
            received[received.count - 1] += buffer.readBytes(length: Int(head & 0xff_ffff))!
            if head >> 24 == FrameKind.messageEnd.rawValue { received.append([]) }
        }
        #expect(received.dropLast() == messages)
    }

    /// A flood of the shortest messages is bounded by the memory that it takes, not by its bytes.
    @Test func shortMessagesCountForWhatTheyTake() {
        var limits = TransportLimits()
        limits.controlByteCountMax = 10_000
        var queues = OutgoingQueues(limits: limits)
        var count = 0
        while count < 10_000, queues.send([1]) != .overflow("the peer does not read its messages") { count += 1 }
        #expect(count == 10_000 / (1 + limits.messageOverheadByteCount))
    }

    /// Whoever waits until little is left to send is let go when it is, and at the end.
    @Test(.timeLimit(.minutes(1)))
    func sendersWaitForRoom() async {
        let queues = Mutex(OutgoingQueues(limits: TransportLimits()))
        for _ in 0..<3 { _ = queues.withLock { $0.send(pattern(100_000)) } }
        func wait(atMost byteCountMax: Int, then body: () -> Void) async {
            await withCheckedContinuation { continuation in
                let ready = queues.withLock { queues in
                    queues.wait(continuation, untilAtMost: byteCountMax)
                    return queues.takeReadyWaiters()
                }
                ready.forEach { $0.resume() }
                body()
            }
        }
        await wait(atMost: 400_000) {}
        await wait(atMost: 110_000) {
            // The first two leave, one after the other.
            for expected in [0, 1] {
                queues.withLock { _ = $0.takeControl(byteCountMax: 100_000, allocator: ByteBufferAllocator()) }
                let ready = queues.withLock { $0.takeReadyWaiters() }
                #expect(ready.count == expected)
                ready.forEach { $0.resume() }
            }
        }
        await wait(atMost: 0) {
            queues.withLock { $0.close() }
            queues.withLock { $0.takeReadyWaiters() }.forEach { $0.resume() }
        }
    }
}

struct IncomingPiecesTests {
    /// Data is taken for announced numbers, in order, without gaps, and not beyond what was announced.
    @Test func onlyWhatWasAskedForIsTaken() throws {
        var incoming = IncomingPieces(limits: TransportLimits(), memory: PieceMemory(countMax: 0))
        incoming.expect(number: 1, byteCount: 100)
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 2, offset: 0, byteCount: 1) }
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 1, byteCount: 1) }
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 0, byteCount: 101) }
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 0, byteCount: 0) }
        _ = try incoming.begin(number: 1, offset: 0, byteCount: 60)
        #expect(incoming.end(number: 1) == nil)
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 0, byteCount: 40) }
        _ = try incoming.begin(number: 1, offset: 60, byteCount: 40)
        #expect(incoming.end(number: 1)?.byteCount == 100)
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 100, byteCount: 1) }
    }

    /// What comes for a forgotten number is dropped, but not more of it than was announced.
    @Test func forgottenDataIsDropped() throws {
        var incoming = IncomingPieces(limits: TransportLimits(), memory: PieceMemory(countMax: 0))
        incoming.expect(number: 1, byteCount: 100)
        _ = try incoming.begin(number: 1, offset: 0, byteCount: 60)
        incoming.forget(number: 1)
        #expect(incoming.end(number: 1) == nil)
        guard case .drop = try incoming.begin(number: 1, offset: 60, byteCount: 40) else { throw Unexpected() }
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 100, byteCount: 1) }
    }

    /// Forgotten numbers for which nothing ever comes do not pile up.
    @Test func forgottenNumbersAreBounded() throws {
        var limits = TransportLimits()
        limits.forgottenCountMax = 2
        var incoming = IncomingPieces(limits: limits, memory: PieceMemory(countMax: 0))
        for number in 1...3 {
            incoming.expect(number: UInt32(number), byteCount: 1)
            incoming.forget(number: UInt32(number))
        }
        #expect(throws: ProtocolBreach.self) { try incoming.begin(number: 1, offset: 0, byteCount: 1) }
        guard case .drop = try incoming.begin(number: 2, offset: 0, byteCount: 1) else { throw Unexpected() }
    }
}

struct PieceMemoryTests {
    /// The next piece is put where one was that is done with. Its answer has as many bytes as were asked for, whatever room
    /// there is, and of the former piece's none.
    @Test func memoryIsUsedAgain() throws {
        let memory = PieceMemory(countMax: 2)
        let place = PieceBuffer(byteCount: 1 << 20, from: memory).withUnsafeBytes { $0.baseAddress }
        #expect(memory.keptCount == 1)
        var incoming = IncomingPieces(limits: TransportLimits(), memory: memory)
        incoming.expect(number: 1, byteCount: 600_000)
        guard case .store(let piece, 0) = try incoming.begin(number: 1, offset: 0, byteCount: 600_000) else {
            throw Unexpected()
        }
        [UInt8](repeating: 7, count: 600_000).withUnsafeBytes { piece.write($0, at: 0) }
        #expect(memory.keptCount == 0)
        #expect(piece.byteCount == 600_000)
        piece.withUnsafeBytes { bytes in
            #expect(bytes.baseAddress == place)
            #expect(bytes.count == 600_000 && bytes.allSatisfy { $0 == 7 })
        }
    }

    /// Of many pieces, and of thumbnails, little memory stays.
    @Test func littleIsKept() {
        let memory = PieceMemory(countMax: 2)
        var pieces = (0..<5).map { _ in PieceBuffer(byteCount: 1 << 20, from: memory) }
        pieces += (0..<5).map { _ in PieceBuffer(byteCount: 20_000, from: memory) }
        #expect(pieces.map(\.byteCount).reduce(0, +) == 5 << 20 + 100_000)
        pieces = []
        #expect(memory.keptCount == 2)
    }
}

struct BulkWindowTests {
    /// A slow network gets one frame at a time, a quick one the whole window.
    @Test func windowFollowsTheNetwork() {
        let limits = TransportLimits()
        var window = BulkWindow(limits: limits)
        for _ in 0..<10 { window.flushed(after: .milliseconds(1)) }
        #expect(window.byteCount == limits.bulkInFlightByteCountMax)
        for _ in 0..<10 { window.flushed(after: .milliseconds(30)) }
        #expect(window.byteCount == limits.bulkInFlightByteCountMin)
        window.flushed(after: .milliseconds(15))
        #expect(window.byteCount == limits.bulkInFlightByteCountMin)
    }
}
