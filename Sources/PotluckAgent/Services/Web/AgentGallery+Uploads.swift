import PhotoStore
import AlbumModel
import DiskIO
import NIOCore
import PotluckAPI
import SyncEngine
import WebGallery
import WebServer

extension AgentGallery {
    func room() async -> UInt64 {
        // Read only once the disk is nearly full; where it does not answer, writing tells.
        let space = try? await parts.blobPool.perform { [home] in DiskSpace(path: home) }
        return (space ?? nil)?.room(keeping: reserve) ?? .max
    }

    func staged() async throws -> [UploadID: UInt64] { try await uploads.all() }

    func write(_ bytes: ByteBuffer, at offset: UInt64, of upload: UploadID) async throws {
        try await uploads.write(bytes, at: offset, of: upload)
    }

    func makeDurable(_ upload: UploadID) async throws { try await uploads.makeDurable(upload) }

    func discard(_ upload: UploadID) async { await uploads.discard(upload) }

    func takeIn(
        _ id: UploadID, _ upload: Upload, by guest: KnownGuest?, expecting: PhotoExpectation
    ) async throws -> Upload.Outcome {
        let (path, metadata) = (uploads.path(of: id), upload.metadata)
        let file: PhotoFile
        do {
            file = try await parts.commitPool.perform { [parts] in
                try Self.take(path, upload, into: parts.blobs)
            }
        } catch let error as NoMedia {
            await uploads.discard(id)
            return .refused(reason: "This is no photo and no video: \(error.reason).")
        }
        let outcome = try await addTaken(file, as: metadata, by: guest, expecting)
        await uploads.discard(id)
        return outcome
    }

    /// Adds what was just taken in. The store keeps it until an album names it; where that is another upload's doing, no
    /// deletion begins before this one's end.
    private func addTaken(
        _ file: PhotoFile, as metadata: UploadMetadata, by guest: KnownGuest?, _ expecting: PhotoExpectation
    ) async throws -> Upload.Outcome {
        do {
            return try await services.removal.keeping([file.blob]) {
                try await add(file, as: metadata, by: guest, expecting)
            }
        } catch let error as PotluckError where error == .beingDeleted {
            return try await add(file, as: metadata, by: guest, expecting)
        }
    }

    func addKnown(
        _ blob: BlobID, _ metadata: UploadMetadata, by guest: KnownGuest?, expecting: PhotoExpectation
    ) async throws -> Upload.Outcome? {
        do {
            return try await services.removal.keeping([blob]) {
                guard let known = await services.host.ask({ $0.knownFile(blob) }), known.isHere else { return nil }
                let list = try await parts.blobPool.perform { [parts] in try parts.blobs.pieceList(blob) }
                let file = PhotoFile(
                    blob: blob, byteCount: known.byteCount, pieceList: list, name: metadata.name,
                    mediaType: known.mediaType, modified: Self.nanoseconds(metadata.lastModified) ?? known.modified)
                return try await add(file, as: metadata, by: guest, expecting)
            }
        } catch let error as PotluckError where error == .beingDeleted {
            return nil
        }
    }

    func album(named name: String) async -> AlbumID { await services.host.ask { $0.catalog.albumID(named: name) } }

    private func add(
        _ file: PhotoFile, as metadata: UploadMetadata, by guest: KnownGuest?, _ expecting: PhotoExpectation
    ) async throws -> Upload.Outcome {
        let album = metadata.album
        let isThere = await services.host.ask { $0.catalog.shownName(album) != nil }
        guard isThere || metadata.newAlbum != nil else {
            return .refused(reason: "The album is not there any more. Choose another one.")
        }
        let key = PhotoKey(album: album, blob: file.blob)
        let wasThere = await services.host.ask { $0.catalog.isLive(key) }
        var file = file
        file.guest = guest.map { Guest($0.id, name: $0.name) }
        if !wasThere { try await expecting(key) }
        do {
            if !isThere, let name = metadata.newAlbum {
                _ = try await services.contributions.contribute(.albumName(album, name), forPerson: true)
            }
            _ = try await services.contributions.contribute(.photoInAlbum(album, file), forPerson: true)
        } catch {
            // It may be added all the same, once the disk takes it.
            parts.blobs.keep(CollectionOfOne(file.blob))
            guard (error as? PotluckError)?.status == .tryAgain else { throw error }
            throw PotluckError(.tryAgain, "The laptop stops sharing; the file goes on where it was when it is back.")
        }
        services.folder.requestPlacement(key)
        return wasThere ? .already(photo: file.blob.hex) : .here(photo: file.blob.hex)
    }

    /// Copies a whole file into the store. Blocks.
    ///
    /// - Throws: ``UnexpectedFile`` where the upload does not accept it; ``NoMedia``.
    private static func take(_ path: String, _ upload: Upload, into blobs: BlobStore) throws -> PhotoFile {
        let metadata = upload.metadata
        func take(_ expected: BlobID?) throws -> PhotoFile {
            try TakenFile.take(
                path, name: metadata.name, modified: nanoseconds(metadata.lastModified), expecting: expected,
                into: blobs)
        }
        do {
            return try take(metadata.sha256)
        } catch let error where error is NoMedia || (error as? BlobError)?.code == .contentChanged {
            // What is no photo may be one that was damaged on its way.
            guard let announced = metadata.sha256, let arrived = BlobID(hex: try WholeFile.hash(OpenFile(path: path))),
                arrived != announced
            else { throw error }
            guard upload.accepts(arrived) else { throw UnexpectedFile(arrived) }
            return try take(arrived)
        }
    }

    private static func nanoseconds(_ milliseconds: Int64?) -> Int64? {
        milliseconds.flatMap { time in
            let (product, isOverflow) = time.multipliedReportingOverflow(by: 1_000_000)
            return isOverflow ? nil : product
        }
    }
}
