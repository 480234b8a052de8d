import Glibc

/// What people and programs do to files in a folder. Paths are below it.
///
/// What cannot be done is a mistake of the test's.
public struct FolderHands: Sendable {
    /// How a file comes to hold another photo.
    public enum Editing: CaseIterable, Sendable {
        case inPlace
        /// With the time that the file had before.
        case inPlaceUnseen
        case makeAgain
        case renameOver
    }

    public let root: String

    public init(root: String) {
        self.root = root
    }

    private func absolute(_ path: String) -> String { root + "/" + path }

    private var outside: String { root + "-outside" }

    public static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    public static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private func makeParents(of path: String) {
        let parts = path.split(separator: "/").dropLast()
        for count in parts.indices { mkdir(absolute(parts[...count].joined(separator: "/")), 0o755) }
    }

    private func write(_ bytes: [UInt8], toFile path: String) {
        // A child of this process that kept it open would be a writer who is not done.
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        precondition(file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count, path)
        close(file)
    }

    /// From outside, as a file manager does; over whatever is there.
    public func drop(_ bytes: [UInt8], at path: String) {
        makeParents(of: path)
        write(bytes, toFile: outside)
        precondition(rename(outside, absolute(path)) == 0, path)
    }

    public func edit(_ path: String, _ bytes: [UInt8], _ way: Editing) {
        let file = absolute(path)
        switch way {
        case .inPlace: write(bytes, toFile: file)
        case .inPlaceUnseen:
            var info = stat()
            stat(file, &info)
            write(bytes, toFile: file)
            var times = [info.st_atim, info.st_mtim]
            utimensat(AT_FDCWD, file, &times, 0)
        case .makeAgain:
            unlink(file)
            write(bytes, toFile: file)
        case .renameOver:
            let beside = Self.parent(of: file) + "/.editing"
            write(bytes, toFile: beside)
            precondition(rename(beside, file) == 0, path)
        }
    }

    /// Over whatever is there.
    public func move(_ path: String, to target: String) {
        makeParents(of: target)
        precondition(rename(absolute(path), absolute(target)) == 0, "\(path) to \(target)")
    }

    public func remove(_ path: String) { precondition(unlink(absolute(path)) == 0, path) }

    public func link(_ path: String, to target: String) {
        makeParents(of: target)
        precondition(Glibc.link(absolute(path), absolute(target)) == 0, "\(path) to \(target)")
    }

    public func swap(_ path: String, _ other: String) {
        precondition(rename(absolute(path), outside) == 0, path)
        precondition(rename(absolute(other), absolute(path)) == 0, other)
        precondition(rename(outside, absolute(other)) == 0, other)
    }

    /// As restoring it from elsewhere does: other files, which are all that lie directly in it, the same bytes.
    public func makeDirectoryAgain(_ directory: String, files: [(path: String, bytes: [UInt8])]) {
        for (path, _) in files { remove(path) }
        // One with directories in it stays.
        rmdir(absolute(directory))
        mkdir(absolute(directory), 0o755)
        for (path, bytes) in files { write(bytes, toFile: absolute(path)) }
    }

    public func exists(_ path: String) -> Bool {
        var info = stat()
        return lstat(absolute(path), &info) == 0
    }
}
