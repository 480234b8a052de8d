public import AlbumModel
import CFileOps
import Glibc
import WireFormat

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

    /// Batches that the pack has.
    public private(set) var batchIDs: Set<BatchID> = []

    private let root: String
    private let write: NewFile.Write
    private let rereads: Bool
    private var manifest: PackManifest
    /// Open from the first write on, so that syncing it tells of every write that failed.
    private let descriptor: Int32
    private var pages = BatchPages()
    private var nextFile = 1
    private var fileCount = 0
    /// Whole and not yet synced.
    private var waiting: [(file: NewFile, final: String)] = []
    private var waitingByteCount: UInt64 = 0
    private var madeDirectories: Set<String> = []

    /// Makes the directory, or goes on with the pack in it.
    ///
    /// - Parameters:
    ///   - directory: an absolute path whose parent exists.
    ///   - rereads: whether files that are there are read and compared with their names, not only their sizes looked at.
    /// - Throws: ``PackError``, where the directory holds anything else, or a pack of another gathering.
    public convenience init(directory: String, manifest: PackManifest, rereads: Bool = false) throws(PackError) {
        try self.init(directory: directory, manifest: manifest, rereads: rereads, write: NewFile.systemWrite)
    }

    init(
        directory: String, manifest: PackManifest, rereads: Bool = false, write: @escaping NewFile.Write
    ) throws(PackError) {
        root = directory
        self.write = write
        self.rereads = rereads
        self.manifest = manifest
        descriptor = try PackError.wrapping(directory) { try Self.open(directory) }
        try PackError.wrapping(directory) { try begin() }
    }

    deinit {
        close(descriptor)
    }

    private static func open(_ directory: String) throws -> Int32 {
        if mkdir(directory, 0o755) != 0, errno != EEXIST {
            guard errno == ENOENT else { throw StickError.last("make", directory) }
            throw PackError(
                .destination,
                "\(directory) cannot be made, since the directory that it would be in is not there. If that is on a stick, plug it in first."
            )
        }
        let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StickError.last("open", directory) }
        // Where directories cannot be locked, there is one writer, or there is bad luck.
        guard cfileops_try_lock(descriptor) != EWOULDBLOCK else {
            close(descriptor)
            throw PackError(.busy, "Another `potluck pack` writes to \(directory); wait for its end.")
        }
        return descriptor
    }

    private func begin() throws {
        let names = try Directories.names(in: root).filter { !$0.hasPrefix(PackLayout.temporaryPrefix) }
        let old = try PackManifest.read(in: root)
        guard names.isEmpty || old != nil else {
            let isPack = names.contains(PackLayout.manifest)
            throw PackError(
                .destination,
                isPack
                    ? "The pack in \(root) is damaged: its \(PackLayout.manifest) cannot be read. Pack into another directory."
                    : "\(root) holds other files already. Name a new or an empty directory, for example \(root)/Potluck."
            )
        }
        if let old, old.tag != manifest.tag { throw PackError.foreign(root, old) }
        for name in try Directories.names(in: root) where name.hasPrefix(PackLayout.temporaryPrefix) {
            unlink("\(root)/\(name)")
        }
        try writeManifest()
        try Directories.make("\(root)/\(PackLayout.batches)")
        try Directories.make("\(root)/\(PackLayout.blobs)")
        try readBatches()
    }

    /// Learns which batches are there. A file that is damaged is replaced by what can be read of it; one of which
    /// nothing can be read is left alone, and hurts nobody.
    private func readBatches() throws {
        let reader = try PackReader(directory: root, tag: manifest.tag)
        for number in try reader.batchFiles() {
            nextFile = number + 1
            let content = reader.batches(inFile: number)
            for page in content.pages { batchIDs.formUnion(page.batches.map(BatchFile.id)) }
            guard content.isDamaged, !content.pages.isEmpty else { continue }
            let bytes = content.pages.reduce(into: BatchFile.mark) { $0 += BatchFile.record($1) }
            try add(bytes, as: PackLayout.batchFile(number))
        }
    }

    // MARK: Batches

    /// Adds batches that the pack lacks, each after the one that it follows.
    public func add(_ batches: [SignedBatch]) throws(PackError) {
        try PackError.wrapping(root) {
            for batch in batches where batchIDs.insert(BatchFile.id(of: batch)).inserted {
                if let file = pages.add(batch) { try addBatchFile(file) }
            }
        }
    }

    private func addBatchFile(_ bytes: [UInt8]) throws {
        try add(bytes, as: PackLayout.batchFile(nextFile))
        nextFile += 1
    }

    /// Ends with what was added so far; to be called before blobs are added, which may fill the disk.
    public func endBatches() throws(PackError) {
        try PackError.wrapping(root) { try nameAll() }
    }

    private func nameAll() throws {
        if let file = pages.takeRest() { try addBatchFile(file) }
        try nameWaiting()
    }

    // MARK: Blobs

    /// Adds a blob, and checks its bytes on their way.
    ///
    /// - Parameters:
    ///   - path: of its file on this laptop.
    ///   - progress: called with the number of bytes that were just read.
    /// - Throws: ``PackError``, where the pack's disk is full or fails; what was added before is not lost by it.
    public func add(
        _ blob: BlobID, from path: String, progress: (UInt64) -> Void = { _ in }
    ) throws(PackError) -> Outcome {
        do {
            return try add(blob, path, progress)
        } catch {
            // What is whole is kept; where that fails too, the first error says why.
            try? nameWaiting()
            throw PackError(error, directory: root)
        }
    }

    private func add(_ blob: BlobID, _ path: String, _ progress: (UInt64) -> Void) throws -> Outcome {
        let source: PackedFile
        switch Result(catching: { try PackedFile(path: path) }) {
        case .success(let file?): source = file
        case .success(nil): return .leftOut(reason: "its bytes are not on this laptop")
        case .failure(let error): return .leftOut(reason: "it cannot be read: \(error)")
        }
        if try isThere(blob, byteCount: source.byteCount) {
            progress(source.byteCount)
            return .kept
        }
        return try copy(source, blob, progress)
    }

    private func isThere(_ blob: BlobID, byteCount: UInt64) throws -> Bool {
        // What cannot be opened is written anew.
        guard let packed = try? PackedFile(path: "\(root)/\(PackLayout.file(of: blob))"), packed.byteCount == byteCount
        else { return false }
        guard rereads else { return true }
        return (try? packed.blobID()) == blob
    }

    private func copy(_ source: PackedFile, _ blob: BlobID, _ progress: (UInt64) -> Void) throws -> Outcome {
        let file = try newFile()
        var copy = CheckedCopy()
        do {
            try source.forEachChunk { bytes in
                try copy.pass(bytes, to: file)
                progress(UInt64(bytes.count))
            }
            try file.close()
        } catch let error as StickError where error.isTooLarge {
            return .leftOut(reason: "the pack's disk takes no files above 4 GB; one with exFAT or NTFS does")
        } catch let error as StickError where error.call == "read" {
            return .leftOut(reason: "it cannot be read: \(error.reason)")
        }
        guard copy.blob == blob else {
            return .leftOut(reason: "its bytes here are damaged; `potluck verify --repair` gets it from another laptop")
        }
        let directory = PackLayout.directory(of: blob)
        if madeDirectories.insert(directory).inserted { try Directories.make("\(root)/\(directory)") }
        try wait(file, byteCount: copy.byteCount, as: PackLayout.file(of: blob))
        return .written
    }

    // MARK: Names

    private func newFile() throws -> NewFile {
        fileCount += 1
        return try NewFile(temporary: "\(root)/\(PackLayout.temporaryPrefix)\(fileCount)", write: write)
    }

    private func add(_ bytes: [UInt8], as final: String) throws {
        let file = try newFile()
        try file.write(bytes)
        try file.close()
        try wait(file, byteCount: UInt64(bytes.count), as: final)
    }

    private func wait(_ file: NewFile, byteCount: UInt64, as final: String) throws {
        waiting.append((file, final))
        waitingByteCount += byteCount
        if waiting.count >= PackLimits.groupFileCount || waitingByteCount >= PackLimits.groupByteCount {
            try nameWaiting()
        }
    }

    /// Syncs what is whole, all at once, and only then gives it its names.
    private func nameWaiting() throws {
        // A file whose sync failed must not get its name: it goes with this array.
        let files = waiting
        waiting.removeAll()
        waitingByteCount = 0
        guard !files.isEmpty else { return }
        try synchronize()
        for (file, final) in files { try file.rename(to: "\(root)/\(final)") }
    }

    private func synchronize() throws {
        let status = cfileops_sync_file_system(descriptor)
        guard status == 0 else { throw StickError(number: status, call: "write", path: root) }
    }

    private func writeManifest() throws {
        try add(try manifest.bytes, as: PackLayout.manifest)
        try nameWaiting()
        try synchronize()
    }

    /// Ends the packing; all is on the disk when it returns.
    ///
    /// - Parameter isWhole: everything is there that was to be packed.
    public func finish(isWhole: Bool) throws(PackError) -> PackManifest {
        try PackError.wrapping(root) {
            try nameAll()
            manifest.batches = batchIDs.count
            manifest.files = try PackLayout.blobCount(in: root)
            manifest.isWhole = isWhole
            try writeManifest()
            return manifest
        }
    }
}
