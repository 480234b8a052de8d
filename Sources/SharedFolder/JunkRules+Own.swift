import FolderEngine
import PhotoStore

extension JunkRules {
    /// Names that this program itself makes in the folder: skipped without a word.
    static func isOwn(_ path: FolderPath) -> Bool {
        path == Marker.path || isOwnPassing(path.name)
    }

    /// A file on its way to its final name beside it, or away from there.
    static func isOwnPassing(_ name: some Collection<UInt8>) -> Bool {
        name.starts(with: BlobStore.placingPrefix.utf8) || HidingPlace.isOne(name)
    }
}
