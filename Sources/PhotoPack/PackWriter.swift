public import AlbumModel
import DiskIO
import Glibc
public import WireFormat

/// Writes a pack, or brings one up to date. Every call blocks; one thread calls at a time.
///
/// A file gets its own name only after its bytes are synced, so that a file of the right size is right even on a stick
/// that was pulled out; it is never written again then. What was packed by another laptop of the gathering stays.
public final class PackWriter {
    /// What became of a blob.
    public enum Outcome: Hashable, Sendable {
        case written
        /// It was there already.
        case kept
        /// The end of a sentence that says why not.
        case leftOut(reason: String)
    }

    /// A blob that was whole, and got no name in the pack.
    public struct Unnamed: Hashable, Sendable {
        public var blob: BlobID
        public var byteCount: UInt64
    }

    /// Batches that the pack has.
    public private(set) var batchCount = 0
    /// Blobs of which ``add(_:from:progress:)`` returned ``Outcome/written`` and which the pack lacks, since the disk was
    /// full or failed when they were to get their names.
    public private(set) var unnamed: [Unnamed] = []

    /// Of the batches that the pack has, as many as may be.
    private var knownBatches: Set<BatchID> = []
    private let knownBatchCountMax: Int
    private let write: TemporaryFile.Write
    private let rereads: Bool
    private var manifest: PackManifest
    /// Open from the first write on, so that syncing it tells of every write that failed.
    private let root: OpenDirectory
    private var pages = BatchPages()
    private var nextFile = 1
    private var fileCount = 0
    /// Whole and not yet synced.
    private var waiting: [(file: TemporaryFile, final: String, blob: BlobID?)] = []
    private var waitingByteCount: UInt64 = 0
    private var madeDirectories: Set<String> = []

    private var directory: String { root.path }

    /// Makes the directory, or goes on with the pack in it.
    ///
    /// - Parameters:
    ///   - directory: an absolute path whose parent exists.
    ///   - rereads: whether files that are there are read and compared with their names, not only their sizes looked at.
    /// - Throws: ``PackError``, where the directory holds anything else, a pack of another gathering, or one with more batches
    ///   than can be told apart.
    public convenience init(directory: String, manifest: PackManifest, rereads: Bool = false) throws(PackError) {
        try self.init(directory: directory, manifest: manifest, rereads: rereads, write: TemporaryFile.systemWrite)
    }

    init(
        directory: String, manifest: PackManifest, rereads: Bool = false, write: @escaping TemporaryFile.Write,
        knownBatchCountMax: Int = PackLimits.knownBatchCountMax
    ) throws(PackError) {
        self.write = write
        self.knownBatchCountMax = knownBatchCountMax
        self.rereads = rereads
        self.manifest = manifest
        root = try PackError.wrapping(directory) { try Self.open(directory) }
        try PackError.wrapping(directory) { try begin() }
    }

    private static func open(_ directory: String) throws -> OpenDirectory {
        do throws(FileError) {
            try Disk.makeDirectory(directory, mode: 0o755)
        } catch {
            guard error.errno == ENOENT else { throw error }
            throw PackError(
                .destination,
                "\(directory) cannot be made, since the directory that it would be in is not there. If that is on a stick, plug it in first."
            )
        }
        let root = try OpenDirectory(path: directory)
        guard root.tryLock() else {
            throw PackError(.busy, "Another `potluck pack` writes to \(directory); wait for its end.")
        }
        return root
    }

    private func begin() throws {
        let names = try root.names()
        let old = try PackManifest.read(in: root)
        guard old != nil || names.allSatisfy(PackLayout.isTemporary) else {
            let isPack = names.contains(PackLayout.manifest)
            throw PackError(
                .destination,
                isPack
                    ? "The pack in \(directory) is damaged: its \(PackLayout.manifest) cannot be read. Pack into another directory."
                    : "\(directory) holds other files already. Name a new or an empty directory, for example \(directory)/Potluck."
            )
        }
        if let old, old.tag != manifest.tag { throw PackError.foreign(directory, old) }
        let directories = [PackLayout.batches, PackLayout.blobs]
        // What stands in the way is told while nothing has changed.
        for name in directories { _ = try root.directory(name) }
        let damaged = old == nil ? [] : try readBatches()
        for name in names where PackLayout.isTemporary(name) { try root.removeFile(name) }
        try writeManifest()
        for name in directories { try root.makeDirectory(name, mode: 0o755) }
        try mend(damaged)
    }

