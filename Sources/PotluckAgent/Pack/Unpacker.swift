import AlbumModel
import DiskIO
import NIOPosix
import PhotoPack
import PhotoStore
import PotluckAPI
import SyncEngine
import WireFormat

/// Takes in a pack: first all changes, then the photos that these make missing. Nothing in it is believed: changes are
/// checked as a peer's are, and bytes are compared with the hash that a signed change names.
struct Unpacker<Receiver: PackReceiver> {
    /// Blobs that are copied at a time: their syncs share commits, and a stick is not made to jump too much.
    private static var copyCountMax: Int { 4 }
    /// Passes over a pack's batches. A stick that was mended needs one for each time; one that somebody prepared could
    /// ask for as many as it has batches. What is left is told as refused, and the next unpacking goes on with it.
    private static var passCountMax: Int { 64 }

    /// Summaries whose signatures are checked in one go.
    private static var summaryCountMax: Int { 64 }

    let receiver: Receiver
    /// For reading the pack.
    let pool: NIOThreadPool
    /// More batches than this are not told apart: whoever has them all lacks nothing that need be counted.
    var countedBatchCountMax = 1 << 22

    /// - Parameter progress: called after each file of those that the pack has and this laptop lacks.
    /// - Throws: ``PotluckError``, also where the stick was pulled out meanwhile; what was taken in before stays, and another
    ///   attempt goes on from there.
    func run(_ directory: String, progress: @Sendable (AddProgress) async -> Void) async throws -> UnpackReport {
        let tag = receiver.tag
        do {
            let pack = try await pool.perform { try PackReader(directory: directory, tag: tag) }
            var report = UnpackReport(directory: directory, isRunning: receiver.isRunning)
            report.gathering = pack.manifest?.gathering
            report.packedBy = pack.manifest?.packedBy
            report.packedAt = pack.manifest.flatMap { Instant(parsing: $0.packedAt) }
            report.whole = pack.manifest?.isWhole
            try await takeBatches(pack, &report)
            // Of whom no batch is known nothing is believed: behind them all.
            var summaries = try await pool.perform { try pack.summaries() }[...]
            while !summaries.isEmpty {
                await receiver.carry(Array(summaries.prefix(Self.summaryCountMax)))
                summaries = summaries.dropFirst(Self.summaryCountMax)
            }
            try await takeBlobs(pack, &report, progress)
            try await receiver.finish()
            if report.isDamaged { try await pool.perform { try pack.requirePresence() } }
            report.missing = await receiver.missingCount()
            return report
        } catch let error as PackError {
            throw PotluckError(.failed, error.message)
        } catch let error as StoreError {
            throw PotluckError(.failed, error.message)
        }
    }

    // MARK: Changes

    private func takeBatches(_ pack: PackReader, _ report: inout UnpackReport) async throws {
        let files = try await pool.perform { try pack.batchFiles() }
        var pass = BatchPass(seenCountMax: countedBatchCountMax)
        var passCount = 0
        // Where a file was damaged and packed anew, what follows its batches comes before them.
        repeat {
            pass = BatchPass(seenCountMax: countedBatchCountMax)
            passCount += 1
            for file in files {
                try Task.checkCancellation()
                let content = try await pool.perform { try pack.batches(inFile: file) }
                if content.isDamaged { pass.damagedFileCount += 1 }
                for page in content.pages { pass.count(page, try await receiver.carry(page)) }
            }
            report.batches += pass.newCount
        } while pass.newCount > 0 && pass.lacksPrevious && passCount < Self.passCountMax
        report.refused = pass.refusedCount
        if let manifest = pack.manifest {
            // Until a packing has come to its end, nobody knows how many there are.
            report.unreadable = manifest.isWhole ? pass.lackingCount(of: manifest.batches) : 0
        } else {
            report.unreadable = pass.damagedFileCount
        }
        guard pass.isForeign else { return }
        throw PotluckError(
            .failed,
            "\(pack.directory) is a pack of another gathering: none of its changes was signed by a member of this one.")
    }

