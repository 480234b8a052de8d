import AlbumModel
import DiskIO
import MediaReader
import NIOCore
import PhotoStore
import PotluckAPI
import SyncEngine
import WebGallery
import WebServer

extension AgentGallery {
    /// Seconds until it is worth to ask again for something that another laptop has.
    private static let fetchSeconds = 2
    /// The same for something that is made here, and for something that cannot even wait in line.
    private static let makingSeconds = 1
    private static let busySeconds = 5

    func albums(of photo: BlobID) async -> Set<AlbumID> {
        Set(await services.host.ask { $0.catalog.liveAlbums(of: photo) })
    }

    func picture(_ kind: PictureKind, of photo: BlobID, in albums: Set<AlbumID>?) async throws -> PictureAnswer {
        guard let known = await services.host.ask({ $0.knownFile(photo) }),
            albums?.isDisjoint(with: known.albums) != true
        else {
            return .unseen
        }
        switch kind {
        case .thumbnail: return try await thumbnail(known)
        case .original: return try await original(photo, known)
        case .placeless: return try await placeless(photo, known)
        case .preview: return try await rendition(.preview, of: photo, known)
        case .playable: return try await rendition(.video, of: photo, known)
        }
    }

    private func thumbnail(_ known: Engine.KnownFile) async throws -> PictureAnswer {
        guard let thumbnail = known.thumbnail else { return .none(reason: "There is no small picture of it yet.") }
        if let file = try await blob(thumbnail.blob, type: thumbnail.mediaType, isKept: true) { return .here(file) }
        await services.host.feed(.awaited(thumbnail.blob))
        return .later(seconds: Self.fetchSeconds, progress: nil)
    }

    private func original(_ photo: BlobID, _ known: Engine.KnownFile) async throws -> PictureAnswer {
        if var file = try await blob(photo, type: known.mediaType) {
            file.name = known.name
            return .here(file)
        }
        return try await fetched(photo, known)
    }

    /// Asks for an original that is not here.
    private func fetched(_ photo: BlobID, _ known: Engine.KnownFile) async throws -> PictureAnswer {
        guard known.isComing else {
            return .none(reason: "The laptop that has this photo is not here now. It comes when that one is back.")
        }
        if known.isLeftOut {
            // Where an album's originals are left out, whoever looks at one asks for it.
            let albums = await albums(of: photo)
            try await services.transfers.choose { choices in
                choices.fetching.asked.formUnion(albums.map { PhotoKey(album: $0, blob: photo) })
            }
        }
        await services.host.feed(.awaited(photo))
        return .later(seconds: Self.fetchSeconds, progress: nil)
    }

    private static let tooLargeWithoutPlace =
        "This file is larger than 512 MB: no copy without its place is made of it. Ask the laptop's owner for it."

    /// The original without its place; the same bytes where it says none.
    private func placeless(_ photo: BlobID, _ known: Engine.KnownFile) async throws -> PictureAnswer {
        guard known.byteCount <= RenditionLimits.placelessByteCountMax else {
            return .none(reason: Self.tooLargeWithoutPlace)
        }
        let answer = try await rendition(.placeless, of: photo, known)
        guard case .here(var file) = answer else { return answer }
        file.name = known.name
        return .here(file)
    }

    /// What is made of an original that is here; one that is not is fetched first.
    private func rendition(
        _ kind: RenditionKind, of photo: BlobID, _ known: Engine.KnownFile
    ) async throws -> PictureAnswer {
        guard known.isHere else { return try await fetched(photo, known) }
        let original = MediaFile(
            path: parts.blobs.path(of: photo), name: known.name, modified: known.modified, byteCount: known.byteCount)
        let state = await parts.renditions.rendition(kind, of: photo) { [reader = parts.reader] path, progress in
            switch kind {
            case .preview: try await reader.preview(of: original, into: path)
            case .video: try await reader.playable(of: original, into: path, progress: progress)
            case .placeless: try await reader.copyWithoutPlace(of: original, to: path)
            }
        }
        switch state {
        case .ready(let file): return .here(made(file, type: known.mediaType))
        case .making(let progress): return .later(seconds: Self.makingSeconds, progress: progress)
        case .busy: return .later(seconds: Self.busySeconds, progress: nil)
        case .failed(let reason): return .none(reason: reason)
        }
    }

    /// - Parameter type: The original's.
    private func made(_ file: RenditionFile, type: String) -> PictureFile {
        PictureFile(
            byteCount: file.byteCount, mediaType: file.mediaType ?? type, entityTag: EntityTag(opaque: file.sha256)
        ) { [parts] offset, count in
            try await parts.blobPool.perform {
                var buffer = ByteBufferAllocator().buffer(capacity: count)
                try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
                    let room = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
                    return try Descriptor.read(
                        file.descriptor, path: "a picture that was made", at: UInt64(offset), into: room)
                }
                return buffer
            }
        }
    }

    /// Files up to this size, as small pictures are, are read as they are opened.
    private static let readAtOnceByteCountMax = 128 << 10

    /// A blob's bytes; `nil` where they are not here.
    ///
    /// - Parameter isKept: Whether a small one is likely to be asked for again soon.
    private func blob(_ id: BlobID, type: String, isKept: Bool = false) async throws -> PictureFile? {
        let entityTag = EntityTag(opaque: id.hex)
        if isKept, let bytes = recentPictures.bytes(of: id) {
            return PictureFile(bytes, mediaType: type, entityTag: entityTag)
        }
        return try await parts.blobPool.perform { [parts, recentPictures] in
            guard let reader = try parts.blobs.open(id) else { return nil }
            if reader.byteCount <= Self.readAtOnceByteCountMax {
                let bytes = try Self.bytes(0, Int(reader.byteCount), of: reader)
                if isKept { recentPictures.keep(bytes, of: id) }
                return PictureFile(bytes, mediaType: type, entityTag: entityTag)
            }
            return PictureFile(byteCount: reader.byteCount, mediaType: type, entityTag: entityTag) { offset, count in
                try await parts.blobPool.perform { try Self.bytes(offset, count, of: reader) }
            }
        }
    }

    private static func bytes(_ offset: UInt64, _ count: Int, of reader: BlobReader) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) {
            try reader.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(count)))
        }
        return buffer
    }
}
