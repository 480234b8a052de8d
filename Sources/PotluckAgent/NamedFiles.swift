import DiskIO
import FolderEngine
import PotluckAPI

/// Files that a person names, and those in directories that a person names.
struct NamedFiles: Sendable {
    struct File: Hashable, Sendable {
        var path: String
        /// It was found in a directory.
        var isFound: Bool
    }

    private(set) var files: [File] = []
    /// What was found and is no photo by its name or kind, each with the reason.
    private(set) var leftOut: [PotluckAPI.SkippedFile] = []
    /// Directories that cannot be looked through, each with the reason.
    private(set) var unreadable: [PotluckAPI.SkippedFile] = []

    /// Looks through directories, in the order of names. Blocks.
    ///
    /// - Parameter paths: Absolute.
    init(_ paths: [String]) {
        for path in paths {
            if (try? FileStat(path: path, followsLink: true))?.isDirectory == true {
                find(in: path)
            } else {
                files.append(File(path: path, isFound: false))
            }
        }
    }

    private mutating func find(in directory: String) {
        let listing: DirectoryListing
        do {
            listing = try DirectoryListing(path: directory, followsLink: true)
        } catch {
            unreadable.append(.init(path: directory, reason: error.message))
            return
        }
        for entry in listing.entries.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
            find(entry, at: directory.hasSuffix("/") ? directory + entry.text : "\(directory)/\(entry.text)")
        }
    }

    private mutating func find(_ entry: DirectoryListing.Entry, at path: String) {
        switch Self.kind(entry, path) {
        case .directory:
            if let reason = JunkRules.reason(directoryName: entry.name) {
                leftOut.append(.init(path: path, reason: reason))
            } else {
                find(in: path)
            }
        case .file, .unknown:
            if let reason = JunkRules.reason(fileName: entry.name) {
                leftOut.append(.init(path: path, reason: reason))
            } else {
                files.append(File(path: path, isFound: true))
            }
        // What it leads to may be anywhere, and be found twice or for ever.
        case .link: leftOut.append(.init(path: path, reason: "a symbolic link"))
        case .other: leftOut.append(.init(path: path, reason: "not a file"))
        }
    }

    private static func kind(_ entry: DirectoryListing.Entry, _ path: String) -> DirectoryListing.Entry.Kind {
        guard entry.kind == .unknown else { return entry.kind }
        return (try? FileStat(path: path)).map { .init($0.kind) } ?? .unknown
    }
}
