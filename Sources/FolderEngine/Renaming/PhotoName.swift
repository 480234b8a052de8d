package import AlbumModel

/// What a photo's file is to be called.
public struct PhotoName: Hashable, Sendable {
    /// As shared; a label, whatever a peer wrote there.
    public var shared: String
    /// The contributor's, for telling apart photos of one name.
    public var deviceName: String
    /// Whether the photo took the place of another one of this name: what its file's name tells it from that one by goes
    /// with that one's file.
    public var isSuccessor: Bool

    public init(shared: String, deviceName: String, isSuccessor: Bool = false) {
        (self.shared, self.deviceName, self.isSuccessor) = (shared, deviceName, isSuccessor)
    }

    /// Whether a placed file has the photo's name, or one that placing might have chosen for it. Such a one stays, but for
    /// ``pathWithoutNote(_:of:)``.
    package func fits(_ path: FolderPath, of blob: BlobID) -> Bool {
        String(decoding: path.name, as: UTF8.self) == shared || names(fitting: path, of: blob) != nil
    }

    /// Where a placed file belongs once nothing else is there; `nil` where it stays at its path in any case.
    func pathWithoutNote(_ path: FolderPath, of blob: BlobID) -> FolderPath? {
        guard isSuccessor, let candidates = names(fitting: path, of: blob),
            let first = candidates.before(String(decoding: path.name, as: UTF8.self))?.first
        else { return nil }
        return path.parent.appending(first.utf8)
    }

    /// The names of which placing might have chosen the one that a file has.
    private func names(fitting path: FolderPath, of blob: BlobID) -> DiskName.Candidates? {
        let name = String(decoding: path.name, as: UTF8.self)
        // By bytes: in some scripts a dot is one character with the letter before it.
        let fileExtension = path.name.split(separator: UInt8(ascii: ".")).last
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        // Its extension is one of its bytes' type, of which there may be several.
        for type in MediaType.known where type.fileExtensions.contains(where: { $0 == fileExtension }) {
            let candidates = names(in: path.parent, of: blob, type)
            if candidates.fits(name) { return candidates }
        }
        return nil
    }

    /// The names for a photo's file to try in turn, as placing does.
    func names(in directory: FolderPath, of blob: BlobID, _ type: MediaType) -> DiskName.Candidates {
        DiskName.candidates(
            name: shared, type: type, deviceName: deviceName, blob: blob, directory: directory.text)
    }
}
