import AlbumModel

/// Tags and covers.
extension ReportBuilder {
    /// - Parameter text: An ID or a name; `nil` for all albums.
    func tags(album text: String?) throws(PotluckError) -> TagsReport {
        let album = try text.map(album)
        var counts: [String: (tag: String, photos: Int)] = [:]
        for id in album.map({ [$0] }) ?? catalog.albums.keys.sorted() {
            for tag in entries(id).flatMap(\.tags) { counts[TagName.key(tag), default: (tag, 0)].photos += 1 }
        }
        let tags = counts.sorted { ($1.value.photos, $0.key) < ($0.value.photos, $1.key) }
        return TagsReport(
            album: album.map(albumName), albumID: album?.hex,
            tags: tags.map { TagsReport.Tag(tag: $0.value.tag, photos: $0.value.photos) })
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
