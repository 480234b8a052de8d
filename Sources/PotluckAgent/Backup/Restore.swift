import AlbumModel
import DiskIO
import FoundationEssentials
import Glibc
import NIOPosix
import PhotoStore
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
            }
        }
    }
}

extension Restore {
    fileprivate static func passing(_ home: String) -> String { home + "/restoring" }

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
    let manifest: BackupManifest
    let journal: BackupManifest.Journal

    init(home: String, directory: String) throws {
        self.home = home
        self.directory = directory
        guard let manifest = try BackupManifest.read(in: directory) else {
            throw PotluckError(
                .usage, "There is no backup in \(directory): it has no file \(BackupManifest.fileName).")
        }
        guard let journal = manifest.journal, !journal.file.contains("/") else {
            throw PotluckError(
                .failed, "The backup in \(directory) was never completed: nothing can be restored from it.")
        }
        self.manifest = manifest
        self.journal = journal
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
        let passing = try copyJournal()
        let source = BlobTree(root: directory)
        let target = BlobTree(root: home)
        try target.prepare()
        let stored = try source.blobs()
        let present = try target.blobs()
        let lacking = stored.filter { present[$0.key] != $0.value }
        try needRoom(for: lacking.values.reduce(0, +))
        var copy = TreeCopy(source: source, target: target, progress: progress)
        try copy.run(lacking)
        try copySettings()
        try begin(with: passing)
        return BackupReport(
            directory: directory, home: home, gathering: manifest.gathering,
            files: stored.count - copy.missing.count, bytes: stored.values.reduce(0, +), copied: copy.copied,
            missing: copy.missing, kept: 0, made: manifest.made)
    }

    // MARK: The journal

    /// Into a directory of its own, checked.
    private func copyJournal() throws -> String {
        let passing = Restore.passing(home)
        // What an interrupted restore left.
        try? FileManager.default.removeItem(atPath: passing)
        try HomeSetup.makeDirectories(passing)
        let target = "\(passing)/\(Journal.fileName)"
        let hash = try WholeFile.copy("\(directory)/\(journal.file)", to: target, mode: 0o600)
        guard hash == journal.sha256 else {
            throw PotluckError(
                .failed,
                "The journal of the backup in \(directory) is damaged: its bytes are not those that were written. Nothing was restored."
            )
        }
        try Journal.checkCopy(at: target)
        return passing
    }

    /// Notes in the journal what is another one's now, and gives it its name.
    private func begin(with passing: String) throws {
        let copy = try Journal(home: passing)
        // No file has this number: whatever file the journal becomes, it is not the one that it was.
        let place = JournalPlace(machine: try JournalPlace(home: passing).machine, device: 0, inode: 0)
        var facts = try SharedFolder.forgettingFolder(copy)
        facts += try copy.facts(.upkeep).map { FactChange(kind: .upkeep, key: $0.key, value: nil) }
        facts += [
            FactChange(kind: .identity, key: IdentityKey.journalStamp.bytes, value: place.bytes),
            FactChange(kind: .identity, key: IdentityKey.replica.bytes, value: nil),
            FactChange(kind: .identity, key: IdentityKey.folder.bytes, value: nil),
        ]
        try copy.setFacts(facts)
        try copy.close()
        for suffix in ["-wal", "-shm"] { unlink("\(home)/\(Journal.fileName)\(suffix)") }
        let target = "\(home)/\(Journal.fileName)"
        guard rename("\(passing)/\(Journal.fileName)", target) == 0 else { throw WholeFile.failure("rename", passing) }
        try WholeFile.synchronizeDirectory(home)
        Restore.removeLeftover(in: home)
    }

    // MARK: Beside it

    /// A person's settings stay where there are some.
    private func copySettings() throws {
        let target = "\(home)/\(HomeSetup.settingsName)"
        guard manifest.settings else { return }
        switch PathPresence(of: target) {
        case .present: return
        case .absent: try WholeFile.copy("\(directory)/\(HomeSetup.settingsName)", to: target, mode: 0o600)
        case .unknown(let errno):
            throw PotluckError(
                .failed,
                "\(target) cannot be looked at now (\(String(cString: strerror(errno)))). The restore is not complete; run it again."
            )
        }
    }

    private func needRoom(for byteCount: UInt64) throws {
        var info = statvfs()
        guard statvfs(home, &info) == 0 else { return }
        let free = UInt64(info.f_bavail) * UInt64(info.f_frsize)
        guard free < byteCount else { return }
        throw PotluckError(
            .tryAgain,
            "The disk with \(home) has room for \(free / 1_000_000) MB, and the backup needs \(byteCount / 1_000_000 + 1) MB more. Make room, or name a home on another disk with --home."
        )
    }
}
