import AlbumModel
import DiskIO
import Glibc
import NIOPosix
import PeerTransport
import PhotoStore
public import PotluckAPI
import SyncEngine

/// Makes a copy of a home, of one moment, while its agent runs or not.
///
/// A directory with `potluck-backup.json`, the journal, the settings, and `blobs/` as a home has them; the second time only
/// what is new is copied. The journal is copied first: whatever it names as this laptop's own was durable before, so the
/// blobs that are copied after it are all that it needs. The list names the journal's file and is replaced last, so a
/// backup that is interrupted leaves the one before it whole.
public enum Backup {
    /// - Parameters:
    ///   - home: absolute.
    ///   - directory: absolute; made where it is missing.
    ///   - check: whether files of earlier backups are read and compared as well.
    /// - Throws: ``PotluckError``.
    public static func make(
        home: String, directory: String, check: Bool, progress: @escaping @Sendable (VerifyProgress) -> Void
    ) async throws -> BackupReport {
        try await NIOThreadPool.singleton.perform {
            do {
                return try Making(home: home, directory: directory).run(check: check, progress: progress)
            } catch let error as BlobError {
                throw PotluckError(error.isDiskFull ? .tryAgain : .failed, error.message + BackupAdvice.ending(error))
            } catch let error as StoreError {
                throw PotluckError(error.isDiskFull ? .tryAgain : .failed, error.message)
            } catch let error as FileError {
                throw PotluckError(error)
            }
        }
    }
}

enum BackupAdvice {
    /// What to add to what the disk said.
    static func ending(_ error: BlobError) -> String {
        if error.isDiskFull { return " What was copied stays; run this again with more room." }
        guard error.code == .system, error.errno == EFBIG else { return "" }
        return " Sticks that are formatted with FAT32 take no file over 4 GB: format it with exFAT."
    }
}

/// One backup being made. Blocks.
private struct Making {
    let home: String
    let directory: String
    /// Whoever had the stick may have put anything there.
    let root: OpenDirectory
    let membership: Membership
    let journal: Journal

    init(home: String, directory: String) throws {
        guard HomeSetup.hasGathering(home: home) else { throw HomeSetup.noGathering(home: home) }
        guard !(directory + "/").hasPrefix(home + "/"), !(home + "/").hasPrefix(directory + "/") else {
            throw PotluckError(.usage, "A backup inside the home, or around it, is none: name a directory elsewhere.")
        }
        self.home = home
        self.directory = directory
        journal = try Journal(home: home)
        guard let membership = try Membership.load(journal) else { throw HomeSetup.noGathering(home: home) }
        self.membership = membership
        try HomeSetup.makeDirectories(directory)
        root = try OpenDirectory(path: directory)
    }

    func run(check: Bool, progress: @escaping (VerifyProgress) -> Void) throws -> BackupReport {
        var manifest = try begin()
        let target = BlobTree(root: directory)
        try target.prepare()
        let copied = try copyJournal(besides: manifest.journal?.file)
        let made = Instant(microsecondsSince1970: SystemClock().wall)
        manifest.settings = try copySettings()
        let source = BlobTree(root: home, of: .person)
        let held = try source.blobs()
        var present = try target.blobs()
        // One that is shorter was cut by the stick's death, or by somebody.
        for (id, byteCount) in present where held[id].map({ $0 != byteCount }) ?? false { present[id] = nil }
        // What is wrong there makes way for a copy only once that copy is whole: the home's file may be worse.
        if check {
            for id in present.keys.sorted() where held[id] != nil {
                if try !target.isWhole(id) { present[id] = nil }
            }
        }
        var copy = TreeCopy(source: source, target: target, progress: progress)
        try copy.run(held.filter { present[$0.key] == nil })
        target.finish()

        let old = manifest.journal?.file
        manifest.journal = copied
        manifest.made = made
        manifest.gathering = try gatheringName()
        let missing = Set(copy.missing.map(\.id))
        let files = held.filter { !missing.contains($0.key.hex) }
        manifest.files = files.count
        manifest.bytes = files.values.clampedSum
        try manifest.write(in: root)
        // Its place has been taken; one that stays is in nobody's way.
        if let old, old != copied.file { try? root.removeFile(old) }
        return BackupReport(
            directory: directory, home: home, gathering: manifest.gathering, files: manifest.files,
            bytes: manifest.bytes, copied: copy.copied, missing: copy.missing,
            kept: present.keys.count { held[$0] == nil }, made: made)
    }

    /// The list, from before or new; written at once, so that an interrupted first backup is known as one.
    private func begin() throws -> BackupManifest {
        let tag = Hexadecimal.text(membership.secrets.tag)
        let device = membership.identity.deviceID.hex
        if var manifest = try BackupManifest.read(in: root) {
            let known = [device] + [membership.former?.deviceID.hex].compactMap { $0 }
            guard manifest.tag == tag, known.contains(manifest.device) else {
                throw PotluckError(
                    .badSetting,
                    "\(directory) holds the backup of another laptop (\(manifest.deviceName)) or gathering. Nothing was changed; name another directory."
                )
            }
            (manifest.device, manifest.deviceName) = (device, membership.deviceName)
            return manifest
        }
        // The second is of a backup that ended while it wrote its first file.
        let ours = ["lost+found", BackupManifest.fileName + OpenDirectory.temporaryEnding]
        guard try root.names().allSatisfy({ ours.contains($0) }) else {
            throw PotluckError(
                .badSetting,
                "\(directory) holds other files, and no backup. Name a directory that is empty or new, like \(directory)/potluck-backup."
            )
        }
        let manifest = BackupManifest(
            tag: tag, device: device, deviceName: membership.deviceName)
        try manifest.write(in: root)
        return manifest
    }

    /// As everybody knows it; where the gathering was started it is known before that.
    private func gatheringName() throws -> String? {
        var fold = JournalFold()
        try journal.forEachBatch { row in try fold.add(row.batch, id: row.id, received: row.received) }
        return fold.catalog.gatheringName.shown?.value ?? membership.gatheringName
    }

    /// Under a name that the list does not use yet.
    private func copyJournal(besides old: String?) throws -> BackupManifest.Journal {
        let names = BackupManifest.Journal.fileNames
        let name = names.first { $0 != old } ?? names[0]
        // SQLite would use whatever stands beside the file, and follow it wherever it leads.
        for suffix in ["", "-journal", "-wal", "-shm"] { try root.removeFile(name + suffix) }
        let path = root.path(of: name)
        try journal.copy(to: path)
        try Journal.checkCopy(at: path)
        guard let file = try root.file(name) else { throw FileError(errno: ENOENT, "open", path) }
        return BackupManifest.Journal(file: name, sha256: try WholeFile.hash(file), bytes: file.byteCount)
    }

    private func copySettings() throws -> Bool {
        let source = "\(home)/\(HomeSetup.settingsName)"
        // One that nobody can look at is no reason to remove the copy: copying it says what is wrong.
        if PathPresence(of: source, followsLink: true) == .absent {
            try root.removeFile(HomeSetup.settingsName)
            return false
        }
        let file = try OpenFile(path: source, followsLink: true)
        try WholeFile.copy(file, as: HomeSetup.settingsName, in: root, mode: 0o600)
        return true
    }
}
