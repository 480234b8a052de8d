import DiskIO
import FolderEngine
import Glibc
import PhotoStore

/// The name, beside its own, under which a file is out of sight while it is taken away.
///
/// What is there may be a person's, which came at the last moment: only the very file that was to go is removed, and
/// anything else gets its own name back. Unlike a file that is being placed, nothing of such a name is removed unseen.
/// Every call blocks.
struct HidingPlace {
    static let prefix = ".potluck-leaving-"
    private static let nameByteCountMax = 255

    /// Where the file was.
    let path: FolderPath
    let root: String

    init(of path: FolderPath, in root: String) {
        self.path = path
        self.root = root
    }

    /// `nil` for a path that is none.
    init?(at hidden: FolderPath, in root: String) {
        let rest = hidden.name.dropFirst(Self.prefix.utf8.count)
        guard Self.isOne(hidden.name), !rest.isEmpty else { return nil }
        self.init(of: hidden.parent.appending(rest), in: root)
    }

    static func isOne(_ name: some Collection<UInt8>) -> Bool { name.starts(with: prefix.utf8) }

    /// Of a long name its end, which tells the type.
    private var hidden: BytePath {
        let rest = path.name.suffix(Self.nameByteCountMax - Self.prefix.utf8.count)
        return path.parent.appending(Array(Self.prefix.utf8) + rest).absolute(in: root)
    }

    /// - Throws: where the file is where it was: EEXIST while something is hidden already.
    func hide() throws(FileError) {
        try Disk.renameWithoutReplacing(path.absolute(in: root), to: hidden, claimingBy: .look)
    }

    /// Removes the file that was to go; anything else gets its own name back, or one beside that if it is taken by now.
    ///
    /// - Returns: whether nothing but that file was there, if any.
    /// - Throws: what could not be done; where something is hidden still, it is worth another try.
    @discardableResult
    func settle(_ expected: FileSignature?) throws -> Bool {
        guard let stat = try FileStat.find(path: hidden) else { return true }
        guard let expected, FileSignature(stat).isSameFile(as: expected) else {
            try bringBack()
            return false
        }
        do throws(FileError) {
            try Disk.remove(hidden)
            return true
        } catch {
            try bringBack()
            throw error
        }
    }

    private func bringBack() throws {
        for target in [path] + Array(DiskName.pathsBeside(path)) {
            do throws(FileError) {
                return try Disk.renameWithoutReplacing(hidden, to: target.absolute(in: root), claimingBy: .look)
            } catch {
                if error.isAbsent { return }
                guard error.errno == EEXIST else { throw error }
            }
        }
        throw FolderError(.failed, "There is no free name for \(path), which was about to be taken away.")
    }
}
