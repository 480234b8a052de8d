import DiskIO
import FolderEngine
import PhotoStore

extension FileSignature {
    init(_ info: FileStat) {
        self.init(inode: info.inode, byteCount: info.byteCount, modified: info.modified, changed: info.changed)
    }
}
