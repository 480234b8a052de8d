public import AlbumModel

/// The uploads at this laptop's doors: tus 1.0 with creation, checksum, termination and expiration.
///
/// A value without I/O. It decides; its caller writes the bytes to a file in staging, makes them durable, and reports
/// how many there are. An upload goes through these states:
///
///     created → (writing → waiting)* → complete → settled
///        └─────────── terminated or expired ─┘
///
/// One that is complete begins anew where its bytes are not those that were announced.
///
/// Bytes count once they are durable: an offset that was answered survives a power cut.
public struct UploadBook: Sendable {
    public static let version = "1.0.0"
    public static let extensions = "creation,checksum,termination,expiration"
    static let mediaType = "application/offset+octet-stream"
    /// Seconds after which a second PATCH of one upload is worth a try.
    private static let lockedRetrySeconds = 2

    public let limits: UploadLimits
    private var uploads: [UploadID: Upload] = [:]
    /// Uploads whose file is open for writing.
    private var writing: Set<UploadID> = []
    /// What guests have brought within a day.
    private var tally = UploadTally()

    public init(limits: UploadLimits = UploadLimits()) {
        self.limits = limits
    }

    /// Unfinished ones.
    public var count: Int { uploads.values.count { $0.outcome == nil } }

    /// Bytes that unfinished uploads may still bring, which the disk has to have room for.
    public var byteCountToCome: UInt64 {
        uploads.values.reduce(0) { sum, upload in sum + (upload.outcome == nil ? upload.byteCount - upload.offset : 0) }
    }

    // MARK: Creation

    /// What a POST asks for.
    public struct Creation: Hashable, Sendable {
        /// `Upload-Length`, `Upload-Defer-Length` and `Upload-Metadata`; `nil` where there is none.
        public var length: String?
        public var deferLength: String?
        public var metadata: String?
        /// The album that the metadata were found to mean; `nil` for the one whose ID they have.
        public var album: AlbumID?

        public init(length: String?, deferLength: String? = nil, metadata: String?, album: AlbumID? = nil) {
            self.length = length
            self.deferLength = deferLength
            self.metadata = metadata
            self.album = album
        }
    }

    /// Begins an upload.
    ///
    /// - Parameters:
    ///   - id: Freshly drawn.
    ///   - room: Bytes of the disk that uploads may have, those of ``byteCountToCome`` among them.
    ///   - now: Milliseconds since 1970.
    public mutating func create(
        _ creation: Creation, id: UploadID, holder: SessionStore.Holder, room: UInt64, now: Int64
    ) throws(UploadRefusal) -> Upload {
        let byteCount = try length(creation)
        let metadata: UploadMetadata
        do throws(UploadMetadata.Failure) {
            metadata = try UploadMetadata(parsing: creation.metadata ?? "", into: creation.album)
        } catch {
            throw Self.refusal(error)
        }
        try admit(byteCount, holder: holder, room: room, now: now)
        let upload = Upload(
            holder: holder, metadata: metadata, byteCount: byteCount, offset: 0, created: now, changed: now,
            outcome: nil)
        uploads[id] = upload
        return upload
    }

    private func length(_ creation: Creation) throws(UploadRefusal) -> UInt64 {
        guard let text = creation.length else {
            guard creation.deferLength == nil else {
                throw UploadRefusal(.badRequest, "The size of a file has to be known before it is sent.")
            }
            throw UploadRefusal(.lengthRequired, "The request does not tell the size of the file.")
        }
        guard let byteCount = Self.number(text) else {
            throw UploadRefusal(.badRequest, "The size of the file cannot be read.")
        }
        guard byteCount <= limits.fileByteCountMax else {
            let gigabytes = limits.fileByteCountMax >> 30
            throw UploadRefusal(.tooLarge, "This file is larger than \(gigabytes) GB; bring it on a stick.")
        }
        guard byteCount > 0 else { throw UploadRefusal(.badRequest, "This file is empty; choose another one.") }
        return byteCount
    }

