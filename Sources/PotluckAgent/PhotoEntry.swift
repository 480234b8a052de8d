import AlbumModel
import PhotoStore
import PotluckAPI

/// One entry of a listing: a photo, what belongs to it, and what people say of any of these files.
///
/// Words are given to the photo that leads. It may change: a camera's own picture that comes later leads its raw file.
/// So words that were given to a companion count as well.
struct PhotoEntry {
    var listing: PhotoListing
    private let caption: Register<String>
    private let companions: [Photo]
    /// Of the photo itself and of what it took the place of.
    private let ownComments: [PhotoComment]
    private let ownFavouringGuests: [Person]

    init(_ listing: PhotoListing, _ catalog: Catalog) {
        self.listing = listing
        let album = listing.photo.album
        let key = PhotoKey(album: album, blob: listing.photo.blob)
        ownComments = catalog.comments(of: key).map(\.comment)
        ownFavouringGuests = catalog.favouringGuests(of: key)
        companions = listing.companions.compactMap { catalog.photo(PhotoKey(album: album, blob: $0.blob)) }
        let captions = [catalog.photo(key)?.caption ?? Register()]
        caption = (captions + companions.map(\.caption)).first { !$0.writes.isEmpty } ?? captions[0]
    }

    var key: PhotoKey { PhotoKey(album: listing.photo.album, blob: listing.photo.blob) }

    /// The photo and what belongs to it, which comes after it.
    var blobs: [BlobID] { [listing.photo.blob] + listing.companions.map(\.blob) }

    /// `nil` for a sidecar without its photo.
    var kind: PhotosReport.Kind? { PhotosReport.Kind(rawValue: listing.kind.rawValue) }

    /// Of a video, or of the moving part of a photo, which may be a file of its own.
    var durationMilliseconds: UInt64? {
        listing.photo.details.durationMilliseconds ?? companions.lazy.compactMap(\.facts?.durationMilliseconds).first
    }

    /// Each once, ordered by their keys.
    var tags: [String] {
        let tags = listing.photo.remarks.tags
        guard companions.contains(where: { !$0.tags.isEmpty }) else { return tags }
        var shown: [String: String] = [:]
        for tag in tags + companions.flatMap(\.tags) where shown[TagName.key(tag)] == nil {
            shown[TagName.key(tag)] = tag
        }
        return shown.sorted { $0.key < $1.key }.map(\.value)
    }

    /// The devices whose people like it.
    var favouredBy: Set<DeviceID> {
        companions.reduce(into: Set(listing.photo.remarks.favouredBy)) { $0.formUnion($1.favouredBy) }
    }

    /// Guests who like it.
    var favouringGuests: Set<Person> {
        companions.reduce(into: Set(ownFavouringGuests)) { $0.formUnion($1.favouringGuests) }
    }

    /// In the order of time.
    var comments: [PhotoComment] {
        let others = companions.flatMap(\.comments)
        guard !others.isEmpty else { return ownComments }
        return (ownComments + others).sorted { ($0.clock, $0.dot) < ($1.clock, $1.dot) }
    }

    /// What is shown; `nil` where there is none.
    var shownCaption: String? { caption.shown.flatMap { $0.value.isEmpty ? nil : $0.value } }

    /// Captions that differ and were written without knowledge of each other, the shown one first, each with the change
    /// that it came in; empty where there is no such disagreement.
    var concurrentCaptions: [(caption: String, dot: Dot)] {
        guard caption.writes.count > 1 else { return [] }
        let alternatives = caption.alternatives
        return alternatives.count > 1 ? alternatives.map { ($0.value, $0.dot) } : []
    }
}