    /// Learns which batches are there.
    ///
    /// - Returns: the files that are damaged.
    private func readBatches() throws -> [Int] {
        let reader = try PackReader(root, tag: manifest.tag)
        var damaged: [Int] = []
        for number in try reader.batchFiles() {
            nextFile = number + 1
            let content = try reader.batches(inFile: number)
            for page in content.pages { knownBatches.formUnion(page.batches.map(BatchFile.id)) }
            guard knownBatches.count <= knownBatchCountMax else {
                throw PackError(
                    .destination,
                    "The pack in \(directory) has more changes than can be told apart (\(knownBatchCountMax)). Pack into another directory."
                )
            }
            if content.isDamaged { damaged.append(number) }
        }
        batchCount = knownBatches.count
        return damaged
    }

    /// Replaces damaged files by what can be read of them; one of which nothing can be read is left alone, and hurts nobody.
    private func mend(_ damaged: [Int]) throws {
        guard !damaged.isEmpty else { return }
        let reader = try PackReader(root, tag: manifest.tag)
        for number in damaged {
            let content = try reader.batches(inFile: number)
            guard !content.pages.isEmpty else { continue }
            let bytes = content.pages.reduce(into: BatchFile.mark) { $0 += BatchFile.record($1) }
            try add(bytes, as: PackLayout.batchFile(number))
        }
    }

    // MARK: Batches

    /// Adds batches that the pack lacks, each after the one that it follows.
    public func add(_ batches: [SignedBatch]) throws(PackError) {
        try PackError.wrapping(directory) {
            for batch in batches where isNew(BatchFile.id(of: batch)) {
                batchCount += 1
                if let file = pages.add(batch) { try addBatchFile(file) }
            }
        }
    }

    /// Rather one twice than none: what comes when as many are known as may be counts as new.
    private func isNew(_ batch: BatchID) -> Bool {
        knownBatches.count < knownBatchCountMax
            ? knownBatches.insert(batch).inserted : !knownBatches.contains(batch)
    }

    private func addBatchFile(_ bytes: [UInt8]) throws {
        try add(bytes, as: PackLayout.batchFile(nextFile))
        nextFile += 1
    }

    /// Ends with what was added so far; to be called before blobs are added, which may fill the disk.
    public func endBatches() throws(PackError) {
        try PackError.wrapping(directory) { try nameAll() }
    }

    private func nameAll() throws {
        if let file = pages.takeRest() { try addBatchFile(file) }
        try nameWaiting()
    }

    // MARK: Summaries

    /// Adds what devices said that they hold; of those that the pack has the newer one of each device stays.
    public func add(summaries: [SignedStatement]) throws(PackError) {
        try PackError.wrapping(directory) {
            let packed = try PackReader(root, tag: manifest.tag).summaries()
            let bytes = SummaryFile.bytes(SummaryFile.newest(packed + summaries))
            guard let bytes else { return }
            try add(bytes, as: PackLayout.summaries)
            try nameWaiting()
        }
    }

    // MARK: Blobs

    /// Adds a blob, and checks its bytes on their way.
    ///
    /// - Parameters:
    ///   - path: of its file on this laptop.
    ///   - progress: called with the number of bytes that were just read.
    /// - Throws: ``PackError``, where the pack's disk is full or fails; what was added before is not lost by it, but for
    ///   what is ``unnamed`` then.
    public func add(
        _ blob: BlobID, from path: String, progress: (UInt64) -> Void = { _ in }
    ) throws(PackError) -> Outcome {
        do {
            return try add(blob, path, progress)
        } catch {
            // What is whole is kept; where that fails too, the first error says why.
            try? nameWaiting()
            throw PackError(error, directory: directory)
        }
    }

