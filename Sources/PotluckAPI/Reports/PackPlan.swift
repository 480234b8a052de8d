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

    /// Both in hexadecimal digits.
    public struct Statement: Codable, Hashable, Sendable {
        public var content: String
        public var signature: String

        public init(content: String, signature: String) {
            self.content = content
            self.signature = signature
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
    /// What this laptop holds, as it signed that just now; `nil` where it could not.
    public var summary: Statement?
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
