import AlbumModel
import DiskIO
import TestSupport
import Testing

@testable import PhotoStore
@testable import PotluckAgent

/// What could not be read for peers is looked at soon, and not too often.
@Suite(.timeLimit(.minutes(1))) struct FailedReadTests {
    /// However often a peer asks, a blob is read anew once an hour. Catches a disk that is kept busy by a stubborn peer, and
    /// a blob that is forgotten after its first look.
    @Test func eachIsLookedAtOnceAnHour() {
        var reads = RecentReads()
        let hour = RecentReads.interval
        let looks = [0, 1, hour - 1, hour, hour + 1].map { time in
            reads.note(blobID([1]), now: MonotonicInstant(nanoseconds: 10 + time))
        }
        #expect(looks == [true, false, false, true, false])
        let isOtherNew = reads.note(blobID([2]), now: MonotonicInstant(nanoseconds: 11 + hour))
        #expect(isOtherNew)
    }

    /// Beyond their bound blobs wait for a later failure. Catches memory that grows with what peers ask for.
    @Test func lookedAtBlobsAreBounded() {
        var reads = RecentReads()
        let now = MonotonicInstant(nanoseconds: 10)
        let countMax = RecentReads.countMax
        let looks = (0...countMax).map { reads.note(blobID([UInt8($0 / 256), UInt8($0 % 256)]), now: now) }
        #expect(looks.count { $0 } == countMax)
        #expect(looks.last == false)
        let later = reads.note(blobID([9]), now: MonotonicInstant(nanoseconds: 10 + RecentReads.interval))
        #expect(later)
    }

    /// A file that was opened as a sound one and does not give its bytes back is noted while it is sent. A process's own
    /// memory stands for it. Catches an error that only the connection knows.
    @Test func errorsWhileSendingAreNoted() async throws {
        let file = try Descriptor(opening: "/proc/self/mem", .readOwn)
        let reads = FailedReads()
        let source = BlobSource(
            blob: blobID([1]), reader: BlobReader(file: file, byteCount: 10), failedReads: reads)
        var bytes = [UInt8](repeating: 0, count: 10)
        #expect(throws: BlobError.self) { try bytes.withUnsafeMutableBytes { try source.read(at: 0, into: $0) } }
        var noted = reads.blobs.makeAsyncIterator()
        let first = await noted.next()
        #expect(first == blobID([1]))
    }
}
