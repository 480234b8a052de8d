/// A directory that Potluck needs, and the disk that it is on.
public struct PlaceSight: Hashable, Sendable {
    public var role: Role
    public var path: String
    /// As the mount table names it, such as `ext4` or `nfs4`; `nil` where that is not known.
    public var fileSystem: String?
    /// `nil` where the disk gave no answer.
    public var space: Space?

    public init(role: Role, path: String, fileSystem: String?, space: Space?) {
        self.role = role
        self.path = path
        self.fileSystem = fileSystem
        self.space = space
    }

    public enum Role: String, Hashable, Sendable {
        case home, folder
    }

    /// In bytes.
    public struct Space: Hashable, Sendable {
        public var free: UInt64
        public var reserve: UInt64

        public init(free: UInt64, reserve: UInt64) {
            self.free = free
            self.reserve = reserve
        }
    }

    /// Whether other machines keep the files, so that changes there are told to nobody here.
    public var isOnNetwork: Bool { fileSystem.map(Self.networkFileSystems.contains) ?? false }

    private static let networkFileSystems: Set<String> = [
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse.curlftpfs", "fuse.davfs2", "fuse.glusterfs",
        "fuse.gvfsd-fuse", "fuse.rclone", "fuse.s3fs", "fuse.sshfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4",
        "smb3", "smbfs",
    ]
}

/// `/proc/self/mountinfo`.
struct MountTable {
    /// Mount points as they are, with their file systems, in the order of the table.
    private var mounts: [(point: String, fileSystem: String)] = []

    /// Lines that are none of such a table are passed over (proc(5)).
    init(text: String) {
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: " ", omittingEmptySubsequences: true)
            guard let dash = halves.firstIndex(of: "-"), halves.count > dash + 1, halves.count > 4 else { continue }
            mounts.append((Self.unescaped(halves[4]), String(halves[dash + 1])))
        }
    }

    /// The file system of an absolute path, without looking at the disk: one that does not answer would keep us waiting.
    func fileSystem(of path: String) -> String? {
        let parts = path.split(separator: "/")
        let covering = mounts.filter { parts.starts(with: $0.point.split(separator: "/")) }
        let depth = covering.map { $0.point.split(separator: "/").count }.max()
        // Of mounts over each other the last one is seen.
        return covering.last { $0.point.split(separator: "/").count == depth }?.fileSystem
    }

    /// Blanks and the like stand as three octal digits behind a backslash.
    private static func unescaped(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 8) {
                bytes.append(value)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
