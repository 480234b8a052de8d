import AlbumModel
import PhotoStore
import PotluckAPI

/// Tags and covers.
extension ReportBuilder {
    /// - Parameter text: An ID or a name; `nil` for all albums.
    func tags(album text: String?) async throws -> TagsReport {
        let album = try text.map { name throws(PotluckError) in try self.album(name) }
        let tags = try await indexPool.perform { [index] in try index.tags(album: album) }
        return TagsReport(
            album: album.map { albumName($0) }, albumID: album?.hex,
            tags: tags.map { TagsReport.Tag(tag: $0.tag, photos: $0.photoCount) })
    }

    func cover(album text: String) throws(PotluckError) -> CoverReport {
        let album = try album(text)
        let cover = cover(of: album)
        let name = cover.flatMap { catalog.photo(PhotoKey(album: album, blob: $0))?.shownName }
        return CoverReport(album: albumName(album), albumID: album.hex, cover: cover?.hex, name: name)
    }

    /// The photo that was chosen, as long as the album has it.
    func cover(of album: AlbumID) -> BlobID? {
        guard let chosen = catalog.albums[album]?.cover.shown?.value,
            catalog.photo(PhotoKey(album: album, blob: chosen))?.isLive == true
        else { return nil }
        return chosen
    }
}