    private func admit(
        _ byteCount: UInt64, holder: SessionStore.Holder, room: UInt64, now: Int64
    ) throws(UploadRefusal) {
        let open = uploads.values.filter { $0.outcome == nil }
        let own = open.filter { $0.holder == holder }
        guard own.count < limits.countMaxOfHolder, open.count < limits.countMax else {
            throw UploadRefusal(
                .tooMany, "Many files are on their way already. This one follows when some of them are here.",
                retryAfter: 30)
        }
        let ownByteCount = own.reduce(0) { $0 + $1.byteCount }
        guard ownByteCount + byteCount <= limits.byteCountMaxOfHolder else {
            throw UploadRefusal(
                .tooMany, "Many large files are on their way already. This one follows when some of them are here.",
                retryAfter: 30)
        }
        try admitWithinDay(byteCount, holder: holder, open: open, now: now)
        guard byteCountToCome + byteCount <= room else {
            throw UploadRefusal(
                .diskFull, "The disk of this laptop is nearly full. Add the file at another laptop, or ask for room.")
        }
    }

    /// The owner's own files are not counted.
    private func admitWithinDay(
        _ byteCount: UInt64, holder: SessionStore.Holder, open: [Upload], now: Int64
    ) throws(UploadRefusal) {
        guard case .guest = holder else { return }
        let ofGuests = open.filter { if case .guest = $0.holder { true } else { false } }
        let own = ofGuests.filter { $0.holder == holder }
        let ownWait = tally.wait(
            for: byteCount, besides: own.reduce(0) { $0 + $1.byteCount }, of: holder,
            max: limits.dayByteCountMaxOfGuest, now: now)
        guard ownWait == 0 else {
            let gigabytes = limits.dayByteCountMaxOfGuest >> 30
            throw UploadRefusal(
                .tooMany, "You may add \(gigabytes) GB within a day. Add this file tomorrow, or bring it on a stick.",
                retryAfter: Int(ownWait / 1000) + 1)
        }
        let wait = tally.wait(
            for: byteCount, besides: ofGuests.reduce(0) { $0 + $1.byteCount }, of: nil,
            max: limits.dayByteCountMaxOfGuests, now: now)
        guard wait == 0 else {
            let gigabytes = limits.dayByteCountMaxOfGuests >> 30
            throw UploadRefusal(
                .tooMany,
                "All guests together may add \(gigabytes) GB within a day. Add this file tomorrow, or at another laptop.",
                retryAfter: Int(wait / 1000) + 1)
        }
    }

    private static func refusal(_ failure: UploadMetadata.Failure) -> UploadRefusal {
        switch failure {
        case .tooLong: UploadRefusal(.badRequest, "The name of this file is too long; give it a shorter one.")
        case .malformed: UploadRefusal(.badRequest, "What the page tells of the file cannot be read.")
        case .withoutAlbum: UploadRefusal(.badRequest, "The page does not tell into which album the file goes.")
        case .wrongValue("album_name"): UploadRefusal(.badRequest, "An album needs a name of at most 1,000 letters.")
        case .wrongValue(let key): UploadRefusal(.badRequest, "What the page tells of the file has a wrong \(key).")
        }
    }

    // MARK: Writing

    /// What a PATCH asks for.
    public struct Patch: Hashable, Sendable {
        /// `Upload-Offset`, `Content-Type`, `Content-Length` and `Upload-Checksum`; `nil` where there is none.
        public var offset: String?
        public var mediaType: String?
        public var length: String?
        public var checksum: String?

        public init(offset: String?, mediaType: String?, length: String? = nil, checksum: String? = nil) {
            self.offset = offset
            self.mediaType = mediaType
            self.length = length
            self.checksum = checksum
        }
    }

    /// What to write.
    public struct WriteOrder: Hashable, Sendable {
        /// Where in the file. What lies behind is left of an interrupted write, and is written over.
        public var offset: UInt64
        /// More than this is refused with ``UploadRefusal/Code/tooLarge``, and nothing of it counts.
        public var byteCountMax: UInt64
        /// `nil` where the bytes count as they come.
        public var checksum: UploadChecksum?
    }

