public import AlbumModel
import DiskIO
import Glibc
import Synchronization

/// Keeps every original and derived file under the SHA-256 of its bytes: `home/blobs/ab/cdef…`.
///
/// Rules that are a must, or a power cut loses or falsifies photos:
/// 1. A blob's bytes are synced before the file gets its name in `blobs/`, so a name there never stands on other bytes.
/// 2. The directory is synced before the store says that it has the blob, so nothing is announced that may vanish.
/// 3. The journal's commit about a blob comes after both, the batch's sending after that; see ``Journal``.
/// 4. A file whose sync failed is thrown away, since a second sync may report success for bytes that are lost.
/// 5. No bytes leave the store unless the file's inode, size and times are those that were seen when its bytes were
///    right, or its bytes have been hashed again.
///
/// Files in `staging/` are not synced until they are whole; what a crash left there is verified piece by piece.
/// A blob file never changes. It may have more names in the folder, through which a person may change it: rule 5 finds
/// that out, and the file leaves the store.
///
/// Every call blocks; call from a thread pool, from any number of threads. One process has one store of a home, under a
/// ``HomeLock``.
public final class BlobStore: Sendable {
    /// Makes `destination` share the bytes of `source`; false where it cannot. Tests hand in their own.
    typealias Cloner = @Sendable (_ destination: Int32, _ source: Int32) -> Bool
    /// Makes the names in a directory durable. Tests hand in their own.
    typealias DirectorySync = @Sendable (_ directory: String) throws -> Void

    /// The largest blob that an album can have.
    public static let byteCountMax = CatalogLimits.blobByteCountMax
    /// Files of this prefix in the folder are blobs that are being placed; one without a process is a crash's.
    public static let placingPrefix = ".potluck-placing-"

    /// Blobs that were here in an earlier run and have no file any more.
    public let missingAtStart: Set<BlobID>

