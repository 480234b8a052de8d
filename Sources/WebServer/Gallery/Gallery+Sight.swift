import AlbumModel

extension Gallery {
    /// The albums that show a photo, as far as this visitor sees them.
    func albums(of photo: BlobID, seenBy visitor: Visitor) async -> Set<AlbumID> {
        await host.albums(of: photo).filter { visitor.sees($0) }
    }

    /// The album that an address names.
    ///
    /// - Throws: ``Problem/noAlbum`` where this visitor sees none; whether it exists, its photos tell.
    func album(_ request: WebRequest) throws -> AlbumID {
        guard let visitor = request.visitor, let album = AlbumID(hex: request.parameters["album"] ?? ""),
            visitor.sees(album)
        else { throw Problem.noAlbum }
        return album
    }

    /// The photo of an album that an address names.
    func photoKey(_ request: WebRequest) async throws -> PhotoKey {
        guard let visitor = request.visitor, let album = AlbumID(hex: request.parameters["album"] ?? ""),
            let photo = BlobID(hex: request.parameters["photo"] ?? ""),
            await albums(of: photo, seenBy: visitor).contains(album)
        else { throw Problem.noPhoto }
        return PhotoKey(album: album, blob: photo)
    }
}
