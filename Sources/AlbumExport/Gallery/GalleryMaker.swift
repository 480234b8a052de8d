import AlbumModel

/// Makes the pictures of a gallery and its page.
///
/// The small pictures are those that the gathering has already, checked against their hash; missing ones are made where
/// somebody can. A photo without one is shown by its name.
struct GalleryMaker: Sendable {
    private let moments: [PlannedMoment]
    private let pictures: (any PictureMaker)?

    init(_ plan: ExportPlan, _ pictures: (any PictureMaker)?) {
        moments = plan.moments.filter { $0.entry.kind != .sidecar }
        self.pictures = pictures
    }

    /// One picture of a photo.
    private struct Picture: Sendable {
        var photo: ExportFile
        var treatment: Treatment
        /// One that is there already.
        var source: ExportFile?

        var key: FileKey { FileKey(source: photo.id.hex, treatment: treatment) }
        var stem: String { "\(GalleryPage.directory)/\(photo.id.hex.prefix(16))\(treatment == .view ? "-large" : "")" }
        var side: Int { treatment == .view ? ExportOptions.largeSide : ExportOptions.smallSide }
    }

    private var wanted: [Picture] {
        moments.flatMap { moment in
            let photo = moment.entry.lead
            let small = Picture(photo: photo, treatment: .small, source: moment.entry.thumbnail)
            return needsView(moment) ? [small, Picture(photo: photo, treatment: .view)] : [small]
        }
    }

    /// Whether browsers do not show the file itself.
    private func needsView(_ moment: PlannedMoment) -> Bool {
        moment.lead.treatment != .large && !isVideo(moment)
            && !GalleryItem.shownMediaTypes.contains(moment.entry.lead.mediaType)
    }

    private func isVideo(_ moment: PlannedMoment) -> Bool {
        moment.entry.kind == .video || moment.entry.lead.mediaType.hasPrefix("video/")
    }

    /// The names of all pictures, for the sink to get ready.
    var names: [FileKey: FileName] {
        var names = [GalleryPage.key: FileName(stem: "index", ending: ".html")]
        for picture in wanted { names[picture.key] = FileName(stem: picture.stem, ending: ".jpg") }
        return names
    }

    // MARK: Pictures

    /// - Throws: `FileError`, `CancellationError`.
    func make(album: String, _ writer: ExportWriter, aheadMax: Int) async throws {
        try await inOrder(wanted, width: aheadMax) { picture in
            try await content(picture, writer)
        } use: { picture, prepared in
            guard let (content, ending) = prepared else { return }
            do {
                try await writer.write(
                    picture.key, name: picture.stem + ending, content, expected: picture.source?.id)
            } catch is SourceError {
                // The photo is shown without it.
            }
        }
        let page = GalleryPage.text(album: album, items(await writer.files))
        try await writer.write(GalleryPage.key, name: GalleryPage.name, .bytes(Array(page.utf8)))
    }

    /// `nil` for a picture that is there already, or that cannot be had.
    private func content(_ picture: Picture, _ writer: ExportWriter) async throws -> (Content, String)? {
        if try await writer.keep(picture.key, expected: picture.source?.id, time: nil) { return nil }
        if let source = picture.source, let path = source.path {
            return (.file(path), FileEnding.ofPicture(mediaType: source.mediaType))
        }
        guard let pictures, picture.photo.path != nil else { return nil }
        do {
            let made = try await pictures.picture(of: picture.photo, fitting: picture.side)
            return (.bytes(made.bytes), FileEnding.ofPicture(mediaType: made.mediaType))
        } catch let error as CancellationError {
            throw error
        } catch {
            // The photo is shown by its name, also where no photo can have a picture.
            return nil
        }
    }

    // MARK: The page

    private func items(_ files: [FileKey: NamedFile]) -> [GalleryItem] {
        moments.map { moment in
            let entry = moment.entry
            func picture(_ treatment: Treatment) -> String? {
                files[Picture(photo: entry.lead, treatment: treatment).key]?.name
            }
            let movie = moment.companions.first { companion in
                entry.companions.contains { $0.file.id == companion.source.id && $0.role == .video }
            }
            return GalleryItem(
                id: entry.lead.id, kind: entry.kind, isVideo: isVideo(moment), file: files[moment.lead.key]?.name,
                small: picture(.small), view: picture(.view), moving: movie.flatMap { files[$0.key]?.name },
                name: entry.lead.name, caption: entry.caption, person: entry.person, tags: entry.tags,
                time: moment.time, size: entry.size, durationMilliseconds: entry.durationMilliseconds)
        }
    }
}
