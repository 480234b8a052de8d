import FolderEngine
import PhotoStore

extension OwnNames {
    static let folder = OwnNames(
        marker: Marker.path, passingPrefixes: [BlobStore.placingPrefix, HidingPlace.prefix])
}
