import AlbumModel
import Crypto
import NIOCore
import PotluckAPI
import Synchronization
import WebGallery
import WebServer

/// What the gallery needs of a laptop, kept in memory.
final class FakeHost: GalleryHost {
    struct State: Sendable {
        var documents: [String: [UInt8]] = [:]
        /// Documents that cannot be read.
        var unreadable: Set<String> = []
        /// What writing a document throws.
        var keepingFailure: PotluckError?
        var setting = PageSetting(gathering: "Summer", laptop: "Grandma's laptop")
        var others: [OtherLaptop] = []
        var addresses = ["127.0.0.1"]
        var standing = GuestStanding()
        var watchers: [AsyncStream<GuestStanding>.Continuation] = []
        var news: [AsyncStream<GalleryNews>.Continuation] = []
        var pictures: [PictureKind: [BlobID: PictureAnswer]] = [:]
        /// Who likes what: `nil` is the owner.
        var likes: [PhotoKey: Set<GuestID?>] = [:]
        /// How often somebody liked, or no longer did.
        var likeCount = 0
        var captions: [PhotoKey: String] = [:]
        var tags: [PhotoKey: Set<String>] = [:]
        var comments: [PhotoKey: [CommentReport]] = [:]
        /// Who added what at this laptop: `nil` is the owner.
        var own: [PhotoKey: Set<GuestID?>] = [:]
        var withdrawn: [PhotoKey] = []
        var room: UInt64 = 1 << 40
        var staged: [UploadID: [UInt8]] = [:]
        /// What writing and making durable throw.
        var writeFailure: UploadStageError?
        /// Told how many bytes a file in staging has.
        var writeNotes: AsyncStream<Int>.Continuation?
        /// What taking in throws.
        var takingFailure: PotluckError?
        /// Pictures that were asked for.
        var asked: [PictureKind: [BlobID]] = [:]
        /// Files that were taken in whole.
        var taken: [(upload: Upload, guest: KnownGuest?, bytes: [UInt8])] = []
        /// What becomes of a whole file; `nil` makes it a photo of its album.
        var outcome: Upload.Outcome?
        /// Called after the desk was told of a photo, before its album has it, and once the album has it.
        var beforeAdding: PhotoExpectation?
        var afterAdding: PhotoExpectation?
        /// Photos that are whole and durable here, with their file names.
        var known: Set<BlobID> = []
        var lastNumber = 0
    }

    let device: String
    let gathering: FakeGathering
    /// Of the gathering: laptops with an equal one trust each other.
    private let secret: UInt64
    let state = Mutex(State())

    init(device: String = "d0d0", gathering: FakeGathering = FakeGathering(), secret: UInt64 = 7) {
        self.device = device
        self.gathering = gathering
        self.secret = secret
    }

    func change<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> sending Result {
        try state.withLock(body)
    }

    // MARK: The laptop

    func setting() async -> PageSetting { state.withLock { $0.setting } }
    func laptops() async -> [OtherLaptop] { state.withLock { $0.others } }
    func ownAddresses() async -> [String] { state.withLock { $0.addresses } }

