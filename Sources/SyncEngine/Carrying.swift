public import AlbumModel
public import WireFormat

/// What became of a page of batches that a person carried here.
public struct CarriedOutcome: Hashable, Sendable {
    /// Batches that are durable here now, and were not before.
    public var newCount = 0
    public var knownCount = 0
    /// Why the others were not accepted, one for each. Those that lack what they follow may be tried again later.
    public var refusals: [BatchRefusal] = []

    public init() {}
}

/// A blob that is wanted, for whoever may have it elsewhere than on another device.
public struct CarriedWant: Hashable, Sendable {
    public var blob: BlobID
    public var blobClass: BlobClass
    /// The sizes that contributors signed, in bytes; mostly one.
    public var byteCounts: [UInt64]
    /// Of the newest photo that has it.
    public var order: ClockReading
}

extension Engine {
    /// All blobs that are wanted: thumbnails first, then the newest photo first.
    public var carriedWants: [CarriedWant] {
        let wants = wantedBlobs.map { blob in
            let mentions = catalog.mentions(of: blob, max: .max)
            return CarriedWant(
                blob: blob, blobClass: mentions.blobClass, byteCounts: mentions.claims.map(\.byteCount),
                order: mentions.order)
        }
        return wants.sorted { left, right in
            if left.blobClass != right.blobClass { return left.blobClass == .thumbnail }
            return left.order != right.order ? left.order > right.order : left.blob < right.blob
        }
    }
}
