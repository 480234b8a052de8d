/// What `potluck up` prints once it serves.
public struct ReadyReport: Codable, Hashable, Sendable {
    /// This device's name.
    public var device: String
    /// The gathering's name; `null` on a device that joined and has not met another one yet.
    @ExplicitNull public var gathering: String?
    /// The folder's absolute path.
    public var folder: String
    /// The TCP port on which other devices are served.
    public var port: UInt16
    public var albums: Int
    /// As `albums` counts them, over all albums.
    public var photos: Int

    public init(device: String, gathering: String?, folder: String, port: UInt16, albums: Int, photos: Int) {
        self.device = device
        self.gathering = gathering
        self.folder = folder
        self.port = port
        self.albums = albums
        self.photos = photos
    }
}
