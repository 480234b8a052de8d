import AlbumModel
import DiskIO
import NIOPosix
import PhotoPack
import PhotoStore
public import PotluckAPI
import SyncEngine
import WireFormat

/// Writes a pack, in the process of whoever asks for it: it reads a home's journal and blobs beside a running agent,
/// which neither waits for it nor has to be allowed to write to a stick.
public struct Packing: Sendable {
    private let home: String
    private let directory: String
    private let since: Instant?
    private let rereads: Bool

    /// - Parameters:
    ///   - home: the home's absolute path.
    ///   - directory: the pack's.
    ///   - since: only photos of which this laptop learned then or later.
    ///   - rereads: whether what is in the pack already is read and compared.
    public init(home: String, directory: String, since: Instant?, rereads: Bool) {
        self.home = home
        self.directory = directory
        self.since = since
        self.rereads = rereads
    }

    /// - Parameters:
    ///   - at: the present.
    ///   - progress: called from another thread, once for each mebibyte and each file.
    /// - Throws: ``PotluckError``. A disk that becomes full is no error but told in the report.
    public func run(
        _ plan: PackPlan, at: Instant, progress: @escaping @Sendable (PackProgress) -> Void
    ) async throws -> PackReport {
        do {
            return try await NIOThreadPool.singleton.perform { try pack(plan, at, progress) }
        } catch let error as PackError {
            throw PotluckError(.failed, error.message)
        } catch let error as StoreError {
            throw PotluckError(.failed, error.message)
        }
    }

    private func pack(
        _ plan: PackPlan, _ at: Instant, _ progress: @escaping @Sendable (PackProgress) -> Void
    ) throws -> PackReport {
        try PackPlace.refuseOwn(directory)
        let writer = try PackWriter(
            directory: directory,
            manifest: PackManifest(
                gathering: plan.gathering, tag: plan.tag, packedBy: plan.device, packedAt: at.text),
            rereads: rereads)
        var report = PackReport(directory: directory, gathering: plan.gathering)
        report.absent = plan.absent
        let known = writer.batchCount
        let recent = try packBatches(plan, writer)
        report.batches = writer.batchCount - known
        var run = PackRun(writer: writer, home: home, report: report, progress: progress)
        do {
            // Small and shown first, so they go first.
            try run.add(
                thumbnails: plan.thumbnails.compactMap { BlobID(hex: $0) }.filter { recent?.contains($0) ?? true })
            try run.add(photos: plan.photos.filter { photo in recent?.contains(hex: photo.id) ?? true })
            _ = try writer.finish(isWhole: true)
        } catch let error as PackError where error.code == .full {
            // Said in the report; if not even a few hundred bytes fit, the pack is known not to be whole anyway.
            _ = try? writer.finish(isWhole: false)
            run.takeBackUnnamed(plan)
            // There was room for all photos, and not for what describes them.
            guard run.report.unpacked > 0 else { throw error }
        }
        return run.report
    }

    /// What devices were last known to hold, this one among them, as it told others.
    private func summaries() throws -> [SignedStatement] {
        try Journal(home: home).facts(.holdings).compactMap { _, value in
            HoldingsMemory(bytes: value)?.record?.summary?.statement
        }
    }

    /// All changes that the home has, however old: they are few bytes beside the photos, and whoever lacks one of them
    /// cannot use those that follow it.
    ///
    /// - Returns: blobs of which this laptop learned lately; `nil` where all are to be packed.
    private func packBatches(_ plan: PackPlan, _ writer: PackWriter) throws -> Set<BlobID>? {
        var recent: Set<BlobID> = []
        let start = since.map { UInt64(max(0, $0.millisecondsSince1970)) * 1000 }
        try Journal(home: home).forEachBatch { row in
            try writer.add([row.batch])
            guard let start, row.received >= start else { return }
            for change in try Batch(decoding: row.batch.content).changes {
                switch change {
                case .photoAdded(let addition): recent.insert(addition.blob)
                case .photoRead(_, _, let facts): if let thumbnail = facts.thumbnail { recent.insert(thumbnail.blob) }
                default: break
                }
            }
        }
        try writer.endBatches()
        try writer.add(summaries: try summaries() + [plan.summary?.signed].compactMap(\.self))
        return start == nil ? nil : recent
    }
}

extension Set<BlobID> {
    fileprivate func contains(hex: String) -> Bool { BlobID(hex: hex).map { contains($0) } ?? false }
}

/// The blobs of one packing.
struct PackRun {
    let writer: PackWriter
    let home: String
    var report: PackReport
    let progress: @Sendable (PackProgress) -> Void

    mutating func add(thumbnails: [BlobID]) throws {
        for blob in thumbnails {
            var byteCount: UInt64 = 0
            switch try writer.add(blob, from: BlobStore.path(of: blob, home: home), progress: { byteCount += $0 }) {
            case .written:
                report.thumbnails += 1
                report.bytes += byteCount
            case .kept: report.thumbnails += 1
            // A thumbnail can be made again of its photo.
            case .leftOut: break
            }
        }
    }

    mutating func add(photos: [PackPlan.Photo]) throws {
        var step = PackProgress()
        step.fileTotal = photos.count
        step.byteTotal = photos.map(\.bytes).clampedSum
        report.unpacked = photos.count
        for photo in photos {
            guard let blob = BlobID(hex: photo.id) else { continue }
            let (path, before) = (BlobStore.path(of: blob, home: home), step.bytes)
            let outcome = try writer.add(blob, from: path) { count in
                step.bytes += count
                progress(step)
            }
            report.unpacked -= 1
            switch outcome {
            case .written:
                report.photos += 1
                report.bytes += step.bytes - before
            case .kept:
                report.photos += 1
                report.kept += 1
            case .leftOut(let reason):
                report.leftOut.append(PackedPhoto(id: photo.id, name: photo.name, reason: reason))
            }
            step.files += 1
            progress(step)
        }
    }

    /// Corrects the report by the blobs that were written and for whose names there was no room.
    mutating func takeBackUnnamed(_ plan: PackPlan) {
        let photos = Set(plan.photos.map(\.id))
        for unnamed in writer.unnamed {
            report.bytes -= unnamed.byteCount
            if photos.contains(unnamed.blob.hex) {
                report.photos -= 1
                report.unpacked += 1
            } else {
                report.thumbnails -= 1
            }
        }
    }
}