    private func add(_ blob: BlobID, _ path: String, _ progress: (UInt64) -> Void) throws -> Outcome {
        let source: OpenFile
        do throws(FileError) {
            source = try OpenFile(path: path)
        } catch {
            return .leftOut(reason: error.isAbsent ? "its bytes are not on this laptop" : "it cannot be read: \(error)")
        }
        switch try look(for: blob, byteCount: source.byteCount) {
        case .right:
            progress(source.byteCount)
            return .kept
        case .blocked(let reason): return .leftOut(reason: reason)
        case .lacking: return try copy(source, blob, progress)
        }
    }

    /// What the pack has in a blob's place.
    private enum Presence {
        case right
        /// Nothing, or a file that is written anew.
        case lacking
        /// No file; the end of a sentence.
        case blocked(reason: String)
    }

    private func look(for blob: BlobID, byteCount: UInt64) throws -> Presence {
        do {
            guard let packed = try root.file(PackLayout.file(of: blob)), packed.byteCount == byteCount else {
                return .lacking
            }
            guard rereads else { return .right }
            return try packed.blobID() == blob ? .right : .lacking
        } catch let error as FileError where error.isObstacle {
            return .blocked(reason: "\(error.reason); move that away and pack again")
        } catch is FileError {
            // What cannot be read is written anew.
            return .lacking
        }
    }

    private func copy(_ source: OpenFile, _ blob: BlobID, _ progress: (UInt64) -> Void) throws -> Outcome {
        let file = try newFile()
        var copy = CheckedCopy()
        do {
            try source.forEachChunk { bytes, _ in
                try copy.pass(bytes, to: file)
                progress(UInt64(bytes.count))
            }
            try file.close()
        } catch let error as FileError where error.path == source.path {
            return .leftOut(reason: "it cannot be read: \(error)")
        } catch let error as FileError where error.isTooLargeForDisk {
            return .leftOut(reason: "the pack's disk takes no files above 4 GB; one with exFAT or NTFS does")
        }
        guard copy.blob == blob else {
            return .leftOut(reason: "its bytes here are damaged; `potluck verify --repair` gets it from another laptop")
        }
        let directory = PackLayout.directory(of: blob)
        if madeDirectories.insert(directory).inserted { try root.makeDirectory(directory, mode: 0o755) }
        try wait(file, as: PackLayout.file(of: blob), of: blob)
        return .written
    }

    // MARK: Names

    private func newFile() throws(FileError) -> TemporaryFile {
        fileCount += 1
        return try TemporaryFile(in: root, name: PackLayout.temporaryFile(fileCount), mode: 0o644, write: write)
    }

    private func add(_ bytes: [UInt8], as final: String) throws {
        let file = try newFile()
        try file.append(bytes)
        try file.close()
        try wait(file, as: final)
    }

    private func wait(_ file: TemporaryFile, as final: String, of blob: BlobID? = nil) throws {
        // Before this one joins them: nobody was told yet that it is written.
        if waiting.count >= PackLimits.groupFileCount || waitingByteCount >= PackLimits.groupByteCount {
            try nameWaiting()
        }
        waiting.append((file, final, blob))
        waitingByteCount += file.byteCount
    }

    /// Syncs what is whole, all at once, and only then gives it its names.
    private func nameWaiting() throws {
        // A file whose sync failed must not get its name: it goes with this array.
        let files = waiting
        waiting.removeAll()
        waitingByteCount = 0
        guard !files.isEmpty else { return }
        var namedCount = 0
        defer {
            unnamed += files.dropFirst(namedCount).compactMap { file, _, blob in
                blob.map { Unnamed(blob: $0, byteCount: file.byteCount) }
            }
        }
        try root.synchronizeFileSystem()
        for (file, final, _) in files {
            try file.rename(to: final, replacing: true)
            namedCount += 1
        }
    }

    private func writeManifest() throws {
        try add(try manifest.bytes, as: PackLayout.manifest)
        try nameWaiting()
        try root.synchronizeFileSystem()
    }

    /// Ends the packing; all is on the disk when it returns.
    ///
    /// - Parameter isWhole: everything is there that was to be packed.
    public func finish(isWhole: Bool) throws(PackError) -> PackManifest {
        try PackError.wrapping(directory) {
            try nameAll()
            manifest.batches = batchCount
            manifest.files = try PackLayout.blobCount(in: root)
            manifest.isWhole = isWhole
            try writeManifest()
            return manifest
        }
    }
}