    let paths: BlobPaths
    let ledger: BlobLedger
    let publisher: BlobPublisher
    let cloner: Cloner
    /// Blobs that a ``PartialBlob`` exists for.
    let receiving = Mutex<Set<BlobID>>([])
    /// Blobs whose bytes were taken in, and which no album may name yet: they are not deleted.
    let taken = Mutex<Set<BlobID>>([])
    /// Devices on which a clone has failed, so that no file is made there in vain.
    let cloneless = Mutex<Set<UInt64>>([])
    /// Devices on which one has succeeded.
    let cloning = Mutex<Set<UInt64>>([])
    /// Held while the store itself changes a blob's file's values, and while a file that has others than were seen is looked
    /// at.
    let marking = Mutex<Void>(())
    private let lossWatcher = Mutex<(@Sendable (BlobID) -> Void)?>(nil)
    /// The ``PieceList/listHash`` of each list that a blob's bytes give, where these were read for it.
    let madeLists = Mutex<[BlobID: Set<BlobID>]>([:])
    let directorySyncs: GroupCommit<String>
    /// In which dropped files are hashed and copied. Half of the cores are left to those who get them from here: else a
    /// large import would be over before much of it has left.
    let copying = ProcessorTurns(count: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2))

    /// Tells whether others wait for what was taken in: then what else is taken in leaves most of the processor to them.
    public func yieldTurns(_ isYielding: Bool) { copying.yield(isYielding) }

    /// Makes the directories where they are missing and finds out which blobs are there, without reading them.
    /// The home must exist.
    public convenience init(home: String, index: Index) throws(BlobError) {
        try self.init(home: home, index: index, cloner: { Descriptor.clone($1, into: $0) })
    }

    /// - Parameter cachedByteCountMax: what ``PageCacheBound`` leaves in memory.
    init(
        home: String, index: Index, cloner: @escaping Cloner, cachedByteCountMax: UInt64 = PageCacheBound.byteCountMax,
        directorySync: @escaping DirectorySync = { try Disk.synchronizeDirectory($0) }
    ) throws(BlobError) {
        let paths = BlobPaths(home: home)
        let ledger = BlobLedger(index: index)
        self.paths = paths
        self.ledger = ledger
        self.cloner = cloner
        let pageCache = PageCacheBound(byteCountMax: cachedByteCountMax) { id in
            // Where it is gone meanwhile, so are its pages.
            try? Descriptor(opening: paths.blob(id), .readOwn).dropCache()
        }
        publisher = BlobPublisher(paths: paths, ledger: ledger, pageCache: pageCache)
        directorySyncs = GroupCommit { Self.synchronize($0, by: directorySync) }
        missingAtStart = try BlobError.wrapping {
            try paths.refuseAnotherDisk(remembering: try index.blobCount())
            try paths.makeDirectories()
            return try ledger.load(present: try paths.blobIDs()) { try FileStat(path: paths.blob($0)).byteCount }
        }
    }

    /// What the store holds, with sizes in bytes.
    public func held() -> [BlobID: UInt64] { ledger.all().mapValues(\.byteCount) }

    /// What the store holds, as far as it knows; memory alone answers.
    public var heldIDs: Set<BlobID> { ledger.ids }

    /// Whether the index names all that the store holds, and nothing else.
    public var isIndexed: Bool { ledger.isWritten }

    /// Has `body` called, by any thread, whenever the index did not take what it should know of blobs, and now if it
    /// lacks something: lists are wrong until ``writeIndex()`` succeeds. One watcher; it replaces the former.
    public func whenIndexRefuses(_ body: @escaping @Sendable () -> Void) { ledger.whenRefused(body) }

    /// Has the index name all that the store holds, and nothing else. Cheap where it does.
    public func writeIndex() throws(StoreError) { try ledger.writeRest() }

    /// Has `body` called, by any thread that holds no lock of the store, whenever a held blob's file is found to be gone
    /// or wrong, which ends the blob; not for one that was deleted. The blob may be here again by then, and is told of
    /// once more where it was taken in right after. One watcher; it replaces the former.
    public func whenLost(_ body: @escaping @Sendable (BlobID) -> Void) { lossWatcher.withLock { $0 = body } }

    /// Not while a lock is held.
    func noteLoss(of id: BlobID) { lossWatcher.withLock { $0 }?(id) }

    /// What lies in the store of the home at `home`, by the names of the files alone: what ``heldIDs`` would be of a store
    /// that is opened now. `nil` where nobody can say, as without the directories.
    public static func idsOnDisk(home: String) -> Set<BlobID>? { try? BlobPaths(home: home).blobIDs() }

    /// Whether the store has the blob, as far as it knows; memory alone answers.
    public func contains(_ id: BlobID) -> Bool { ledger.record(id) != nil }

    /// A held blob's size in bytes; memory alone answers.
    public func byteCount(of id: BlobID) -> UInt64? { ledger.record(id)?.byteCount }

    /// Where a blob's file is, or would be. Whoever reads it there has to expect that it goes, or was changed through
    /// another name.
    public func path(of id: BlobID) -> String { paths.blob(id) }

    /// The same for the home at `home`, without its store: for other processes.
    public static func path(of id: BlobID, home: String) -> String { BlobPaths(home: home).blob(id) }

    /// Removes what crashes left in `staging/`, except parts of blobs that are wanted and not held. Of one piece they are
    /// of no use, since such a blob comes whole: an earlier version left them.
    ///
    /// For the start: nothing may be taken in meanwhile, since its file would be removed.
    public func sweep(wanted: Set<BlobID>) throws(BlobError) -> SweepReport {
        try BlobError.wrapping {
            var report = SweepReport()
            for name in try Disk.names(in: paths.staging) {
                if let id = BlobPaths.blobID(ofPart: name), receiving.withLock({ $0.contains(id) }) { continue }
                let path = paths.staging + "/" + name
                let isSwept = PlantedFault.isPlanted(.wantedPartsSwept) || isOnePiece(path)
                if let id = BlobPaths.blobID(ofPart: name), wanted.contains(id), !contains(id), !isSwept {
                    report.resumable.append(id)
                } else {
                    try Disk.remove(path)
                    report.removedCount += 1
                }
            }
            report.resumable.sort()
            return report
        }
    }

    /// Whether a part is of a blob of one piece: one of several has the blob's length from its beginning on.
    private func isOnePiece(_ path: String) -> Bool {
        // What cannot be looked at may be worth keeping.
        (try? FileStat(path: path)).map { $0.byteCount <= Pieces.byteCount } ?? false
    }

    /// Held blobs whose files are not as they were last seen, ordered: ``open(_:)`` each to learn what they hold. Looks at
    /// every file, and reads none; others may use the store meanwhile.
    public func suspects() -> [BlobID] {
        ledger.all().filter { isChanged($0, $1) && isChangedStill($0) }.keys.sorted()
    }

    /// One that cannot be looked at is a suspect, no more.
    private func isChanged(_ id: BlobID, _ record: BlobLedger.Record) -> Bool {
        let mark = (try? FileStat(path: paths.blob(id))).map { FileMark($0) }
        return mark == nil || mark != record.seen
    }

    /// The same, while nobody gives the file another name or takes it away.
    private func isChangedStill(_ id: BlobID) -> Bool {
        marking.withLock { _ in ledger.record(id).map { isChanged(id, $0) } ?? false }
    }

    /// Opens a blob for reading; `nil` where the store does not have it.
    ///
    /// A file whose values are not those that were seen last is hashed again first, which takes as long as reading it.
    /// Throws ``BlobError/Code/contentChanged`` when its bytes are others: then the blob has left the store, and the
    /// file lives on under its names in the folder, or in `quarantine/` where it has none.
    public func open(_ id: BlobID) throws(BlobError) -> BlobReader? {
        try BlobError.wrapping {
            guard contains(id), let file = try openFile(id) else { return nil }
            let look = { [ledger] in
                let stat = try FileStat(descriptor: file.number)
                return (stat, ledger.record(id)?.seen == FileMark(stat))
            }
            var (stat, isAsSeen) = try look()
            // The store itself may just be changing them.
            if !isAsSeen { (stat, isAsSeen) = try marking.withLock { _ in try look() } }
            if !isAsSeen, !PlantedFault.isPlanted(.editedFileServed) { try verify(id, file: file, before: stat) }
            return BlobReader(file: file, byteCount: stat.byteCount)
        }
    }

    /// Hashes a file's bytes; right ones are recorded as seen, wrong ones end the blob, whose file is set aside.
    ///
    /// - Parameter each: as of ``scan(_:expecting:each:)``.
    @discardableResult
    func verify(
        _ id: BlobID, file: Descriptor, before: FileStat,
        each: (_ piece: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void = { _, _ in }
    ) throws -> IngestedBlob {
        let scan = try scan(file, expecting: id, each: each)
        let after = try FileStat(descriptor: file.number)
        guard scan.id == id else {
            try setAside(id, inode: after.inode)
            throw BlobError(.contentChanged, "The file of blob \(id) was changed; it has left the store.")
        }
        // Values that moved while the bytes were read say nothing about the bytes: the next one to open looks again.
        let seen = before == after ? FileMark(after) : nil
        ledger.set([BlobRow(id: id, byteCount: scan.byteCount, seen: seen, pieceList: scan.pieceList)])
        return scan
    }

    /// Hashes a file. Other bytes than the blob's are read once more, from the disk: a computer's memory fails as disks do,
    /// and what the kernel keeps of a file there is no reason to give the file up.
    ///
    /// - Parameter each: gets every piece in order; all of them again, from offset 0, where the file is read once more.
    func scan(
        _ file: Descriptor, expecting id: BlobID,
        each: (_ piece: UnsafeRawBufferPointer, _ offset: UInt64) throws -> Void
    ) throws -> IngestedBlob {
        let scan = try BlobScan.run(descriptor: file.number, path: file.path, each: each)
        if scan.id == id { return scan }
        file.dropCache()
        return try BlobScan.run(descriptor: file.number, path: file.path, each: each)
    }

    /// `nil` where somebody has removed the file, which ends the blob.
    func openFile(_ id: BlobID) throws -> Descriptor? {
        do throws(FileError) {
            return try Descriptor(opening: paths.blob(id), .readOwn)
        } catch {
            guard error.errno == ENOENT else { throw error }
            if try forget(id) { noteLoss(of: id) }
            return nil
        }
    }

    /// Ends a blob whose file was not found. This store made its directory: where that is gone as well, the disk is away,
    /// and all that was on it may come back. Whoever calls it tells of the loss, once no lock is held.
    ///
    /// - Returns: whether the store had the blob until now.
    func forget(_ id: BlobID) throws -> Bool {
        let isThere = try Disk.exists(paths.directory(of: id)) || PlantedFault.isPlanted(.absentDiskIsEmpty)
        guard isThere else { throw FileError(errno: ENODEV, "open", paths.blobs) }
        return ledger.remove(id)
    }

    private static func synchronize(
        _ directories: [String], by sync: DirectorySync
    ) -> [GroupCommit<String>.Outcome] {
        var outcomes: [String: GroupCommit<String>.Outcome] = [:]
        return directories.map { directory in
            if let outcome = outcomes[directory] { return outcome }
            let outcome = GroupCommit<String>.Outcome { try sync(directory) }
            outcomes[directory] = outcome
            return outcome
        }
    }
}

/// What ``BlobStore/sweep(wanted:)`` found.
public struct SweepReport: Hashable, Sendable {
    /// How many files of `staging/` went.
    public var removedCount = 0
    /// Blobs of which parts are in staging, for ``BlobStore/beginReceiving(_:byteCount:list:)`` to go on with.
    public var resumable: [BlobID] = []
}
