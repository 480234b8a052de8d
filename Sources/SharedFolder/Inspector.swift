import AlbumModel
import Glibc
import PhotoStore
import Synchronization

/// Looks at one path and, if a complete new photo is there, takes its bytes into the blob store. Blocks.
struct Inspector: Sendable {
    /// A file whose bytes are in the blob store now.
    struct Taken: Sendable {
        var blob: IngestedBlob
        var type: MediaType
        var signature: FileSignature
        var isShort: Bool
    }

    enum Finding: Sendable {
        /// Known as it is, or nothing to share in any way.
        case settled
        case absent
        /// Something else than a photo, and why it is not shared.
        case noPhoto(String)
        /// Why nobody knows what it is.
        case unreadable(String)
        /// It may be incomplete; the queue knows until when.
        case waiting
        case changed
        /// The folder is not there.
        case unavailable
        /// A known file of the same album under another name; that one is gone if `isMoved`.
        case sameFile(FolderPath, FileSignature, isMoved: Bool)
        case taken(Taken)
        case failed(FolderError)
    }

    let core: FolderCore

    func look(at path: FolderPath) -> Finding {
        if JunkRules.isOwn(path) { return .settled }
        let absolute = path.absolute(in: core.root)
        guard let info = SystemCall.look(absolute) else { return SystemCall.saysAbsent ? .absent : unreadable() }
        if core.complaint() != nil { return .unavailable }
        if info.st_mode & S_IFMT == S_IFDIR {
            return JunkRules.reason(directoryName: path.name).map { .noPhoto($0) } ?? .settled
        }
        if let reason = Self.unfitKind(info.st_mode) ?? JunkRules.reason(path) { return .noPhoto(reason) }
        // Not blocking: in the meantime it may have become a pipe without a writer.
        let descriptor = open(absolute, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return SystemCall.saysAbsent ? .absent : unreadable() }
        defer { close(descriptor) }
        do {
            return try look(at: path, descriptor: descriptor)
        } catch {
            return .failed(FolderError(error))
        }
    }

    private func look(at path: FolderPath, descriptor: Int32) throws -> Finding {
        let stat = try FileStat(descriptor: descriptor)
        guard stat.isRegularFile else { return .changed }
        let signature = FileSignature(stat)
        let same = core.state.withLock { $0.isKnown(path, signature) ? path : $0.sameFile(as: signature, beside: path) }
        if same == path { return .settled }
        if let same {
            let there = SystemCall.look(same.absolute(in: core.root))
            return .sameFile(same, signature, isMoved: there == nil && SystemCall.saysAbsent)
        }
        return try take(path, descriptor: descriptor, signature)
    }

    private func take(_ path: FolderPath, descriptor: Int32, _ signature: FileSignature) throws -> Finding {
        var bytes = FileBytes(descriptor: descriptor, byteCount: signature.byteCount)
        let head = bytes.bytes(at: 0, count: Int(min(4096, signature.byteCount))) ?? []
        let type = MediaType.sniff(head, name: String(decoding: path.name, as: UTF8.self))
        let writer = ReadLease.writer(of: descriptor)
        let isShort =
            type.map { FormatLength.isShort(descriptor: descriptor, byteCount: signature.byteCount, type: $0) }
            ?? (signature.byteCount == 0)
        let seen = CandidateBook.Observation(signature: signature, writer: writer, isShort: isShort)
        guard case .take(let isShort) = core.queue.judge(path, seen) else { return .waiting }
        if signature.byteCount == 0 { return .noPhoto("it is empty") }
        guard let type else { return .noPhoto("it is not a photo or a video") }
        guard signature.byteCount <= CatalogLimits.blobByteCountMax else { return .noPhoto("it is larger than 64 GiB") }
        guard let blob = try ingest(descriptor, signature) else { return .changed }
        return .taken(Taken(blob: blob, type: type, signature: signature, isShort: isShort))
    }

    /// `nil` if the file changed while it was read, or a writer came.
    private func ingest(_ descriptor: Int32, _ signature: FileSignature) throws(BlobError) -> IngestedBlob? {
        do {
            return try core.blobs.ingest(descriptor: descriptor) {
                try FileSignature(FileStat(descriptor: descriptor)) == signature
                    && ReadLease.writer(of: descriptor) != .open
            }
        } catch {
            if error.code == .changedWhileReading { return nil }
            throw error
        }
    }

    private func unreadable() -> Finding {
        errno == EACCES || errno == EPERM || errno == ELOOP
            ? .unreadable("it cannot be read: \(SystemCall.lastErrorText())")
            : .failed(FolderError(.failed, "It cannot be read: \(SystemCall.lastErrorText())."))
    }

    /// Why something that is no regular file is not shared.
    private static func unfitKind(_ mode: mode_t) -> String? {
        switch mode & S_IFMT {
        case S_IFREG: nil
        case S_IFLNK: "it is a symbolic link; put the file itself here"
        default: "it is no ordinary file"
        }
    }
}