    /// What one pass over all files of batches came to.
    private struct BatchPass {
        let seenCountMax: Int
        var newCount = 0
        var damagedFileCount = 0
        private(set) var refusedCount = 0
        /// Some batch follows one that is not here.
        private(set) var lacksPrevious = false
        private var hasBadProof = false
        private var acceptedCount = 0
        /// The first bytes of the hashes of distinct batches.
        private var seen: Set<UInt64> = []

        init(seenCountMax: Int) {
            self.seenCountMax = seenCountMax
        }

        mutating func count(_ page: BatchPage, _ outcome: CarriedOutcome) {
            newCount += outcome.newCount
            acceptedCount += outcome.newCount + outcome.knownCount
            refusedCount += outcome.refusals.count
            lacksPrevious = lacksPrevious || outcome.refusals.contains(.unknownPrevious)
            hasBadProof = hasBadProof || outcome.refusals.contains(.badProof)
            for batch in page.batches where seen.count < seenCountMax {
                seen.insert(BigEndian.word(BatchSignature.batchID(batch.content).bytes.prefix(8)))
            }
        }

        /// How many batches of those that were packed nobody saw.
        func lackingCount(of packedCount: Int) -> Int {
            seen.count < seenCountMax ? max(0, packedCount - seen.count) : 0
        }

        var isForeign: Bool { acceptedCount == 0 && hasBadProof }
    }

    // MARK: Photos

    private struct Copy: Sendable {
        enum Outcome: Sendable {
            case taken
            case damaged(reason: String)
        }

        var want: CarriedWant
        var byteCount: UInt64 = 0
        var outcome: Outcome
    }

    private func takeBlobs(
        _ pack: PackReader, _ report: inout UnpackReport, _ progress: @Sendable (AddProgress) async -> Void
    ) async throws {
        let wants = await receiver.wants()
        let (found, fileCount) = try await pool.perform {
            (wants.filter { pack.contains($0.blob) }, try pack.blobCount())
        }
        if let manifest = pack.manifest, manifest.isWhole { report.gone = max(0, manifest.files - fileCount) }
        var done = 0
        try await withThrowingTaskGroup(of: Copy.self) { group in
            var rest = found[...]
            while true {
                if let want = rest.popFirst() {
                    group.addTask { try await copy(want, from: pack) }
                    // The first ones fill the group, each later one waits for another's end.
                    if found.count - rest.count < Self.copyCountMax { continue }
                }
                guard let copy = try await group.next() else { break }
                await note(copy, &report)
                done += 1
                await progress(AddProgress(done: done, total: found.count))
            }
        }
    }

    private func note(_ copy: Copy, _ report: inout UnpackReport) async {
        switch copy.outcome {
        case .taken:
            report.bytes += copy.byteCount
            if copy.want.blobClass == .thumbnail { report.thumbnails += 1 } else { report.photos += 1 }
        // One that can be made again.
        case .damaged where copy.want.blobClass == .thumbnail: break
        case .damaged(let reason):
            let name = await receiver.name(of: copy.want.blob)
            report.damaged.append(PackedPhoto(id: copy.want.blob.hex, name: name, reason: reason))
        }
    }

    private func copy(_ want: CarriedWant, from pack: PackReader) async throws -> Copy {
        try Task.checkCancellation()
        do {
            guard let file = try await pool.perform({ try pack.open(want.blob) }) else {
                return Copy(want: want, outcome: .damaged(reason: "it is gone from the pack"))
            }
            guard want.byteCounts.contains(file.byteCount) else {
                return Copy(want: want, outcome: .damaged(reason: "its file was cut short or changed"))
            }
            try await receiver.take(want.blob, from: file)
            return Copy(want: want, byteCount: file.byteCount, outcome: .taken)
        } catch let error as BlobError where error.isDiskFull {
            throw PotluckError(
                .failed, "The disk of this laptop is full. Make room, and unpack again: it goes on where it stopped.")
        } catch let error as BlobError {
            let isChanged = error.code == .contentChanged
            return Copy(want: want, outcome: .damaged(reason: isChanged ? "its bytes are damaged" : "\(error)"))
        } catch let error as PackError {
            return Copy(want: want, outcome: .damaged(reason: error.message))
        }
    }
}