    /// Lets one PATCH write. Where it returns, ``endWriting(_:byteCount:isIntact:now:)`` has to follow.
    public mutating func beginWriting(
        _ patch: Patch, to id: UploadID, holder: SessionStore.Holder, now: Int64
    ) throws(UploadRefusal) -> WriteOrder {
        let upload = try find(id, holder: holder, now: now)
        guard Self.essence(patch.mediaType) == Self.mediaType else {
            throw UploadRefusal(.wrongMediaType, "The bytes of a file are sent as \(Self.mediaType).")
        }
        guard let offset = patch.offset.flatMap(Self.number) else {
            throw UploadRefusal(.badRequest, "The request does not tell where its bytes belong.")
        }
        // Before the offset: whoever comes second learns that the first is still at it.
        guard !writing.contains(id) else {
            throw UploadRefusal(
                .locked, "This file is being sent by another page.", retryAfter: Self.lockedRetrySeconds)
        }
        guard offset == upload.offset else {
            throw UploadRefusal(.conflict, "These bytes belong to another place of the file.")
        }
        let room = upload.byteCount - offset
        if let text = patch.length {
            guard let count = Self.number(text) else {
                throw UploadRefusal(.badRequest, "The size of the request cannot be read.")
            }
            guard count <= room else { throw Self.beyondEnd }
        }
        var checksum: UploadChecksum?
        if let field = patch.checksum {
            checksum = UploadChecksum(parsing: field)
            guard checksum != nil else {
                throw UploadRefusal(.badRequest, "The checksum is none of \(UploadChecksum.algorithms).")
            }
        }
        writing.insert(id)
        return WriteOrder(offset: offset, byteCountMax: room, checksum: checksum)
    }

    /// For a body that turns out longer than the file.
    public static let beyondEnd = UploadRefusal(.tooLarge, "More bytes came than the file was said to have.")

    /// What the end of a PATCH means.
    public enum Progress: Hashable, Sendable {
        /// Answer 204 with this offset.
        case waiting(offset: UInt64)
        /// All bytes are there: take the file in, and report by ``settle(_:as:now:)``.
        case complete
        /// Answer 460: nothing of the PATCH counts.
        case damaged
        /// The upload was ended meanwhile: remove its file, answer 404.
        case gone
    }

    /// Ends a PATCH, however it ended.
    ///
    /// - Parameters:
    ///   - byteCount: Durable bytes of it; 0 where it failed.
    ///   - isIntact: Whether its checksum was right, or there was none. Bytes that did not all come have no right one.
    public mutating func endWriting(_ id: UploadID, byteCount: UInt64, isIntact: Bool, now: Int64) -> Progress {
        writing.remove(id)
        guard var upload = uploads[id] else { return .gone }
        guard isIntact else { return .damaged }
        precondition(byteCount <= upload.byteCount - upload.offset, "a write went beyond the file's end")
        upload.offset += byteCount
        upload.changed = now
        uploads[id] = upload
        return upload.isComplete ? .complete : .waiting(offset: upload.offset)
    }

    /// Keeps what became of a file, for whoever asks again.
    public mutating func settle(_ id: UploadID, as outcome: Upload.Outcome, now: Int64) {
        guard var upload = uploads[id] else { return }
        if upload.outcome == nil, case .guest = upload.holder {
            tally.add(upload.byteCount, of: upload.holder, now: now)
        }
        upload.outcome = outcome
        upload.changed = now
        uploads[id] = upload
        let settled = uploads.filter { $0.value.outcome != nil }
        guard settled.count > limits.outcomeCountMax,
            let oldest = settled.min(by: { ($0.value.changed, $0.key) < ($1.value.changed, $1.key) })
        else { return }
        uploads[oldest.key] = nil
    }

    /// Has a complete file sent again, from its beginning: its bytes are not those that were announced. What there is of it
    /// in staging may go. Where ever other bytes come, it is refused in the end.
    public mutating func beginAnew(_ id: UploadID, after blob: BlobID, now: Int64) {
        guard var upload = uploads[id], upload.isComplete, upload.outcome == nil else { return }
        let count = (upload.mismatch?.count ?? 0) + 1
        guard count < limits.mismatchCountMax else {
            return settle(id, as: .refused(reason: "This file arrives differently each time; add it again."), now: now)
        }
        upload.mismatch = Upload.Mismatch(photo: blob.hex, count: count)
        (upload.offset, upload.changed) = (0, now)
        uploads[id] = upload
    }

    // MARK: Questions and endings

    /// What a HEAD answers; uploads of others are not found.
    public func upload(
        _ id: UploadID, holder: SessionStore.Holder, now: Int64
    ) throws(UploadRefusal) -> Upload {
        try find(id, holder: holder, now: now)
    }

