import AlbumModel
import DiskIO
import FoundationEssentials
import Glibc
import NIOPosix
import PhotoStore
public import PotluckAPI
import SharedFolder

/// Makes a home of a backup.
///
/// The journal gets its name in the home last, so an interrupted restore is no home yet, and is gone on with by the next.
/// The new home is the same device under a new replica: its journal says that it was on this machine, as another file
/// (``HomeLife/restored``). Should the old home still run somewhere, the two agents find that out when they meet, and this
/// one takes a key of its own.
public enum Restore {
    /// - Parameters:
    ///   - directory: what ``Backup`` made; absolute.
    ///   - home: absolute; it must have no gathering.
    /// - Throws: ``PotluckError``.
    public static func run(
        directory: String, home: String, progress: @escaping @Sendable (VerifyProgress) -> Void
    ) async throws -> BackupReport {
        try await NIOThreadPool.singleton.perform {
            do {
                return try Restoring(home: home, directory: directory).run(progress: progress)
            } catch let error as BlobError {
                throw PotluckError(error.isDiskFull ? .tryAgain : .failed, error.message)
            } catch let error as StoreError {
                throw PotluckError(error.isDiskFull ? .tryAgain : .failed, error.message)
            } catch let error as FileError {
                throw PotluckError(error)
            }
        }
    }
}

extension Restore {
    fileprivate static let passingName = "restoring"
    /// A journal of a million photos has some 2 GB.
    fileprivate static let journalByteCountMax: UInt64 = 64 << 30
    fileprivate static let settingsByteCountMax = 1 << 20

    private static func passing(_ home: String) -> String { home + "/" + passingName }

    /// Removes what a restore left that ended just after it had made the home: it is empty, or SQLite's. Needs the home's
    /// lock, since a restore holds it.
    static func removeLeftover(in home: String) {
        guard PathPresence(of: passing(home)) == .present else { return }
        // One that stays is in nobody's way.
        try? FileManager.default.removeItem(atPath: passing(home))
    }
}

/// One home being made. Blocks.
private struct Restoring {
    let home: String
    let directory: String
    /// Whoever had the stick may have put anything there.
    let backup: OpenDirectory
    let manifest: BackupManifest
    let journal: BackupManifest.Journal

    init(home: String, directory: String) throws {
        self.home = home
        self.directory = directory
        guard let backup = try Self.open(directory), let manifest = try BackupManifest.read(in: backup) else {
            throw PotluckError(
                .usage, "There is no backup in \(directory): it has no file \(BackupManifest.fileName).")
        }
        guard let journal = manifest.journal else {
            throw PotluckError(
                .failed, "The backup in \(directory) was never completed: nothing can be restored from it.")
        }
        self.backup = backup
        self.manifest = manifest
        self.journal = journal
    }

    private static func open(_ directory: String) throws(FileError) -> OpenDirectory? {
        do throws(FileError) {
            return try OpenDirectory(path: directory)
        } catch {
            guard error.isAbsent else { throw error }
            return nil
        }
    }

    func run(progress: @escaping (VerifyProgress) -> Void) throws -> BackupReport {
        guard !HomeSetup.hasGathering(home: home) else {
            throw PotluckError(
                .badSetting,
                "The home \(home) has a gathering already. Nothing was changed; for another home name it with --home, or move this one away."
            )
        }
        try HomeSetup.makeHome(home)
        let lock = try HomeAccess.lock(home)
        defer { lock.release() }
        // Not even the person's own links are followed: until the end there is no home that could need them.
        let home = try OpenDirectory(path: home)
        let passing = try copyJournal(into: home)
        let source = BlobTree(root: directory)
        let target = BlobTree(root: self.home)
        try target.prepare()
        let stored = try source.blobs()
        let present = try target.blobs()
        let lacking = stored.filter { present[$0.key] != $0.value }
        try needRoom(for: lacking.values.clampedSum, in: home)
        var copy = TreeCopy(source: source, target: target, progress: progress)
        try copy.run(lacking)
        if !copy.missing.isEmpty { try refuseAwayBackup() }
        let settings = try copySettings(into: home)
        try begin(with: passing, in: home)
        return BackupReport(
            directory: directory, home: self.home, gathering: manifest.gathering,
            files: stored.count - copy.missing.count, bytes: stored.values.clampedSum, copied: copy.copied,
            missing: copy.missing, kept: 0, made: manifest.made, settings: settings)
    }

