import MediaWorkerProtocol
import Testing

/// Messages between agent and worker, of which the agent believes none.
@Suite struct WorkerProtocolTests {
    private var report: Report {
        var report = Report()
        report.container = .jpeg
        (report.width, report.height) = (4000, 3000)
        report.tags = [.init(name: "EXIF:Make", value: "Kuh"), .init(name: "EXIF:Model", value: "Ä 1")]
        report.mayHoldMore = true
        report.picture = .init(width: 480, height: 360, bytes: [1, 2, 3])
        report.problem = "it is damaged"
        return report
    }

    /// What is written is read.
    @Test func messagesComeAsTheyWent() {
        #expect(Report(bytes: report.bytes) == report)
        #expect(Report(bytes: Report().bytes) == Report())
        let job = Job(kind: .picture, side: 2048, orientation: 6)
        #expect(job.bytes.count == Job.byteCount && Job(bytes: job.bytes) == job)
        let greeting = Greeting(landlock: 7, hasCallFilter: true)
        #expect(greeting.bytes.count == Greeting.byteCount && Greeting(bytes: greeting.bytes) == greeting)
    }

    /// A message that is cut, or has more behind it, is none; and whichever byte is another, nothing traps.
    @Test func damagedMessagesAreNone() {
        let bytes = report.bytes
        for count in bytes.indices { #expect(Report(bytes: Array(bytes.prefix(count))) == nil) }
        #expect(Report(bytes: bytes + [0]) == nil)
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                var other = bytes
                other[index] = value
                _ = Report(bytes: other)
            }
        }
        #expect(
            Job(bytes: [9, 0, 1, 0]) == nil && Job(bytes: [1, 9, 1, 0]) == nil && Job(bytes: [1, 0, 0, 0]) == nil)
        #expect(Job(bytes: [1, 0, 0xFF, 0xFF]) == nil && Job(bytes: [1, 0, 1]) == nil)
        #expect(Greeting(bytes: [2, 0, 7, 1]) == nil && Greeting(bytes: [1, 0, 7, 2]) == nil)
    }

    /// Text that is too long is cut between letters, and control characters do not travel, so that an honest report is
    /// always read.
    @Test func textsAreMadeFit() throws {
        var report = Report()
        report.problem = String(repeating: "ä", count: 1000)
        report.tags = [.init(name: "EXIF:Make", value: "a\u{1B}[31m\nb\0")]
        report.tags += (0..<1000).map { .init(name: "EXIF:Tag\($0)", value: "") }
        let read = try #require(Report(bytes: report.bytes))
        #expect(read.problem == String(repeating: "ä", count: WorkerLimits.problemByteCountMax / 2))
        #expect(read.tags.first?.value == "a[31mb")
        #expect(read.tags.count == WorkerLimits.tagCountMax)
    }

    /// A report with as many tags, as long a value and as long a picture as there may be is read; one more of any is refused.
    @Test func longReportsAreRefused() {
        func little(_ number: Int, _ byteCount: Int) -> [UInt8] {
            (0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        }
        func report(tagCount: Int = 0, valueByteCount: Int = 0, pictureByteCount: Int = 0) -> Report? {
            // Kind, size and flag; no problem.
            var bytes = Array(Report().bytes.prefix(10)) + little(0, 2) + little(tagCount, 2)
            for _ in 0..<tagCount {
                bytes += little(1, 2) + Array("T".utf8) + little(valueByteCount, 2)
                bytes += [UInt8](repeating: UInt8(ascii: "v"), count: valueByteCount)
            }
            bytes += little(100, 4) + little(100, 4) + little(pictureByteCount, 4)
            return Report(bytes: bytes + [UInt8](repeating: 1, count: pictureByteCount))
        }
        let most = report(tagCount: 256, valueByteCount: 1024, pictureByteCount: 8 << 20)
        #expect(most?.tags.count == 256 && most?.tags.last?.value.utf8.count == 1024)
        #expect(most?.picture?.bytes.count == 8 << 20)
        #expect(report(tagCount: 257) == nil)
        #expect(report(tagCount: 1, valueByteCount: 1025) == nil)
        #expect(report(pictureByteCount: 8 << 20 | 1) == nil)
    }

    /// Control characters, bad UTF-8 and unknown kinds are refused.
    @Test func whatNoHonestWorkerSaysIsRefused() {
        var bytes = Report().bytes
        bytes[0] = 200
        #expect(Report(bytes: bytes) == nil)
        // The problem's length stands behind kind, size and flag.
        for text in [[0x1B], [0xC3], [0xFF]] as [[UInt8]] {
            var bytes = Report().bytes
            bytes.replaceSubrange(10..<12, with: [UInt8(text.count), 0] + text)
            #expect(Report(bytes: bytes) == nil, "\(text)")
        }
    }
}
