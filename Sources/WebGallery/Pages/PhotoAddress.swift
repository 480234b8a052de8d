import AlbumModel

/// Addresses of pictures and pages, as shared/addresses.js has them.
enum PhotoAddress {
    /// - Parameter thumbnail: The small picture's own ID, which makes the address good for ever.
    static func thumbnail(_ photo: BlobID, _ thumbnail: BlobID?) -> String {
        let address = "/api/v1/photos/\(photo.hex)/thumbnail"
        return thumbnail.map { "\(address)?v=\(version($0))" } ?? address
    }

    /// The characters by which a small picture's address changes with it.
    static func version(_ thumbnail: BlobID) -> String { Base64URL.text(thumbnail.bytes.prefix(12)) }

    /// For a page without scripts, which cannot ask again for what is still being made.
    static func preview(_ photo: BlobID) -> String { "/api/v1/photos/\(photo.hex)/preview?wait=1" }

    static func video(_ photo: BlobID) -> String { "/api/v1/photos/\(photo.hex)/video" }

    static func page(_ photo: BlobID, in album: String, query: String) -> String {
        "/album/\(album)/photo/\(photo.hex)" + (query.isEmpty ? "" : "?\(query)")
    }

    static func album(_ album: String, page: Int, query: String) -> String {
        let parts = (page > 1 ? ["page=\(page)"] : []) + (query.isEmpty ? [] : [query])
        return "/album/\(album)" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }
}
