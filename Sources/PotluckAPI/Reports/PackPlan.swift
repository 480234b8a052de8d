/// What a pack is to hold beside all changes: photos whose bytes are on this laptop.
public struct PackPlan: Codable, Hashable, Sendable {
    public struct Photo: Codable, Hashable, Sendable {
        /// SHA-256 of the photo, in hexadecimal digits.
        public var id: String
        public var name: String
        public var bytes: UInt64

        public init(id: String, name: String, bytes: UInt64) {
            self.id = id
            self.name = name
            self.bytes = bytes
        }
    }

    /// The gathering's name.
    @ExplicitNull public var gathering: String?
    /// What its devices find each other by, in hexadecimal digits.
    public var tag: String
    /// The name of this laptop.
    public var device: String
    /// The newest first.
    public var photos: [Photo]
    /// SHA-256 of each thumbnail, likewise.
    public var thumbnails: [String]
    /// Photos that the receiver may lack and whose bytes are not on this laptop.
    public var absent: Int

    public init(
        gathering: String?, tag: String, device: String, photos: [Photo], thumbnails: [String], absent: Int
    ) {
        self.gathering = gathering
        self.tag = tag
        self.device = device
        self.photos = photos
        self.thumbnails = thumbnails
        self.absent = absent
    }
}
