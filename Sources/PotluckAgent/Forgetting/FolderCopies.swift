import AlbumModel
import DiskIO
import PotluckAPI

/// Files of a folder by what they hold, whatever any record says of them. Blocks.
final class FolderCopies {
    /// A file that was found to hold certain bytes, as it was then.
    struct Copy: Hashable {
        var path: String
        var stat: FileStat

        func isLink(of other: FileStat) -> Bool { stat.inode == other.inode && stat.device == other.device }

        /// Whether the file is still the one that was read. Its links may be fewer meanwhile.
        var isUnchanged: Bool {
            guard let now = try? FileStat(path: path) else { return false }
            return now.device == stat.device && now.inode == stat.inode && now.byteCount == stat.byteCount
                && now.modified == stat.modified
        }
    }

    private var paths: [UInt64: [Copy]] = [:]
    private var hashes: [String: String] = [:]

    /// What cannot be listed or looked at is no copy of anything.
    ///
    /// - Parameter root: absolute; a folder in which the home's own files are has no copies of them.
    init(root: String, home: String) {
        do throws(PotluckError) {
            try FolderPlace.check(root, home: home, isStandard: true)
        } catch {
            return
        }
        var rest = [root]
        while let directory = rest.popLast() {
            guard let listing = try? DirectoryListing(path: directory, followsLink: directory == root) else { continue }
            // A trash can is in hidden directories, and is emptied.
            for entry in listing.entries where entry.name.first != UInt8(ascii: ".") {
                // A name that is no UTF-8 leads to nothing.
                let path = directory + "/" + entry.text
                guard let stat = try? FileStat(path: path) else { continue }
                switch stat.kind {
                case .directory: rest.append(path)
                case .file: paths[stat.byteCount, default: []].append(Copy(path: path, stat: stat))
                default: break
                }
            }
        }
    }

    /// A file with these bytes, read to its end, or another name of the very file.
    ///
    /// - Parameters:
    ///   - stat: of the file that may be deleted for its sake.
    ///   - hash: the SHA-256 that it is to have, in hexadecimal digits.
    func copy(of stat: FileStat, hash: String) -> Copy? {
        let candidates = paths[stat.byteCount] ?? []
        let (links, others) = (candidates.filter { $0.isLink(of: stat) }, candidates.filter { !$0.isLink(of: stat) })
        // A file of one name that the folder has is the home's own, which links lead to.
        if let link = links.first, stat.linkCount > 1 { return link }
        return others.first { self.hash($0) == hash }
    }

    /// `nil` for one that cannot be read.
    private func hash(_ copy: Copy) -> String? {
        if let hash = hashes[copy.path] { return hash }
        guard let file = try? OpenFile(path: copy.path), let hash = try? WholeFile.hash(file) else { return nil }
        hashes[copy.path] = hash
        return hash
    }
}
