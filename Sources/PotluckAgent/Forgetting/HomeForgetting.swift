import AlbumModel
import DiskIO
import Glibc
import PhotoStore
public import PotluckAPI
import SyncEngine

/// A home that is deleted, and with it no original.
///
/// Every file of `blobs/`, `quarantine/` and `uploads/` whose bytes no file of the folder has is moved to where people see
/// it first, whatever the journal says of it; small pictures alone are deleted. Then goes what Potluck made, by its names
/// alone: what else is in the home stays. A crash leaves a home in which no agent runs any more, and which can be forgotten
/// again. The home's lock is held from the check to the end. Every call blocks.
public struct HomeForgetting: Sendable {
    /// A file of the home that is an original, or may be a part of one.
    private struct Item: Sendable {
        var directory: String
        var name: String
        var byteCount: UInt64
        /// The file of the folder for whose sake it is deleted; `nil` for one that is moved.
        var copy: FolderCopies.Copy?
        /// `nil` for what is in `quarantine/` or `uploads/`.
        var blob: BlobID?
    }

    public private(set) var report: ForgetReport

    private let home: OpenDirectory
    private let lock: HomeLock
    private let journal: Journal
    private let names: KeptNames
    private var items: [Item] = []
    /// Paths below the home.
    private var smallPictures: [String] = []
    /// Called before each change; a test ends there, as a crash does.
    private let willChange: @Sendable () throws -> Void

    /// Takes the home's lock, and looks for what only the home has; it reads files of the folder to their ends.
    ///
    /// - Parameters:
    ///   - home: absolute.
    ///   - keeping: absolute: the directory for what is moved, made where it is needed.
    /// - Throws: ``PotluckError``: `.tryAgain` while an agent runs in the home.
    public init(home: String, keeping: String) throws(PotluckError) {
        try self.init(home: home, keeping: keeping) {}
    }

    init(
        home path: String, keeping: String, waitMilliseconds: Int = HomeSetup.lockPatience,
        willChange: @escaping @Sendable () throws -> Void
    ) throws(PotluckError) {
        do {
            let entered = try EnteredHome(home: path, waitMilliseconds: waitMilliseconds)
            // All of it: whatever is moved elsewhere keeps its name.
            let catalog = try OpenHome.fold(entered.journal, cuts: Cuts()).0.catalog
            let nothing = StatusReport.Amount(photos: 0, bytes: 0)
            (lock, journal, names) = (entered.lock, entered.journal, KeptNames(catalog))
            home = try OpenDirectory(path: path, of: .person)
            report = ForgetReport(
                home: path, phrase: try entered.membership.inviteReport(gathering: nil).phrase, inFolder: nothing,
                kept: nothing, keptIn: keeping)
            report.gathering = catalog.gatheringName.shown?.value ?? entered.membership.gatheringName
            report.folder = try entered.journal.folder(home: path)
        } catch {
            throw Self.told(error)
        }
        self.willChange = willChange
        do {
            try look()
        } catch {
            throw Self.told(error)
        }
    }

    private static func told(_ error: any Error) -> PotluckError {
        switch error {
        case let error as PotluckError: error
        case let error as FileError: PotluckError(error)
        default: PotluckError(.failed, "The home cannot be deleted: \(error)")
        }
    }

    // MARK: Looking

    private mutating func look() throws {
        let copies = report.folder.map { FolderCopies(root: $0, home: home.path) }
        for prefix in try files(in: "blobs").map(\.name) where prefix.utf8.count == 2 {
            for (name, look) in try files(in: "blobs/" + prefix) where look.kind == .file {
                guard let blob = BlobID(hex: prefix + name), blob.hex == prefix + name else { continue }
                if names.smallPictures.contains(blob) {
                    smallPictures.append("blobs/" + prefix + "/" + name)
                } else {
                    try add(name, in: "blobs/" + prefix, hash: blob.hex, blob, copies)
                }
            }
        }
        for (name, look) in try files(in: "quarantine")
        where look.kind == .file && HomeContents.blob(ofQuarantined: name) != nil {
            try add(name, in: "quarantine", hash: nil, nil, copies)
        }
        for (name, look) in try files(in: "uploads") where look.kind == .file && name.hasSuffix(".part") {
            try add(name, in: "uploads", hash: nil, nil, copies)
        }
    }

    /// What is in a directory of the home; nothing where there is none.
    private func files(in directory: String) throws -> [(name: String, look: OpenDirectory.Look)] {
        guard let opened = try home.directory(directory) else { return [] }
        return try opened.names().compactMap { name in try opened.look(name).map { (name, $0) } }
    }

    private mutating func add(
        _ name: String, in directory: String, hash: String?, _ blob: BlobID?, _ copies: FolderCopies?
    ) throws {
        guard let file = try home.file(directory + "/" + name) else { return }
        let stat = try FileStat(descriptor: file.descriptor)
        // What cannot be read is like nothing else.
        let copy = (hash ?? (try? WholeFile.hash(file))).flatMap { copies?.copy(of: stat, hash: $0) }
        items.append(Item(directory: directory, name: name, byteCount: stat.byteCount, copy: copy, blob: blob))
        let amount = StatusReport.Amount(photos: 1, bytes: stat.byteCount)
        if copy == nil { report.kept = report.kept + amount } else { report.inFolder = report.inFolder + amount }
    }

    // MARK: Deleting

