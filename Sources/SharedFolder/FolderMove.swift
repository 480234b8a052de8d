import DiskIO
import FolderEngine
import Glibc
public import PhotoStore

/// The folder of a home in which no agent runs, on its way to another place. Every call blocks.
///
/// Where a rename leads there, it is one. To another disk every file is copied, durably, and read back; the new place gets
/// its marker last. Of the former place nothing is deleted before ``finish()``, and then only files that are still what was
/// copied. A crash leaves a folder with its marker at one place or at both, and every file at one of them.
public struct FolderMove {
    public enum Way: Hashable, Sendable {
        /// The home has had no folder yet.
        case unused
        /// The folder stands at the new place already, since a person moved it.
        case found
        case renamed
        case copied
    }

    public let former: String
    public let new: String
    /// `nil` before ``run(progress:)``.
    public private(set) var way: Way?
    private let folderID: FolderID?
    private let isThere: Bool
    private let canRename: Bool
    private var copy: FolderCopy?

    /// Looks at both places, and changes nothing.
    ///
    /// - Parameters:
    ///   - journal: of the home, whose lock the caller has.
    ///   - former: absolute, as `new` is.
    /// - Throws: where the folder is at neither place or at both, where something else is at the new one, and where nobody
    ///   can tell.
    public init(journal: Journal, from former: String, to new: String) throws(FolderError) {
        try self.init(journal: journal, from: former, to: new, canRename: true)
    }

    /// - Parameter canRename: tests say no, as if the new place were on another disk.
    init(journal: Journal, from former: String, to new: String, canRename: Bool) throws(FolderError) {
        (self.former, self.new, self.canRename) = (former, new, canRename)
        do throws(StoreError) {
            folderID = try journal.fact(Marker.fact, []).flatMap { FolderID(bytes: $0) }
        } catch {
            throw FolderError(error)
        }
        guard let folderID else {
            isThere = false
            return
        }
        let isAtFormer = try Marker.owner(of: former, folderID: folderID) == .thisHome
        switch try Marker.owner(of: new, folderID: folderID) {
        case .thisHome:
            let isCopy = isAtFormer ? try !Self.isSame(former, new) : false
            guard !isCopy else {
                throw Self.refusal("\(new) is a copy of the folder. Delete one of the two first.")
            }
            isThere = true
        case .anotherHome: throw Self.refusal("\(new) is the folder of another gathering.")
        case .nobody:
            guard isAtFormer else {
                throw Self.refusal(
                    "The folder is not at \(former): is a disk not mounted? If it was moved, say where to: its file "
                        + "\(Marker.path) tells it from others.")
            }
            isThere = false
            try Self.requireEmpty(new)
            for (inner, outer) in [(former, new), (new, former)] where inner.hasPrefix(outer + "/") {
                throw Self.refusal("One cannot be moved into the other: \(outer) and \(inner).")
            }
        }
    }

    /// Whether two paths lead to one directory, as a link and what it leads to: then there is no copy to delete.
    private static func isSame(_ former: String, _ new: String) throws(FolderError) -> Bool {
        do throws(FileError) {
            let (one, other) = (
                try FileStat(path: former, followsLink: true), try FileStat(path: new, followsLink: true)
            )
            return one.device == other.device && one.inode == other.inode
        } catch {
            throw FolderError(error)
        }
    }

    private static func requireEmpty(_ new: String) throws(FolderError) {
        do throws(FileError) {
            guard try FileStat.find(path: new) != nil, try !Disk.names(in: new).isEmpty else { return }
        } catch {
            throw FolderError(error)
        }
        throw refusal(
            "\(new) is not empty: choose a new or an empty directory. If something stayed there of a move that was "
                + "interrupted, delete it first: the folder itself is whole.")
    }

    private static func refusal(_ sentence: String) -> FolderError { FolderError(.failed, sentence) }

    /// Brings the folder to the new place, durably; from then on the home's settings may name that.
    ///
    /// - Parameter progress: Called for each file that is copied.
    public mutating func run(progress: (FolderCopy.Progress) -> Void) throws(FolderError) {
        do {
            way = try bring(progress)
        } catch {
            throw FolderError(error)
        }
    }

    private mutating func bring(_ progress: (FolderCopy.Progress) -> Void) throws -> Way {
        guard let folderID else { return .unused }
        guard !isThere else { return .found }
        guard try !canRename || !isRenamed() else { return .renamed }
        var copy = try FolderCopy(from: former, to: new)
        try copy.run(progress: progress)
        try Marker.make(root: new, folderID: folderID)
        self.copy = copy
        return .copied
    }

    /// Whether a rename is all that it takes.
    private func isRenamed() throws -> Bool {
        let (former, new) = (self.former, self.new)
        // An empty directory makes way; a disk that is mounted there does not.
        guard try FolderCopy.removeEmpty(new) else { return false }
        do throws(FileError) {
            try Disk.renameWithoutReplacing(former, to: new, claimingBy: .look)
        } catch {
            // Another disk, or a disk that is the folder itself or is mounted there.
            if [EXDEV, EBUSY, EEXIST].contains(error.errno) { return false }
            throw error
        }
        for place in Set([former, new].map(AbsolutePath.parent)) {
            try Disk.synchronizeDirectory(place, toleratesUnsupported: true)
        }
        return true
    }

    /// Deletes at the former place what was copied, once nothing leads there any more.
    ///
    /// - Returns: paths below the former place of what stays there: other kinds of files, and what was changed or came
    ///   meanwhile; `nil` where nobody could look.
    public func finish() throws(FolderError) -> [String]? {
        guard let copy else { return [] }
        do {
            // The marker first: what a crash leaves of the former place is nobody's folder any more.
            try OpenDirectory(path: former, of: .person).removeFile(Marker.path.text)
            return try copy.deleteOriginals()
        } catch {
            throw FolderError(error)
        }
    }
}
