import CFileOps
import Glibc

/// One directory's entries as the file system has them, whole or not at all.
public struct DirectoryListing: Sendable {
    public struct Entry: Hashable, Sendable {
        public enum Kind: Hashable, Sendable {
            /// A directory itself, not a symbolic link to one.
            case directory
            case file
            /// A symbolic link, whatever it leads to.
            case link
            /// A pipe, a socket, a device.
            case other
            /// The file system does not say; **must not** be taken for any of the others.
            case unknown

            /// Of an entry that was looked at.
            public init(_ kind: FileKind) {
                switch kind {
                case .directory: self = .directory
                case .file: self = .file
                case .link: self = .link
                case .pipe, .socket, .device, .unknown: self = .other
                }
            }
        }

        public var name: [UInt8]
        public var kind: Kind

        public init(name: [UInt8], kind: Kind) {
            self.name = name
            self.kind = kind
        }

        /// The name as text; bytes that are no UTF-8 are replaced, so it may lead to no file.
        public var text: String { String(decoding: name, as: UTF8.self) }
    }

    /// Every entry but `.` and `..`, in no order.
    public let entries: [Entry]
    /// Device of the directory and its inode, from the very descriptor that was listed.
    public let device: UInt64
    public let inode: UInt64

    /// Lists a directory. Blocks.
    ///
    /// - Parameter followsLink: whether a symbolic link in the path's last part is followed; without it such a link is no
    ///   directory (ENOTDIR).
    public init(path: some DiskPath, followsLink: Bool = false) throws(DirectoryListingError) {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        var descriptor: Int32
        repeat { descriptor = path.withCString { open($0, flags) } } while descriptor < 0 && errno == EINTR
        guard descriptor >= 0 else {
            let number = errno
            throw DirectoryListingError(errno: number, path: path.pathText)
        }
        try self.init(owning: descriptor, path: path.pathText)
    }

    /// Lists the directory of an open descriptor, which stays its owner's. Blocks.
    ///
    /// - Parameter entryCountMax: more entries are an error (E2BIG), as for directories that anybody may have filled.
    public init(descriptor: Int32, entryCountMax: Int = .max) throws(DirectoryListingError) {
        // Opened afresh: a duplicate would share its place in the directory with every other listing.
        var own: Int32
        repeat { own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) } while own < 0 && errno == EINTR
        guard own >= 0 else {
            let number = errno
            throw DirectoryListingError(errno: number, path: Self.path(of: descriptor))
        }
        try self.init(owning: own, path: Self.path(of: own), entryCountMax: entryCountMax)
    }

    private init(owning descriptor: Int32, path: String, entryCountMax: Int = .max) throws(DirectoryListingError) {
        var info = stat()
        guard fstat(descriptor, &info) == 0, let stream = fdopendir(descriptor) else {
            let number = errno
            close(descriptor)
            throw DirectoryListingError(errno: number, path: path)
        }
        defer { closedir(stream) }
        var entries: [Entry] = []
        var record = cfileops_entry()
        while true {
            let status = cfileops_next_entry(stream, &record)
            guard status == 0 else { throw Self.failure(status, descriptor, path) }
            guard let start = record.name else { break }
            let name = UnsafeRawBufferPointer(start: start, count: record.name_byte_count)
            if name.elementsEqual([46]) || name.elementsEqual([46, 46]) { continue }
            guard let kind = Self.kind(of: record, start, in: descriptor) else { continue }
            guard entries.count < entryCountMax else { throw DirectoryListingError(errno: E2BIG, path: path) }
            entries.append(Entry(name: Array(name), kind: kind))
        }
        self.entries = entries
        (device, inode) = (UInt64(info.st_dev), UInt64(info.st_ino))
    }

    /// A directory that was removed while it was read is absent; any other error leaves open what is in it.
    private static func failure(_ number: Int32, _ descriptor: Int32, _ path: String) -> DirectoryListingError {
        var info = stat()
        let isRemoved = number == ENOENT && fstat(descriptor, &info) == 0 && info.st_nlink == 0
        return isRemoved
            ? DirectoryListingError(errno: ENOENT, path: path) : DirectoryListingError.whileReading(number, path)
    }

    /// `nil` where the entry went meanwhile.
    private static func kind(
        of record: cfileops_entry, _ name: UnsafePointer<CChar>, in directory: Int32
    ) -> Entry.Kind? {
        switch Int(record.type) {
        case Int(DT_DIR): return .directory
        case Int(DT_REG): return .file
        case Int(DT_LNK): return .link
        case Int(DT_UNKNOWN):
            var info = stat()
            guard fstatat(directory, name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
                return errno == ENOENT ? nil : .unknown
            }
            return Entry.Kind(FileKind(mode: info.st_mode))
        default: return .other
        }
    }

    /// Where a descriptor leads to, for messages.
    private static func path(of descriptor: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = buffer.withUnsafeMutableBytes { bytes in
            readlink(
                "/proc/self/fd/\(descriptor)", bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
        }
        return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : "descriptor \(descriptor)"
    }
}
