import AlbumModel
import Crypto
import DiskIO
import FolderEngine
import Glibc
import PhotoStore

/// A directory that is copied to another disk with all that is below it, each file read back. Every call blocks.
///
/// Plain files and directories are copied, with their times. Links, pipes and the like, and names that are no UTF-8, stay
/// where they are. A disk of its own below the directory is refused: its files are not the folder's to move.
public struct FolderCopy {
    public struct Progress: Hashable, Sendable {
        public var files: Int
        public var fileTotal: Int
        public var bytes: UInt64
        public var byteTotal: UInt64
    }

    private static let temporaryEnding = ".potluck-new"

    private let source: OpenDirectory
    private let target: String
    /// Paths below the source, each after the directory that it is in.
    private var directories: [String] = []
    private var files: [(path: String, stat: FileStat)] = []
    /// How many of the files, from the first, are at the target.
    private var copiedCount = 0

    /// Looks through the source, and changes nothing.
    init(from source: String, to target: String) throws {
        self.source = try OpenDirectory(path: source, of: .anybody)
        self.target = target
        let root = try FileStat(descriptor: self.source.descriptor)
        try look(in: self.source, below: "", device: root.device)
        try requireRoom()
    }

    /// Removes a directory that has nothing in it.
    ///
    /// - Returns: whether it is gone.
    @discardableResult
    static func removeEmpty(_ path: String) throws(FileError) -> Bool {
        let name = AbsolutePath.names(path).last ?? ""
        return try OpenDirectory(path: AbsolutePath.parent(path), of: .person).removeDirectory(name)
    }

    private mutating func look(in directory: OpenDirectory, below path: String, device: UInt64) throws {
        for entry in try directory.entries().sorted(by: { $0.text < $1.text }) {
            let name = entry.text
            let place = path.isEmpty ? name : "\(path)/\(name)"
            guard Array(name.utf8) == entry.name, let stat = try FileStat.find(path: directory.path(of: name)) else {
                continue
            }
            switch stat.kind {
            case .directory:
                guard stat.device == device, let below = try directory.directory(name) else {
                    throw FolderError(
                        .failed,
                        "\(directory.path(of: name)) is on a disk of its own: unmount it first, then try again.")
                }
                directories.append(place)
                try look(in: below, below: place, device: device)
            case .file where place == Marker.path.text: break
            case .file: files.append((place, stat))
            default: break
            }
        }
    }

    private var byteTotal: UInt64 { files.reduce(0) { $0 + $1.stat.byteCount } }

    /// Some room stays for the names, and for what others write meanwhile.
    private func requireRoom() throws {
        let space = try FileSystemStat(path: AbsolutePath.parent(target))
        guard space.byteCount > 0, space.freeByteCount < byteTotal + byteTotal / 64 else { return }
        throw FolderError(.diskFull, "The disk of \(target) has too little room for the folder.")
    }

    // MARK: Copying

    /// Makes the copy durable, but for the marker. Where it throws, nothing of it stays.
    mutating func run(progress: (Progress) -> Void) throws {
        try Disk.makeDirectories(target, mode: 0o755, toleratesUnsupported: true)
        let target = try OpenDirectory(path: target, of: .anybody)
        do {
            try copyAll(to: target, progress)
        } catch {
            remove(from: target)
            throw error
        }
    }

    private mutating func copyAll(to target: OpenDirectory, _ progress: (Progress) -> Void) throws {
        for directory in directories { try target.makeDirectory(directory, mode: 0o755) }
        var step = Progress(files: 0, fileTotal: files.count, bytes: 0, byteTotal: byteTotal)
        for index in files.indices {
            progress(step)
            files[index].stat = try copy(files[index].path, to: target)
            copiedCount += 1
            step.files = copiedCount
            step.bytes += files[index].stat.byteCount
        }
        for directory in directories.reversed() {
            try target.directory(directory)?.synchronize(toleratesUnsupported: true)
        }
        try target.synchronize(toleratesUnsupported: true)
        progress(step)
    }

    /// - Returns: what the file was as it was copied.
    private func copy(_ path: String, to target: OpenDirectory) throws -> FileStat {
        guard let original = try source.file(path) else { throw gone(path) }
        let stat = try FileStat(descriptor: original.descriptor)
        var names = AbsolutePath.names(path)
        let name = names.removeLast()
        guard let directory = names.isEmpty ? target : try target.directory(names.joined(separator: "/")) else {
            throw gone(path)
        }
        let file = try TemporaryFile(in: directory, name: Self.temporaryName(name), mode: 0o644)
        let written = try original.sha256 { try file.append($0) }
        file.setModified(timespec(nanoseconds: stat.modified))
        try file.synchronize()
        let copy = try file.reopened()
        copy.dropCache()
        guard try copy.sha256() == written else {
            throw FolderError(.failed, "The disk of \(self.target) gives other bytes back than were written: \(path).")
        }
        try file.close()
        try file.rename(to: name, replacing: false)
        return stat
    }

    /// Short enough for any file system that takes the name itself.
    private static func temporaryName(_ name: String) -> String {
        Hexadecimal.text(Array(SHA256.hash(data: Array(name.utf8)).prefix(8))) + temporaryEnding
    }

    private func gone(_ path: String) -> FolderError {
        FolderError(.failed, "\(source.path(of: path)) is gone: does another program write there? Try again.")
    }

    /// What cannot be removed stays, as does what others put there; the next move names it.
    private func remove(from target: OpenDirectory) {
        for file in files.prefix(copiedCount) { try? target.removeFile(file.path) }
        for directory in directories.reversed() { _ = try? target.removeDirectory(directory) }
        _ = try? Self.removeEmpty(target.path)
    }

    // MARK: Deleting

    /// Deletes the files that are what was copied, and directories that are empty then.
    ///
    /// - Returns: what stays, as paths below the source, in order; `nil` where nobody could look.
    func deleteOriginals() throws -> [String]? {
        for file in files where try isUnchanged(file.path, file.stat) { try source.removeFile(file.path) }
        for directory in directories.reversed() { try source.removeDirectory(directory) }
        try source.synchronize(toleratesUnsupported: true)
        // One that is a disk stays, as does one with something in it.
        guard try !Self.removeEmpty(source.path) else { return [] }
        // The folder is moved: that its former place cannot be listed makes that no failure.
        return try? remaining(in: source, below: "").sorted()
    }

    /// What is there now, also what came while the rest was copied: files of every kind, directories with nothing in them,
    /// and disks of their own.
    private func remaining(in directory: OpenDirectory, below path: String) throws(FileError) -> [String] {
        let device = try FileStat(descriptor: directory.descriptor).device
        var found: [String] = []
        for entry in try directory.entries() {
            let name = entry.text
            let place = path.isEmpty ? name : "\(path)/\(name)"
            guard Array(name.utf8) == entry.name, let stat = try FileStat.find(path: directory.path(of: name)),
                stat.kind == .directory, stat.device == device, let below = try directory.directory(name)
            else {
                found.append(place)
                continue
            }
            let inside = try remaining(in: below, below: place)
            found += inside.isEmpty ? [place] : inside
        }
        return found
    }

    private func isUnchanged(_ path: String, _ copied: FileStat) throws -> Bool {
        guard let now = try FileStat.find(path: source.path(of: path)) else { return false }
        return now.device == copied.device && now.inode == copied.inode && now.byteCount == copied.byteCount
            && now.modified == copied.modified && now.changed == copied.changed
    }
}
