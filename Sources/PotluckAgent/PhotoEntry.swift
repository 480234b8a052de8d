import AlbumModel

/// One entry of a listing: a photo, what belongs to it, and what people say of any of these files.
///
/// Words are given to the lead. Those that were given to a companion before it was known to be one count as well.
struct PhotoEntry {
    var key: PhotoKey
    var photo: Photo
    var companions: [Companion]
    /// When it was taken, its camera's clock corrected.
    var taken: CaptureTime
    var order: AlbumOrder

    struct Companion {
        var blob: BlobID
        var role: Moment.Role
        var photo: Photo
    }

    /// `nil` where the lead is not a live photo of the album.
    init?(_ moment: Moment, of album: Album) {
        guard let photo = album.photos[moment.lead], let taken = album.taken(photo),
            let order = album.order(moment.lead)
        else { return nil }
        key = PhotoKey(album: album.id, blob: moment.lead)
        self.photo = photo
        companions = moment.companions.compactMap { companion in
            album.photos[companion.blob].map {
                Companion(blob: companion.blob, role: companion.role, photo: $0)
            }
        }
        self.taken = taken
        self.order = order
    }

    private var photos: [Photo] { [photo] + companions.map(\.photo) }

    /// `nil` for a sidecar whose photo is not here.
    var kind: PhotosReport.Kind? {
        if companions.contains(where: { $0.role == .video }) { return .live }
        let mediaType = photo.adds.first?.mediaType ?? ""
        return PhotosReport.Kind(rawValue: PhotoKind(photo.facts?.kind, mediaType: mediaType).rawValue)
    }

    /// Of a video, or of the moving part of a photo, which may be a file of its own.
    var durationMilliseconds: UInt64? {
        let video = companions.first { $0.role == .video }?.photo
        return photo.facts?.durationMilliseconds ?? video?.facts?.durationMilliseconds
    }

    /// Each once, ordered by their keys.
    var tags: [String] {
        guard !companions.isEmpty else { return photo.tags }
        var shown: [String: String] = [:]
        for tag in photos.flatMap(\.tags) where shown[TagName.key(tag)] == nil { shown[TagName.key(tag)] = tag }
        return shown.sorted { $0.key < $1.key }.map(\.value)
    }

    var favouredBy: [DeviceID] {
        guard !companions.isEmpty else { return photo.favouredBy }
        return Set(photos.flatMap(\.favouredBy)).sorted()
    }

    /// The lead's; where nobody ever wrote one, that of a companion.
    private var captionRegister: Register<String> {
        photos.map(\.caption).first { !$0.writes.isEmpty } ?? photo.caption
    }

    /// `nil` where there is none.
    var caption: String? { captionRegister.shown.flatMap { $0.value.isEmpty ? nil : $0.value } }

    /// Captions that differ and were written without knowledge of each other, the shown one first, each with the dot of
    /// the change that it came in; empty where there is no such disagreement.
    var concurrentCaptions: [(caption: String, dot: Dot)] {
        let register = captionRegister
        guard register.writes.count > 1 else { return [] }
        var seen: Set<String> = []
        let distinct = register.writes.sorted { ($0.clock, $0.dot) > ($1.clock, $1.dot) }
            .filter { seen.insert($0.value).inserted }
        return distinct.count > 1 ? distinct.map { ($0.value, $0.dot) } : []
    }
}
