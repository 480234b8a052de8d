import AlbumModel
public import PotluckAPI

extension GridEntry {
    /// A photo as listings show it; `nil` where its ID is none.
    public init?(_ photo: PhotosReport.Photo, hasComments: Bool = false) {
        guard let id = BlobID(hex: photo.id) else { return nil }
        self.init(
            photo: id, thumbnail: photo.thumbnail.flatMap { BlobID(hex: $0) }, width: photo.width ?? 0,
            height: photo.height ?? 0, taken: photo.taken.flatMap { GridTime(parsing: $0) },
            kind: Kind(photo.kind), seconds: Self.seconds(photo), isFavourite: !photo.favourites.isEmpty,
            isHere: photo.here, hasComments: hasComments)
    }

    /// Of videos alone: the moving part of a photo has a length that tells nobody anything.
    private static func seconds(_ photo: PhotosReport.Photo) -> UInt32? {
        guard photo.kind == .video, let seconds = photo.duration, seconds >= 0 else { return nil }
        return UInt32(exactly: seconds.rounded())
    }
}

extension GridEntry.Kind {
    /// What is not known yet is drawn as a photo.
    public init(_ kind: PhotosReport.Kind?) {
        switch kind {
        case .photo, nil: self = .photo
        case .video: self = .video
        case .live, .motion: self = .live
        case .raw: self = .raw
        }
    }
}

extension GalleryPhoto {
    /// A photo as listings show it; `nil` where its ID is none.
    public init?(_ photo: PhotosReport.Photo, hasComments: Bool = false) {
        guard let entry = GridEntry(photo, hasComments: hasComments) else { return nil }
        self.init(
            entry, name: photo.name, caption: photo.caption ?? "", people: photo.contributors, tags: photo.tags,
            camera: CameraName.text(make: photo.make ?? "", model: photo.model ?? ""))
    }
}
