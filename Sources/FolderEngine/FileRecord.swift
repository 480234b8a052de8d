package import AlbumModel

extension PhotoKey {
    /// The album's bytes, then the blob's.
    package var bytes: [UInt8] { album.bytes + blob.bytes }

    /// `nil` unless there are exactly as many bytes.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == AlbumID.byteCount + BlobID.byteCount,
            let album = AlbumID(bytes: bytes.prefix(AlbumID.byteCount)),
            let blob = BlobID(bytes: bytes.dropFirst(AlbumID.byteCount))
        else { return nil }
        self.init(album: album, blob: blob)
    }
}

/// What is known of one file in the folder: which photo it holds, and how it looked then.
package struct FileRecord: Hashable, Sendable {
    package enum Origin: UInt8, Sendable {
        /// A person put it there, and it was added to its album.
        case dropped = 1
        /// This program put it there.
        case placed = 2
        /// It was found holding a photo that the gathering knows.
        case adopted = 3
        /// It holds the photo of another file of its album.
        case duplicate = 4
        /// It was found holding a photo that somebody removed from the album.
        case removed = 5
        /// This program put it there, and a person gave it another name, or another place in its album.
        case named = 6
    }

    package var photo: PhotoKey
    package var signature: FileSignature
    package var origin: Origin

    package init(photo: PhotoKey, signature: FileSignature, origin: Origin) {
        self.photo = photo
        self.signature = signature
        self.origin = origin
    }

    /// The origin of the file once a person moved it: what they call it stays, and where in its album's directory they put
    /// it. That directory may have got another name with all that is in it.
    func origin(movedFrom former: FolderPath, to path: FolderPath) -> Origin {
        let places = [former, path].map { $0.bytes.dropFirst($0.albumDirectory.bytes.count) }
        return origin == .placed && places[0] != places[1] ? .named : origin
    }
}

extension FileRecord {
    /// A version, the origin, the photo, then the signature's four words, most significant byte first.
    package var bytes: [UInt8] {
        [Self.version, origin.rawValue] + photo.bytes + BigEndian.bytes(signature.inode)
            + BigEndian.bytes(signature.byteCount) + BigEndian.bytes(signature.modified)
            + BigEndian.bytes(signature.changed)
    }

    /// `nil` for what a later version wrote: the file is then found anew, and adopted.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 82, bytes[0] == Self.version, let origin = Origin(rawValue: bytes[1]),
            let photo = PhotoKey(bytes: bytes[2..<50])
        else { return nil }
        let words = stride(from: 50, to: 82, by: 8).map { BigEndian.word(bytes[$0..<$0 + 8]) }
        self.init(
            photo: photo,
            signature: FileSignature(
                inode: words[0], byteCount: words[1], modified: Int64(bitPattern: words[2]),
                changed: Int64(bitPattern: words[3])),
            origin: origin)
    }

    private static let version: UInt8 = 1
}

extension FactKind {
    /// Key: a path below the folder. Value: a ``FileRecord``.
    package static let folderFile = FactKind(rawValue: "folder.file")
    /// Key: a path where a photo is about to be placed. Value: a ``PhotoKey``.
    package static let folderIntent = FactKind(rawValue: "folder.intent")
    /// Key: a ``PhotoKey`` whose last file a person deleted or overwrote. Value: the path it had.
    package static let folderGone = FactKind(rawValue: "folder.gone")
    /// Key: a path whose file is about to be taken out of the folder. Value: the ``PhotoKey`` that it holds.
    package static let folderLeaving = FactKind(rawValue: "folder.leaving")
    /// Key: empty. Value: the ID of the group that waits for a person, 8 bytes; present while one does.
    package static let folderHeld = FactKind(rawValue: "folder.held")
}
