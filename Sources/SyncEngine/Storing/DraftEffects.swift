import AlbumModel

/// What a batch in the making changes, which the catalog does not know yet.
struct DraftEffects {
    private var albums: [String: AlbumID] = [:]
    private var photos: Set<PhotoKey> = []
    /// The same, by whose they are: several guests may bring one photo.
    private var adds: Set<Add> = []
    private var guestNames: [GuestID: String] = [:]
    /// Photos of which adds are withdrawn.
    private var removedPhotos: Set<PhotoKey> = []
    private var removedAdds: Set<Dot> = []
    /// What is written already, of that where a later change has to name the earlier one.
    private var topics: Set<Topic> = []

    private struct Add: Hashable {
        var key: PhotoKey
        var guest: GuestID?
    }

    /// Whether a contribution finds what it is about as the catalog has it: it is not the second on its topic, does not take
    /// away what the same batch adds, and does not add what that takes away. Else it would name the wrong changes, or find
    /// nothing to do.
    mutating func allow(_ contribution: Contribution, _ catalog: Catalog) -> Bool {
        if let topic = Topic(contribution), !topics.insert(topic).inserted { return false }
        switch contribution {
        case .photoRemoval(let album, let blob), .photoWithdrawal(let album, let blob),
            .guestPhotoWithdrawal(let album, let blob, _):
            return !photos.contains(PhotoKey(album: album, blob: blob))
        case .photoInAlbum(let album, let file):
            return !removedPhotos.contains(PhotoKey(album: album, blob: file.blob))
        case .photo(let name, let file):
            let album = albums[AlbumName.key(name)] ?? catalog.albumID(named: name)
            return !removedPhotos.contains(PhotoKey(album: album, blob: file.blob))
        default: return true
        }
    }

    /// The album that is new and has this name; `nil` if there is none.
    func album(named name: String) -> AlbumID? { albums[AlbumName.key(name)] }

    mutating func addAlbum(_ album: AlbumID, named name: String) { albums[AlbumName.key(name)] = album }

    func adds(_ key: PhotoKey) -> Bool { photos.contains(key) }

    /// - Returns: false if the batch adds the photo for them already.
    mutating func addPhoto(_ key: PhotoKey, for guest: GuestID?) -> Bool {
        guard adds.insert(Add(key: key, guest: guest)).inserted else { return false }
        photos.insert(key)
        return true
    }

    /// - Returns: those of the adds that are not withdrawn yet.
    mutating func withdraw(_ dots: [Dot], of key: PhotoKey) -> [Dot] {
        let new = dots.filter { removedAdds.insert($0).inserted }
        if !new.isEmpty { removedPhotos.insert(key) }
        return new
    }

    /// The name that a guest gets; `nil` if none.
    func name(of guest: GuestID) -> String? { guestNames[guest] }

    mutating func name(_ guest: GuestID, _ name: String) { guestNames[guest] = name }
}
