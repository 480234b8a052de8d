import AlbumModel
import PhotoStore

/// Counts photos as lists do: a photo with all that belongs to it, like a Live Photo's film, is one.
///
/// What belongs together is what the index says, as for ``ReportBuilder/albums(_:)``. It is found in what was read of the
/// photos: until then each file counts.
struct MomentCounter: Sendable {
    /// The photo that leads, of each one that belongs to another.
    private let leads: [BlobID: BlobID]

    init(_ leads: [BlobID: BlobID] = [:]) {
        self.leads = leads
    }

    /// Knows of these moments alone.
    init(of entries: [PhotoEntry]) {
        var leads: [BlobID: BlobID] = [:]
        for entry in entries { for companion in entry.listing.companions { leads[companion.blob] = entry.key.blob } }
        self.init(leads)
    }

    /// The photo that a moment is listed as, of any of its files.
    func lead(of blob: BlobID) -> BlobID { leads[blob] ?? blob }

    /// The ID of the photo that another one belongs to.
    func partOf(_ blob: BlobID) -> String? { leads[blob]?.hex }

    /// The moments that files are of, each by its lead.
    func leads(of blobs: some Sequence<BlobID>) -> Set<BlobID> {
        leads.isEmpty ? Set(blobs) : Set(blobs.lazy.map { lead(of: $0) })
    }

    /// Of each moment the file that comes first.
    func firsts(of blobs: some Sequence<BlobID>) -> [BlobID] {
        var seen: Set<BlobID> = []
        return blobs.filter { seen.insert(lead(of: $0)).inserted }
    }
}
