import Glibc

/// What stands under a name.
public enum FileKind: Hashable, Sendable {
    /// A plain file.
    case file
    case directory
    /// A symbolic link, whatever it leads to.
    case link
    case pipe
    case socket
    /// A block or character device.
    case device
    /// The file system gives a kind that this program does not know.
    case unknown

    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .directory
        case S_IFLNK: self = .link
        case S_IFIFO: self = .pipe
        case S_IFSOCK: self = .socket
        case S_IFBLK, S_IFCHR: self = .device
        default: self = .unknown
        }
    }

    /// With its article, for sentences.
    public var phrase: String {
        switch self {
        case .file: "a plain file"
        case .directory: "a directory"
        case .link: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .device: "a device"
        case .unknown: "something of an unknown kind"
        }
    }
}
