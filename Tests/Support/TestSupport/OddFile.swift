import FoundationEssentials
import Glibc

/// Something that stands where a program expects a file or a directory of its own, as on a stick that others prepared.
public enum OddFile: String, CaseIterable, Sendable {
    case pipe, socket, device
    case linkToFile, linkToDirectory, linkToDevice, linkToNothing, linkToItself
    case directory
    /// A plain file of 1 TiB without any byte on the disk.
    case hugeFile

    public var isLink: Bool { rawValue.hasPrefix("link") }

    /// Whether it was put there; false for what this person or this disk cannot have: device nodes are for root.
    ///
    /// - Parameter outside: what links lead to.
    public func place(at path: String, outside: OutsideTree) throws -> Bool {
        switch self {
        case .pipe: try require(mkfifo(path, 0o600), path)
        case .socket: try require(mknod(path, S_IFSOCK | 0o600, 0), path)
        case .device:
            // As /dev/zero: character device 1, 5.
            if mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) != 0 { return false }
        case .linkToFile: try require(symlink(outside.key, path), path)
        case .linkToDirectory: try require(symlink(outside.path, path), path)
        case .linkToDevice: try require(symlink("/dev/zero", path), path)
        case .linkToNothing: try require(symlink(outside.path + "/new", path), path)
        case .linkToItself: try require(symlink(path, path), path)
        case .directory:
            try require(mkdir(path, 0o700), path)
            try require(mkdir(path + "/inside", 0o700), path)
        case .hugeFile:
            let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
            try require(file, path)
            defer { close(file) }
            if ftruncate(file, 1 << 40) != 0 {
                unlink(path)
                return false
            }
        }
        return true
    }

    /// Whether what was placed is still there, and is what it was.
    public func stands(at path: String) -> Bool {
        var info = stat()
        guard lstat(path, &info) == 0 else { return false }
        return switch self {
        case .pipe: info.st_mode & S_IFMT == S_IFIFO
        case .socket: info.st_mode & S_IFMT == S_IFSOCK
        case .device: info.st_mode & S_IFMT == S_IFCHR
        case .directory: info.st_mode & S_IFMT == S_IFDIR
        case .hugeFile: info.st_mode & S_IFMT == S_IFREG && info.st_size == 1 << 40
        case .linkToFile, .linkToDirectory, .linkToDevice, .linkToNothing, .linkToItself:
            info.st_mode & S_IFMT == S_IFLNK
        }
    }

    private func require(_ status: Int32, _ path: String) throws {
        if status < 0 { throw TestFailure("\(rawValue) at \(path): \(String(cString: strerror(errno)))") }
    }
}

/// Files that belong to nobody's business: whatever a program is given, they stay as they are.
public struct OutsideTree: Sendable {
    /// What a file of the tree holds that everybody knows.
    public static let knownText = "known to everybody"

    public let path: String
    public var key: String { path + "/key" }
    public var known: String { path + "/known.txt" }

    /// Makes the tree in a directory that exists.
    public init(in directory: String) throws {
        path = directory + "/outside"
        try FileManager.default.createDirectory(atPath: path + "/deep/er", withIntermediateDirectories: true)
        let texts = [("key", "PRIVATE"), ("known.txt", Self.knownText), ("deep/empty", ""), ("deep/er/x", "x")]
        for (name, text) in texts {
            try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
        }
    }

    /// Every entry with its kind, size, times and bytes: equal only if nothing was written, made, moved or removed.
    public func state() throws -> [String: [String]] {
        var state: [String: [String]] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) + ["."] {
            var info = stat()
            guard lstat("\(path)/\(name)", &info) == 0 else { throw TestFailure("\(name) is gone") }
            let bytes = FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data()
            state[name] = [
                "\(info.st_mode) \(info.st_size) \(info.st_nlink) \(info.st_ino)",
                "\(info.st_mtim.tv_sec).\(info.st_mtim.tv_nsec)", "\(info.st_ctim.tv_sec).\(info.st_ctim.tv_nsec)",
                String(decoding: bytes, as: UTF8.self),
            ]
        }
        return state
    }
}

/// Runs what must come to its end by itself, as nothing that reads a stick may wait for ever; what does not is left to
/// hang, and is an error here.
public func ending<Value: Sendable>(
    within limit: Duration = .seconds(30), _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Value.self)
    let work = Task.detached {
        do { continuation.yield(try await body()) } catch { continuation.finish(throwing: error) }
    }
    let clock = Task.detached {
        try await Task.sleep(for: limit)
        continuation.finish(throwing: TestFailure("no end within \(limit)"))
    }
    defer {
        work.cancel()
        clock.cancel()
    }
    for try await value in stream { return value }
    throw TestFailure("no value")
}
