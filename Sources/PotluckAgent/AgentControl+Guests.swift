import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

/// What guests and the owner say through the doors for browsers.
extension AgentControl: GuestChanges {
    func like(album: String, photo: String, guest: GuestID?, name: String?, on isLiked: Bool) async throws {
        let guest = try await known(guest, name)
        let moment = try await moment(album, photo)
        guard isLiked else {
            return try await say(moment.blobs.map { .unfavourite(moment.album, $0, guest: guest) })
        }
        try await say([.favourite(moment.album, moment.lead, guest: guest)])
    }

    func comment(
        album: String, photo: String, text: String, guest: GuestID?, name: String?
    ) async throws -> PhotosReport.Comment {
        let text = AlbumName.composed(AlbumName.trimmed(text))
        guard (1...CatalogLimits.commentByteCountMax).contains(text.utf8.count) else {
            throw PotluckError(.usage, "A comment has 1 to \(CatalogLimits.commentByteCountMax) letters.")
        }
        let known = try await known(guest, name)
        let moment = try await moment(album, photo)
        try await say([.comment(moment.album, moment.lead, text, guest: known)])
        guard let written = await written(text, PhotoKey(album: moment.album, blob: moment.lead), guest) else {
            throw PotluckError(.failed, "The comment was not written.")
        }
        return written
    }

    /// The latest comment of this text.
    private func written(_ text: String, _ key: PhotoKey, _ guest: GuestID?) async -> PhotosReport.Comment? {
        let (catalog, device) = await knowledge
        let person = Person(device, guest: guest)
        return catalog.photo(key)?.comments.last { $0.person == person && $0.text == text }.map { catalog.report($0) }
    }

    func uncomment(album: String, photo: String, comment: String, guest: GuestID?) async throws {
        _ = try await known(guest, nil)
        let moment = try await moment(album, photo)
        try await say(try await uncommenting(moment, comment, guest))
    }

    private func uncommenting(_ moment: NamedMoment, _ id: String, _ guest: GuestID?) async throws -> [Contribution] {
        let (catalog, device) = await knowledge
        let named = moment.blobs.flatMap { catalog.comments(of: PhotoKey(album: moment.album, blob: $0)) }
            .filter { $0.comment.dot.commentID == id }
        guard !named.isEmpty else { throw PotluckError(.notFound, "There is no such comment.") }
        let mayGo = named.filter { _, comment in
            guard let guest else { return catalog.isOwn(author: comment.person.device, of: device) }
            return comment.person.guest == guest
        }
        guard !mayGo.isEmpty else { throw PotluckError(.failed, "Only who wrote a comment takes it away.") }
        return mayGo.map { .uncomment($0.key.album, $0.key.blob, [$0.comment.dot]) }
    }

    func caption(album: String, photo: String, text: String, guest: GuestID?, name: String?) async throws {
        try await edit(PhotoEdit(album: album, photos: [], caption: text), photo, guest, name)
    }

    func tag(
        album: String, photo: String, add: [String], remove: [String], guest: GuestID?, name: String?
    ) async throws {
        try await edit(PhotoEdit(album: album, photos: [], addedTags: add, removedTags: remove), photo, guest, name)
    }

    private func edit(_ edit: PhotoEdit, _ photo: String, _ guest: GuestID?, _ name: String?) async throws {
        try edit.validate()
        _ = try await known(guest, name)
        let moment = try await moment(edit.album, photo)
        if let guest {
            let catalog = await knowledge.catalog
            let photos = moment.blobs.compactMap { catalog.photo(PhotoKey(album: moment.album, blob: $0)) }
            try edit.checkWords(of: photos, for: guest)
        }
        try await say(edit.contributions(to: moment.lead, moment.companions, in: moment.album))
    }

    func withdraw(album: String, photo: String, guest: GuestID) async throws {
        let moment = try await moment(album, photo)
        let (catalog, device) = await knowledge
        let added = moment.blobs.filter { blob in
            let photo = catalog.photo(PhotoKey(album: moment.album, blob: blob))
            return photo?.adds.contains { $0.guest == guest && catalog.isOwn(author: $0.author, of: device) } == true
        }
        guard !added.isEmpty else { throw PotluckError(.notFound, "That guest did not add this photo here.") }
        try await say(added.map { .guestPhotoWithdrawal(moment.album, $0, guest) })
    }

    func revoke(guest: GuestID) async throws { try await say([.guestRevocation(guest)]) }

    func raiseGuestEpoch() async throws { try await say([.guestEpochRaise]) }

    func guests() async -> KnownGuests {
        let (catalog, _) = await knowledge
        return KnownGuests(names: catalog.guestNames, revoked: catalog.revokedGuests, epoch: catalog.guestEpoch)
    }

    // MARK: Who and what

    /// - Throws: for a guest who was revoked, and for a name that nobody may have.
    private func known(_ guest: GuestID?, _ name: String?) async throws -> Guest? {
        guard let guest else { return nil }
        guard await !knowledge.catalog.isRevoked(guest) else {
            throw PotluckError(.failed, "This guest may no longer add or say anything.")
        }
        guard let name else { return Guest(guest) }
        let tidy = AlbumName.composed(AlbumName.trimmed(name))
        guard !tidy.isEmpty, tidy.count <= GuestNameLimits.letterCountMax,
            tidy.utf8.count <= CatalogLimits.guestNameByteCountMax
        else { throw PotluckError(.usage, "A guest's name has 1 to \(GuestNameLimits.letterCountMax) letters.") }
        return Guest(guest, name: tidy)
    }

    /// An entry of an album.
    private struct NamedMoment {
        var album: AlbumID
        var lead: BlobID
        var companions: [BlobID]

        var blobs: [BlobID] { [lead] + companions }
    }

    /// In a function of its own, so that no view of the catalog is kept while it changes.
    private func moment(_ albumText: String, _ photoText: String) async throws -> NamedMoment {
        let builder = await builder()
        let album = try builder.album(albumText)
        guard let entry = try await builder.entries(named: [photoText], in: album).first?.listing else {
            throw PotluckError(.notFound, "“\(builder.albumName(album))” has no such photo.")
        }
        return NamedMoment(album: album, lead: entry.photo.blob, companions: entry.companions.map(\.blob))
    }
}

extension PhotoEdit {
    /// Captions and tags carry no guest's name, so nobody can tell whose they are: a guest replaces and takes away words of
    /// photos that this guest alone has added, and elsewhere adds what is not there yet. Who only added somebody else's
    /// photo once more gets no say over its words by that.
    ///
    /// - Parameter photos: the files of one entry.
    fileprivate func checkWords(of photos: [Photo], for guest: GuestID) throws(GuestRefusal) {
        guard !photos.allSatisfy({ $0.isAdded(onlyBy: guest) }) else { return }
        if let caption {
            let there = Set(photos.flatMap(\.caption.distinctValues)).subtracting([""])
            guard there.isSubset(of: [AlbumName.trimmed(caption)]) else { throw .captionOfOthers }
        }
        let takesTags = (removedTags ?? []).contains { tag in photos.contains { !$0.tagDots(tag).isEmpty } }
        guard !takesTags else { throw .tagsOfOthers }
    }
}

extension Photo {
    /// Whether this guest has added it, and nobody else has.
    func isAdded(onlyBy guest: GuestID) -> Bool { contributingPeople.allSatisfy { $0.guest == guest } }
}