    /// Moves what only the home has, and deletes the rest. Where it throws, saying it again goes on.
    public func run() throws(PotluckError) -> ForgetReport {
        do {
            try willChange()
            try journal.setIdentity([.left: Array("forgotten".utf8)])
            try keepAll()
            try deleteCopied()
            for (directory, isOurs) in HomeContents.temporary { try deleteFiles(in: directory, isOurs) }
            for directory in HomeContents.emptied { try deleteDirectory(directory) }
            if try home.look(HomeContents.socket)?.kind == .socket {
                try willChange()
                try Disk.remove(home.path(of: HomeContents.socket))
            }
            try journal.close()
            for name in HomeContents.files { try deleteFile(name) }
            var report = report
            report.remaining = try home.names()
            lock.release()
            // All that was Potluck's is gone; a directory that is not empty is a person's.
            if report.remaining?.isEmpty == true {
                try willChange()
                let parent = try OpenDirectory(path: AbsolutePath.parent(report.home), of: .person)
                try parent.removeDirectory(report.home.split(separator: "/").last.map { String($0) } ?? "")
            }
            return report
        } catch {
            throw Self.told(error)
        }
    }

    /// Moves first, and makes all new names durable before anything is deleted.
    private func keepAll() throws {
        // What a person copied a moment ago may not be on its disk yet, which need not be the folder's.
        var synchronized: Set<UInt64> = []
        for copy in items.compactMap(\.copy) where copy.isUnchanged && synchronized.insert(copy.stat.device).inserted {
            try OpenDirectory(path: AbsolutePath.parent(copy.path), of: .person).synchronizeFileSystem()
        }
        let moved = items.filter { $0.copy?.isUnchanged != true }
        guard !moved.isEmpty else { return }
        try willChange()
        try Disk.makeDirectories(report.keptIn, mode: 0o755, toleratesUnsupported: true)
        let root = try OpenDirectory(path: report.keptIn, of: .person)
        var used: Set<String> = []
        for item in moved {
            guard let file = try home.file(item.directory + "/" + item.name) else { continue }
            let place = place(of: item, file)
            try willChange()
            let directory = try root.makeDirectory(place.directory, mode: 0o755)
            used.insert(place.directory)
            try keep(item, file, in: directory, place.names)
        }
        for name in used { try root.directory(name)?.synchronize(toleratesUnsupported: true) }
        try root.synchronize(toleratesUnsupported: true)
    }

    private func place(of item: Item, _ file: OpenFile) -> KeptNames.Place {
        if let blob = item.blob { return names.place(of: blob, file) }
        let directory = item.directory == "uploads" ? "Unfinished uploads" : "Damaged photos"
        return KeptNames.Place(directory: directory, names: KeptNames.numbered(item.name))
    }

    private func keep(_ item: Item, _ file: OpenFile, in directory: OpenDirectory, _ names: AnySequence<String>) throws
    {
        let source = item.directory + "/" + item.name
        for name in names {
            if let look = try directory.look(name) {
                // What an earlier attempt copied, and did not come to delete.
                guard look.kind == .file, look.byteCount == item.byteCount, let there = try directory.file(name),
                    try WholeFile.hash(there) == WholeFile.hash(file)
                else { continue }
                try directory.synchronizeFileSystem()
                try willChange()
                return try home.removeFile(source)
            }
            do throws(FileError) {
                try home.rename(source, to: name, in: directory, replacing: false)
                // Some file systems know no modes.
                try? Disk.setMode(directory.path(of: name), 0o644)
                return
            } catch {
                switch error.errno {
                case EEXIST: continue
                case EXDEV: break
                default: throw error
                }
            }
            if try copy(file, as: name, in: directory) {
                try willChange()
                return try home.removeFile(source)
            }
        }
        throw PotluckError(.failed, "There is no free name for \(home.path(of: source)) in \(directory.path).")
    }

    /// Onto another file system: written, synced, read back and compared.
    ///
    /// - Returns: false where something has the name.
    private func copy(_ file: OpenFile, as name: String, in directory: OpenDirectory) throws -> Bool {
        let new = try TemporaryFile(in: directory, name: Self.passingName, mode: 0o644)
        try file.forEachChunk { bytes, _ in try new.append(bytes) }
        try new.synchronize()
        guard try WholeFile.hash(new.reopened()) == WholeFile.hash(file) else {
            throw PotluckError(
                .failed, "The disk with \(directory.path) does not give back what was written to it: use another one.")
        }
        try willChange()
        do throws(FileError) {
            try new.rename(to: name, replacing: false)
        } catch {
            guard error.errno == EEXIST else { throw error }
            return false
        }
        try directory.synchronize(toleratesUnsupported: true)
        return true
    }

    private static let passingName = ".potluck-keeping"

    private func deleteCopied() throws {
        for item in items {
            // A file of the folder that changed meanwhile has been moved above; one that changed since then stays.
            guard let copy = item.copy, try home.look(item.directory + "/" + item.name) != nil else { continue }
            guard copy.isUnchanged else {
                throw PotluckError(.tryAgain, "\(copy.path) changes just now. Say it again to go on.")
            }
            try deleteFile(item.directory + "/" + item.name)
        }
        for path in smallPictures { try deleteFile(path) }
        guard let blobs = try home.directory("blobs") else { return }
        try willChange()
        for prefix in try blobs.names() where prefix.utf8.count == 2 { try blobs.removeDirectory(prefix) }
        try deleteDirectory("blobs")
    }

    private func deleteFiles(in directory: String, _ isOurs: (String) -> Bool) throws {
        for (name, look) in try files(in: directory) where look.kind == .file && isOurs(name) {
            try deleteFile(directory + "/" + name)
        }
    }

    private func deleteFile(_ name: String) throws {
        guard let look = try home.look(name), look.kind == .file else { return }
        try willChange()
        try home.removeFile(name)
    }

    /// One that is not empty, or is a link to another disk, stays.
    private func deleteDirectory(_ name: String) throws {
        try willChange()
        try home.removeDirectory(name)
    }
}