    /// When it ends without further bytes, in milliseconds since 1970: tus's `Upload-Expires`.
    public func expiry(of upload: Upload) -> Int64 {
        upload.changed + (upload.outcome == nil ? limits.lifetime : limits.outcomeLifetime)
    }

    /// Ends an upload that is no longer wanted; its file may go.
    ///
    /// - Returns: Whether there can be a file of it in staging.
    public mutating func terminate(
        _ id: UploadID, holder: SessionStore.Holder, now: Int64
    ) throws(UploadRefusal) -> Bool {
        let upload = try find(id, holder: holder, now: now)
        guard !writing.contains(id) else {
            throw UploadRefusal(
                .locked, "This file is being sent by another page.", retryAfter: Self.lockedRetrySeconds)
        }
        uploads[id] = nil
        return upload.outcome == nil
    }

    /// Ends all uploads of a guest who was revoked. A PATCH that is being written ends with ``Progress/gone``.
    ///
    /// - Returns: Those whose files may go now.
    public mutating func terminateAll(of holder: SessionStore.Holder) -> [UploadID] {
        let own = uploads.filter { $0.value.holder == holder }
        for id in own.keys { uploads[id] = nil }
        return own.filter { $0.value.outcome == nil && !writing.contains($0.key) }.keys.sorted()
    }

    /// Ends what has had its time.
    ///
    /// - Returns: Those whose files may go.
    public mutating func expire(now: Int64) -> [UploadID] {
        let old = uploads.filter { now >= expiry(of: $0.value) && !isBusy($0.key, $0.value) }
        for id in old.keys { uploads[id] = nil }
        return old.filter { $0.value.outcome == nil }.keys.sorted()
    }

    /// Written to, or complete and being taken in.
    private func isBusy(_ id: UploadID, _ upload: Upload) -> Bool {
        writing.contains(id) || upload.isComplete && upload.outcome == nil
    }

    private func find(_ id: UploadID, holder: SessionStore.Holder, now: Int64) throws(UploadRefusal) -> Upload {
        guard let upload = uploads[id], upload.holder == holder,
            now < expiry(of: upload) || isBusy(id, upload)
        else { throw UploadRefusal(.notFound, "This upload has ended; add the file again.") }
        return upload
    }

    // MARK: Fields

    private static func number(_ text: String) -> UInt64? {
        let digits = text.trimmingBlanks
        guard (1...19).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt64(digits)
    }

    /// A media type without its parameters.
    private static func essence(_ mediaType: String?) -> String {
        mediaType.map { $0.prefix { $0 != ";" }.trimmingBlanks.lowercased() } ?? ""
    }
}

// MARK: - Persistence

extension UploadBook {
    /// What is written down of a book, in the order of IDs.
    public struct Record: Codable, Hashable, Sendable {
        fileprivate struct Line: Codable, Hashable {
            var id: UploadID
            var upload: Upload
        }

        fileprivate var lines: [Line]
        /// `nil` in what was written before there was one.
        fileprivate var tally: UploadTally?
    }

    public var record: Record {
        Record(
            lines: uploads.sorted { $0.key < $1.key }.map { Record.Line(id: $0.key, upload: $0.value) }, tally: tally)
    }

    /// The book after a restart.
    ///
    /// - Parameter stagedByteCount: Durable bytes of an upload's file, 0 without one. An offset beyond them goes back:
    ///   what is not there was never answered, or a disk lost it.
    public init(_ record: Record, limits: UploadLimits = UploadLimits(), stagedByteCount: (UploadID) -> UInt64) {
        self.init(limits: limits)
        tally = record.tally ?? UploadTally()
        for line in record.lines {
            var upload = line.upload
            if upload.outcome == nil { upload.offset = min(upload.offset, stagedByteCount(line.id), upload.byteCount) }
            uploads[line.id] = upload
        }
    }

    /// Uploads whose bytes are all there and that were not taken in when the agent ended.
    public var unsettled: [UploadID] {
        uploads.filter { $0.value.isComplete && $0.value.outcome == nil }.keys.sorted()
    }

    /// The upload's record, whoever holds it.
    public func upload(_ id: UploadID) -> Upload? { uploads[id] }
}
