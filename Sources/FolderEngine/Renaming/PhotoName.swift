package import AlbumModel

/// What a photo's file is to be called.
public struct PhotoName: Hashable, Sendable {
    /// As shared; a label, whatever a peer wrote there.
    public var shared: String
    /// The contributor's, for telling apart photos of one name.
    public var deviceName: String

    public init(shared: String, deviceName: String) {
        (self.shared, self.deviceName) = (shared, deviceName)
    }

    /// Whether a placed file has the photo's name, or one that placing might have chosen for it. Such a one stays.
    package func fits(_ path: FolderPath, of blob: BlobID) -> Bool {
        let name = String(decoding: path.name, as: UTF8.self)
        if name == shared { return true }
        // By bytes: in some scripts a dot is one character with the letter before it.
        let fileExtension = path.name.split(separator: UInt8(ascii: ".")).last
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        // Its extension is one of its bytes' type, of which there may be several.
        return MediaType.known.contains { type in
            type.fileExtensions.contains { $0 == fileExtension } && names(in: path.parent, of: blob, type).fits(name)
        }
    }

    /// The names for a photo's file to try in turn, as placing does.
    func names(in directory: FolderPath, of blob: BlobID, _ type: MediaType) -> DiskName.Candidates {
        DiskName.candidates(
            name: shared, type: type, deviceName: deviceName, blob: blob, directory: directory.text)
    }
}