    private func mark(_ message: [UInt8], _ device: String) -> [UInt8] {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ secret
        for byte in message + Array(device.utf8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return withUnsafeBytes(of: hash) { Array($0) }
    }

    func tellDoor(port: Int?) async throws {}

    func sign(_ message: [UInt8]) async throws -> [UInt8] { mark(message, device) }

    func isSignature(_ signature: [UInt8], over message: [UInt8], by device: String) async -> Bool {
        mark(message, device) == signature
    }

    // MARK: Documents

    func document(_ name: String) async throws -> [UInt8]? {
        try state.withLock { state throws(PotluckError) in
            if state.unreadable.contains(name) { throw PotluckError(.failed, "Input/output error") }
            return state.documents[name]
        }
    }

    func keep(_ document: [UInt8], as name: String) async throws {
        try state.withLock { state throws(PotluckError) in
            if let failure = state.keepingFailure { throw failure }
            state.documents[name] = document
        }
    }

    // MARK: Pictures

    func picture(_ kind: PictureKind, of photo: BlobID, in albums: Set<AlbumID>?) async throws -> PictureAnswer {
        let showing = gathering.albums(of: photo)
        guard !showing.isEmpty, albums?.isDisjoint(with: showing) != true else { return .unseen }
        return state.withLock { state in
            state.asked[kind, default: []].append(photo)
            return state.pictures[kind]?[photo]
        } ?? .none(reason: "There is no picture of it.")
    }

    func albums(of photo: BlobID) async -> Set<AlbumID> { gathering.albums(of: photo) }

    /// Puts a picture's bytes there.
    func put(
        _ bytes: [UInt8], _ kind: PictureKind, of photo: BlobID, mediaType: String = "image/jpeg",
        name: String? = nil
    ) {
        let file = PictureFile(
            byteCount: UInt64(bytes.count), mediaType: mediaType, entityTag: EntityTag(hashing: bytes), name: name
        ) { offset, count in
            ByteBuffer(bytes: bytes.dropFirst(Int(clamping: offset)).prefix(count))
        }
        state.withLock { $0.pictures[kind, default: [:]][photo] = .here(file) }
    }

    /// Puts a picture there of which nobody gets more than the beginning.
    func putEndless(_ beginning: [UInt8], _ kind: PictureKind, of photo: BlobID, mediaType: String = "image/jpeg") {
        let file = PictureFile(
            byteCount: UInt64(beginning.count) + 1000, mediaType: mediaType,
            entityTag: EntityTag(hashing: beginning + [0])
        ) { offset, count in
            if offset < beginning.count { return ByteBuffer(bytes: beginning.dropFirst(Int(offset)).prefix(count)) }
            let (never, continuation) = AsyncStream<Never>.makeStream()
            for await _ in never {}
            withExtendedLifetime(continuation) {}
            throw CancellationError()
        }
        state.withLock { $0.pictures[kind, default: [:]][photo] = .here(file) }
    }

    func news() -> AsyncStream<GalleryNews> {
        let (stream, continuation) = AsyncStream.makeStream(of: GalleryNews.self)
        state.withLock { $0.news.append(continuation) }
        return stream
    }

    func tell(_ news: GalleryNews) {
        for continuation in state.withLock({ $0.news }) { continuation.yield(news) }
    }

    // MARK: Guests

    func standing() async -> GuestStanding { state.withLock { $0.standing } }

    func standings() -> AsyncStream<GuestStanding> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: GuestStanding.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.watchers.append(continuation) }
        return stream
    }

    /// As a change that arrives from another laptop.
    func arrive(_ change: (inout GuestStanding) -> Void) {
        state.withLock { state in
            change(&state.standing)
            for watcher in state.watchers { watcher.yield(state.standing) }
        }
    }

    func revoke(_ guest: GuestID) async throws { arrive { $0.revoked.insert(guest) } }
    func raiseEpoch() async throws { arrive { $0.epoch += 1 } }

    func like(_ photo: PhotoKey, _ isLiked: Bool, by guest: KnownGuest?) async throws {
        state.withLock { state in
            state.likeCount += 1
            if isLiked {
                state.likes[photo, default: []].insert(guest?.id)
            } else {
                state.likes[photo, default: []].remove(guest?.id)
            }
        }
    }

    func caption(_ photo: PhotoKey, _ text: String, by guest: KnownGuest?) async throws {
        state.withLock { $0.captions[photo] = text }
    }

    func tag(_ photo: PhotoKey, adding: [String], removing: [String], by guest: KnownGuest?) async throws {
        state.withLock { state in
            state.tags[photo, default: []].subtract(removing)
            state.tags[photo, default: []].formUnion(adding)
        }
    }

    func comment(_ photo: PhotoKey, _ text: String, by guest: KnownGuest?) async throws -> CommentReport {
        state.withLock { state in
            state.lastNumber += 1
            let comment = CommentReport(
                id: "c\(state.lastNumber)", by: guest?.name ?? state.setting.laptop, text: text,
                at: Instant(millisecondsSince1970: 1_795_268_669_250), guest: guest?.id.hex, device: device)
            state.comments[photo, default: []].append(comment)
            return comment
        }
    }

    func uncomment(_ photo: PhotoKey, _ comment: String, by guest: KnownGuest?) async throws {
        try state.withLock { state throws(PotluckError) in
            let found = state.comments[photo]?.firstIndex { $0.id == comment }
            guard let found, guest == nil || state.comments[photo]?[found].guest == guest?.id.hex else {
                throw PotluckError(.notFound, "There is no such comment of yours.")
            }
            state.comments[photo]?.remove(at: found)
        }
    }

    func comments(on photo: PhotoKey) async -> [CommentReport] { state.withLock { $0.comments[photo] ?? [] } }

    func commented(_ photos: [BlobID]?, in album: AlbumID) async -> Set<BlobID> {
        state.withLock { Self.among(photos, $0.comments.filter { $0.key.album == album && !$0.value.isEmpty }.keys) }
    }

    func likes(of guest: GuestID?, _ photos: [BlobID]?, in album: AlbumID) async -> Set<BlobID> {
        state.withLock {
            Self.among(photos, $0.likes.filter { $0.key.album == album && $0.value.contains(guest) }.keys)
        }
    }

    private static func among(_ photos: [BlobID]?, _ keys: some Sequence<PhotoKey>) -> Set<BlobID> {
        let found = Set(keys.map(\.blob))
        return photos.map { found.intersection($0) } ?? found
    }

    func isOwners(_ photo: PhotoKey) async -> Bool { state.withLock { $0.own[photo]?.contains(nil) ?? false } }

    func ownsWords(of photo: PhotoKey, _ guest: GuestID) async -> Bool { state.withLock { $0.own[photo] == [guest] } }

    func withdraw(_ photo: PhotoKey, by guest: GuestID) async throws {
        try state.withLock { state throws(PotluckError) in
            guard state.own[photo]?.remove(guest) != nil else {
                throw PotluckError(.notFound, "You did not add this photo here.")
            }
            state.withdrawn.append(photo)
        }
        gathering.remove(photo.blob, from: photo.album)
    }

    // MARK: Uploads

    func room() async -> UInt64 { state.withLock { $0.room } }
    func staged() async throws -> [UploadID: UInt64] { state.withLock { $0.staged.mapValues { UInt64($0.count) } } }

    func write(_ bytes: ByteBuffer, at offset: UInt64, of upload: UploadID) async throws {
        try state.withLock { state throws(UploadStageError) in
            if let failure = state.writeFailure { throw failure }
            let before = (state.staged[upload] ?? []).prefix(Int(offset))
            state.staged[upload] = before + Array(bytes.readableBytesView)
            state.writeNotes?.yield(Int(offset) + bytes.readableBytes)
        }
    }

    func makeDurable(_ upload: UploadID) async throws {
        if let failure = state.withLock({ $0.writeFailure }) { throw failure }
    }

    func discard(_ upload: UploadID) async { state.withLock { $0.staged[upload] = nil } }

    func takeIn(
        _ id: UploadID, _ upload: Upload, by guest: KnownGuest?, expecting: PhotoExpectation
    ) async throws -> Upload.Outcome {
        let (outcome, number) = try state.withLock { state in
            if let failure = state.takingFailure { throw failure }
            let bytes = state.staged[id] ?? []
            if let blob = BlobID(bytes: Array(SHA256.hash(data: bytes))), !upload.accepts(blob) {
                throw UnexpectedFile(blob)
            }
            state.staged[id] = nil
            state.taken.append((upload: upload, guest: guest, bytes: bytes))
            return (state.outcome, state.taken.count)
        }
        if let outcome { return outcome }
        let photo = FakeGathering.photo(500_000 + number, by: guest?.name ?? "Grandma's laptop")
        return .here(photo: try await add(photo, as: upload.metadata, by: guest, expecting).hex)
    }

    func addKnown(
        _ blob: BlobID, _ metadata: UploadMetadata, by guest: KnownGuest?, expecting: PhotoExpectation
    ) async throws -> Upload.Outcome? {
        guard state.withLock({ $0.known.contains(blob) }) else { return nil }
        if gathering.albums(of: blob).contains(metadata.album) { return .already(photo: blob.hex) }
        var photo = FakeGathering.photo(0, by: guest?.name ?? "Grandma's laptop")
        photo.id = blob.hex
        photo.name = metadata.name
        return .here(photo: try await add(photo, as: metadata, by: guest, expecting).hex)
    }

    func album(named name: String) async -> AlbumID { gathering.album(named: name) ?? AlbumName.identifier(name) }

    private func add(
        _ photo: PhotosReport.Photo, as metadata: UploadMetadata, by guest: KnownGuest?, _ expecting: PhotoExpectation
    ) async throws -> BlobID {
        let album = metadata.album
        if let blob = BlobID(hex: photo.id) {
            try await expecting(PhotoKey(album: album, blob: blob))
            let before = state.withLock { $0.beforeAdding }
            try await before?(PhotoKey(album: album, blob: blob))
        }
        if let name = metadata.newAlbum, gathering.album(named: name) == nil { _ = gathering.make(name) }
        let blob = gathering.put(photo, into: album)
        state.withLock { _ = $0.own[PhotoKey(album: album, blob: blob), default: []].insert(guest?.id) }
        let after = state.withLock { $0.afterAdding }
        try await after?(PhotoKey(album: album, blob: blob))
        return blob
    }
}
