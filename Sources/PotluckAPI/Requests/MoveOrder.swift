/// Photos of one album that are to be in another one.
public struct MoveOrder: APIRequest {
    /// An ID or a name, as ``AlbumLookup`` reads it.
    public var album: String
    /// IDs or file names, as ``PhotoLookup`` reads them.
    public var photos: [String]
    /// Likewise, or the name of an album to be made.
    public var to: String
    /// Whether they stay in the first album, too.
    public var copy: Bool?

    public init(album: String, photos: [String], to: String, copy: Bool = false) {
        self.album = album
        self.photos = photos
        self.to = to
        self.copy = copy
    }

    public func answer(by agent: any AgentAPI) async throws -> MoveReport { try await agent.move(self) }
}

/// Gives an album another name.
public struct RenameRequest: APIRequest {
    /// An ID or a name, as ``AlbumLookup`` reads it.
    public var album: String
    public var name: String

    public init(album: String, name: String) {
        self.album = album
        self.name = name
    }

    public func answer(by agent: any AgentAPI) async throws -> RenameReport {
        try await agent.rename(album: album, to: name)
    }
}
