import AlbumModel

/// One rendition of one original.
struct RenditionKey: Hashable, Sendable {
    var kind: RenditionKind
    var blob: BlobID
}

/// The name of a kept file. It says what the bytes are to be, so that a file that a power cut tore is known by it:
/// `ORIGINAL-KIND.VERSION-BYTECOUNT-SHA256`, hashes in hexadecimal.
struct RenditionName: Hashable, Sendable {
    var key: RenditionKey
    var byteCount: UInt64
    var sha256: String

    var text: String {
        "\(key.blob.hex)-\(key.kind.rawValue).\(key.kind.version)-\(byteCount)-\(sha256)"
    }

    init(_ key: RenditionKey, byteCount: UInt64, sha256: String) {
        (self.key, self.byteCount, self.sha256) = (key, byteCount, sha256)
    }

    /// `nil` for whatever this version does not write.
    init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, let blob = BlobID(hex: parts[0]),
            let kind = RenditionKind.allCases.first(where: { parts[1] == "\($0.rawValue).\($0.version)" }),
            let byteCount = UInt64(parts[2])
        else { return nil }
        self.init(RenditionKey(kind: kind, blob: blob), byteCount: byteCount, sha256: String(parts[3]))
        guard self.text == text else { return nil }
    }
}
