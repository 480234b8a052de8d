import AlbumModel
import PhotoStore
import SyncEngine

/// Photos whose bytes were on this laptop and are gone from its store: files that somebody deleted, a disk's damage.
struct LostBlobs {
    private var blobs: Set<BlobID> = []

    init() {}

    /// - Parameter missing: what the store says was there before.
    init(_ engine: Engine, missing: Set<BlobID>) {
        // What this device added was here when it did, whether or not the index remembers.
        blobs = Set(
            engine.wantedPhotos.filter { blob in
                missing.contains(blob) || engine.catalog.liveAdds(of: blob).contains { $0.author == engine.device }
            })
    }

    mutating func insert(_ blob: BlobID) { blobs.insert(blob) }

    mutating func formUnion(_ others: LostBlobs) { blobs.formUnion(others.blobs) }

    /// Those that are still wanted and not here; others are forgotten.
    mutating func missing(_ engine: Engine) -> Set<BlobID> {
        blobs = blobs.filter { engine.missingReason($0) != nil }
        return blobs
    }

    /// What a person should know; `nil` where everything is here again, or is wanted no longer.
    mutating func sentence(_ engine: Engine, wall: UInt64) -> String? {
        let blobs = missing(engine)
        guard !blobs.isEmpty else { return nil }
        let alone = blobs.count { !engine.isElsewhere($0, wall: wall) }
        let sentence =
            "\(Self.photos(blobs.count)) that were on this laptop are gone from its store; they come again from the folder's files and from the laptops that have them."
        guard alone > 0 else { return sentence }
        return sentence
            + " Of \(Self.photos(alone)) no other laptop is known to have a copy: `potluck status` names them. If you have the files elsewhere, put them into the folder again."
    }

    private static func photos(_ count: Int) -> String { count == 1 ? "1 photo" : "\(count) photos" }
}
