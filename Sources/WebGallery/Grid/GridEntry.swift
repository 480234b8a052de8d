public import AlbumModel

/// One picture of the grid, as much of it as has to be known before it is drawn.
public struct GridEntry: Hashable, Sendable {
    /// What is drawn on a picture.
    public enum Kind: UInt8, Hashable, Sendable {
        case photo, video
        /// A photo with a short video beside or in it.
        case live
        case raw
    }

    /// A ratio beyond these would come from a damaged file or a joker, and spoil the estimates of heights.
    private static let aspectRange: ClosedRange<UInt64> = 50...20_000

    public var photo: BlobID
    /// The small picture; `nil` where there is none yet.
    public var thumbnail: BlobID?
    /// Pixels as displayed; 0 where they are not known.
    public var width: UInt32
    public var height: UInt32
    public var taken: GridTime?
    public var kind: Kind
    /// Of a video; `nil` where it is not known.
    public var seconds: UInt32?
    /// Whether it is anybody's favourite.
    public var isFavourite: Bool
    /// Whether the original is on this laptop.
    public var isHere: Bool
    public var hasComments: Bool

    public init(
        photo: BlobID, thumbnail: BlobID? = nil, width: UInt32 = 0, height: UInt32 = 0, taken: GridTime? = nil,
        kind: Kind = .photo, seconds: UInt32? = nil, isFavourite: Bool = false, isHere: Bool = true,
        hasComments: Bool = false
    ) {
        self.photo = photo
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
        self.taken = taken
        self.kind = kind
        self.seconds = seconds
        self.isFavourite = isFavourite
        self.isHere = isHere
        self.hasComments = hasComments
    }

    public var month: GridMonth { taken?.month ?? .undated }
    /// Counts from 1; 0 without a date.
    public var day: Int { taken?.day ?? 0 }

    /// Width by height, times 1000, rounded; a square where they are not known.
    public var aspectThousandths: Int {
        guard width > 0, height > 0 else { return 1000 }
        let ratio = (UInt64(width) * 1000 + UInt64(height) / 2) / UInt64(height)
        return Int(min(max(ratio, Self.aspectRange.lowerBound), Self.aspectRange.upperBound))
    }

    /// - Parameter isMine: Whether it is a favourite of the person who looks.
    func flags(isMine: Bool) -> Int {
        var flags = 0
        switch kind {
        case .photo: break
        case .video: flags |= 1
        case .live: flags |= 2
        case .raw: flags |= 16
        }
        if isMine { flags |= 4 }
        if isFavourite { flags |= 8 }
        if !isHere { flags |= 32 }
        if hasComments { flags |= 64 }
        return flags
    }

    /// The grid's order within a month: the newest first; what has the same time, or none, by its hash.
    static func precedes(_ left: GridEntry, _ right: GridEntry) -> Bool {
        switch (left.taken, right.taken) {
        case (let one?, let other?) where one != other: one > other
        case (.some, nil): true
        case (nil, .some): false
        default: left.photo < right.photo
        }
    }
}
