import AlbumModel
import DiskIO
import FolderEngine

/// Where files of a home that is deleted go, and what they are called there.
struct KeptNames {
    /// A directory below the one for all, and names to try in turn until one is free.
    struct Place {
        var directory: String
        var names: AnySequence<String>
    }

    let catalog: Catalog
    /// Blobs that are small pictures of photos, and no photos themselves.
    let smallPictures: Set<BlobID>

    init(_ catalog: Catalog) {
        self.catalog = catalog
        smallPictures = Set(catalog.thumbnailBlobs.filter { catalog.albums(of: $0).isEmpty })
    }

    /// - Parameter file: its bytes, of which the first tell its type.
    func place(of blob: BlobID, _ file: OpenFile) -> Place {
        let live = catalog.liveAlbums(of: blob, max: 1).first
        let album = live ?? catalog.albums(of: blob).first
        let name = album.flatMap { catalog.photo(PhotoKey(album: $0, blob: blob))?.shownName } ?? ""
        let directory = directory(live, isRemoved: album != nil)
        // One that cannot be read keeps its hash for a name.
        let head =
            (try? Descriptor.bytes(file.descriptor, path: file.path, at: 0, atMost: MediaContent.headByteCount)) ?? []
        let shown = name.isEmpty ? String(blob.hex.prefix(16)) : name
        guard case .media(let type) = MediaContent(head: head, byteCount: file.byteCount, name: shown) else {
            return Place(directory: directory, names: Self.numbered(blob.hex))
        }
        let names = DiskName.candidates(name: shown, type: type, deviceName: "", blob: blob, directory: directory)
        return Place(directory: directory, names: AnySequence(names))
    }

    private func directory(_ album: AlbumID?, isRemoved: Bool) -> String {
        guard let album else { return isRemoved ? "Removed photos" : "Other photos" }
        return DiskName.directoryCandidates(catalog.shownName(album) ?? "", album: album).first { _ in true }
            ?? "Photos"
    }

    /// Names of files that no album has.
    static func numbered(_ name: String) -> AnySequence<String> {
        AnySequence([name] + (2...99).map { "\(name) (\($0))" })
    }
}