    /// Throws where the backup's disk gives back nothing any longer. Then photos are not missing: the home would be made
    /// without them, and no later restore goes into a home that is made.
    private func refuseAwayBackup() throws {
        guard let list = try backup.file(BackupManifest.fileName) else {
            throw FileError(errno: ENODEV, "open", backup.path)
        }
        _ = try WholeFile.hash(list)
    }

    // MARK: The journal

    /// Into a directory of its own, checked: SQLite opens nothing on the stick.
    private func copyJournal(into home: OpenDirectory) throws -> OpenDirectory {
        guard let file = try backup.file(journal.file) else { throw damagedJournal }
        guard file.byteCount <= Restore.journalByteCountMax else { throw FileError(.tooLarge, "read", file.path) }
        try file.refuseHoles()
        guard journal.bytes == nil || journal.bytes == file.byteCount else { throw damagedJournal }
        try needRoom(for: file.byteCount, in: home)
        // What an interrupted restore left.
        try? FileManager.default.removeItem(atPath: home.path(of: Restore.passingName))
        let passing = try home.makeDirectory(Restore.passingName, mode: 0o700)
        let hash = try WholeFile.copy(file, as: Journal.fileName, in: passing, mode: 0o600)
        guard hash == journal.sha256 else { throw damagedJournal }
        try Journal.checkCopy(at: passing.path(of: Journal.fileName))
        return passing
    }

    private var damagedJournal: PotluckError {
        PotluckError(
            .failed,
            "The journal of the backup in \(directory) is damaged: its bytes are not those that were written. Nothing was restored."
        )
    }

    /// Notes in the journal what is another one's now, and gives it its name.
    private func begin(with passing: OpenDirectory, in home: OpenDirectory) throws {
        let copy = try Journal(home: passing.path)
        // No file has this number: whatever file the journal becomes, it is not the one that it was.
        let place = JournalPlace(machine: try JournalPlace(home: passing.path).machine, device: 0, inode: 0)
        var facts = try SharedFolder.forgettingFolder(copy)
        facts += try copy.facts(.upkeep).map { FactChange(kind: .upkeep, key: $0.key, value: nil) }
        facts += [
            FactChange(kind: .identity, key: IdentityKey.journalStamp.bytes, value: place.bytes),
            FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil),
            FactChange(kind: .identity, key: IdentityKey.folder.bytes, value: nil),
            // Whoever makes a home takes part.
            FactChange(kind: .identity, key: IdentityKey.left.bytes, value: nil),
        ]
        try copy.setFacts(facts)
        try copy.close()
        for suffix in ["-wal", "-shm"] { try home.removeFile(Journal.fileName + suffix) }
        try passing.rename(Journal.fileName, to: Journal.fileName, in: home, replacing: true)
        try home.synchronize()
        Restore.removeLeftover(in: self.home)
    }

    // MARK: Beside it

    /// Beside the home's own, for a person to look at: whoever had the stick may have named a folder in them whose files
    /// would be shared, moved and removed, or too few days for the trash.
    ///
    /// - Returns: where they are; `nil` without any.
    private func copySettings(into home: OpenDirectory) throws -> String? {
        guard manifest.settings, let file = try backup.file(HomeSetup.settingsName) else { return nil }
        guard file.byteCount <= UInt64(Restore.settingsByteCountMax) else {
            throw FileError(.tooLarge, "read", file.path)
        }
        try WholeFile.copy(file, as: HomeSetup.restoredSettingsName, in: home, mode: 0o600)
        return home.path(of: HomeSetup.restoredSettingsName)
    }

    private func needRoom(for byteCount: UInt64, in home: OpenDirectory) throws {
        guard let free = home.freeByteCount, free < byteCount else { return }
        throw PotluckError(
            .tryAgain,
            "The disk with \(self.home) has room for \(free / 1_000_000) MB, and the backup needs \(byteCount / 1_000_000 + 1) MB more. Make room, or name a home on another disk with --home."
        )
    }
}
