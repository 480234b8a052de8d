import PeerTransport
import AlbumModel
import PotluckAPI
import SyncEngine
import WebGallery
import WebServer

/// What guests, and the owner in a browser, say of photos.
extension AgentGallery {
    func like(_ photo: PhotoKey, _ isLiked: Bool, by guest: KnownGuest?) async throws {
        try await control.like(
            album: photo.album.hex, photo: photo.blob.hex, guest: guest?.id, name: guest?.name, on: isLiked)
    }

    func caption(_ photo: PhotoKey, _ text: String, by guest: KnownGuest?) async throws {
        try await control.caption(
            album: photo.album.hex, photo: photo.blob.hex, text: text, guest: guest?.id, name: guest?.name)
    }

    func tag(_ photo: PhotoKey, adding: [String], removing: [String], by guest: KnownGuest?) async throws {
        try await control.tag(
            album: photo.album.hex, photo: photo.blob.hex, add: adding, remove: removing, guest: guest?.id,
            name: guest?.name)
    }

    func comment(_ photo: PhotoKey, _ text: String, by guest: KnownGuest?) async throws -> CommentReport {
        let comment = try await control.comment(
            album: photo.album.hex, photo: photo.blob.hex, text: text, guest: guest?.id, name: guest?.name)
        return CommentReport(comment, device: device)
    }

    func uncomment(_ photo: PhotoKey, _ comment: String, by guest: KnownGuest?) async throws {
        try await control.uncomment(
            album: photo.album.hex, photo: photo.blob.hex, comment: comment, guest: guest?.id)
    }

    func comments(on photo: PhotoKey) async -> [CommentReport] { await services.host.ask { $0.comments(on: photo) } }

    func commented(_ photos: [BlobID]?, in album: AlbumID) async -> Set<BlobID> {
        await services.host.ask { $0.select(photos, in: album) { !$0.comments.isEmpty } }
    }

    func likes(of guest: GuestID?, _ photos: [BlobID]?, in album: AlbumID) async -> Set<BlobID> {
        let own = membership.identity.deviceID
        return await services.host.ask { engine in
            engine.select(photos, in: album) { photo in
                guard let guest else { return photo.favouredBy.contains(own) }
                return photo.favouringGuests.contains { $0.guest == guest }
            }
        }
    }

    func isOwners(_ photo: PhotoKey) async -> Bool { await services.host.ask { $0.isOwners(photo) } }

    func ownsWords(of photo: PhotoKey, _ guest: GuestID) async -> Bool {
        await services.host.ask { $0.ownsWords(of: photo, guest) }
    }

    func withdraw(_ photo: PhotoKey, by guest: GuestID) async throws {
        try await control.withdraw(album: photo.album.hex, photo: photo.blob.hex, guest: guest)
    }

    func revoke(_ guest: GuestID) async throws { try await control.revoke(guest: guest) }

    func raiseEpoch() async throws { try await control.raiseGuestEpoch() }

    func standing() async -> GuestStanding { await services.host.ask(\.guestStanding) }

    func standings() -> AsyncStream<GuestStanding> { services.news.guests.events() }

    func news() -> AsyncStream<GalleryNews> { services.news.news.events() }
}

extension Engine {
    var guestStanding: GuestStanding {
        GuestStanding(
            epoch: catalog.guestEpoch, revoked: catalog.revokedGuests, names: catalog.guestNames,
            laptopsOut: Set(devicesOut.map(\.hex)))
    }

    fileprivate func isOwners(_ key: PhotoKey) -> Bool {
        catalog.photo(key)?.adds.contains { catalog.isOwn($0, of: device) } ?? false
    }

    fileprivate func ownsWords(of key: PhotoKey, _ guest: GuestID) -> Bool {
        catalog.photo(key)?.isAdded(onlyBy: guest) ?? false
    }

    fileprivate func comments(on key: PhotoKey) -> [CommentReport] {
        (catalog.photo(key)?.comments ?? []).map { comment in
            CommentReport(catalog.report(comment), device: comment.person.device.hex)
        }
    }

    /// - Parameter photos: Which may be selected; `nil` for all of the album.
    fileprivate func select(_ photos: [BlobID]?, in album: AlbumID, where isWanted: (Photo) -> Bool) -> Set<BlobID> {
        guard let photos else {
            return Set((catalog.albums[album]?.livePhotos.filter { isWanted($0.value) } ?? []).map(\.key))
        }
        return Set(
            photos.filter { blob in
                catalog.photo(PhotoKey(album: album, blob: blob)).map { $0.isLive && isWanted($0) } ?? false
            })
    }
}

extension CommentReport {
    fileprivate init(_ comment: PhotosReport.Comment, device: String) {
        self.init(
            id: comment.id, by: comment.by, text: comment.text, at: comment.at, guest: comment.guest, device: device)
    }
}
