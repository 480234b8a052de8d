import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import PhotoStore
import Synchronization

/// Looks at one path and, if a complete new photo is there, takes its bytes into the blob store. Blocks.
struct Inspector: Sendable {
    let core: FolderCore

    func look(at job: CandidateBook.Job) -> LookFinding {
        let path = job.path
        if OwnNames.folder.isOwn(path) { return .settled }
        let absolute = path.absolute(in: core.root)
        let stat: FileStat
        do throws(FileError) {
            stat = try FileStat(path: absolute)
        } catch {
            return Self.finding(error)
        }
        if core.complaint() != nil { return .unavailable }
        // In the bare directory of a disk that is away nothing is taken in; the disk's own files are looked at once it is
        // back.
        if let mount = core.mounts.away(over: path) { return .away(mount) }
        let seen = FileSignature(stat)
        if core.queue.read({ $0.pending.isWaiting(path, seen, isLive: job.isLive) }) { return .pending }
        if !job.isLive, core.queue.read({ $0.damaged.contains(path, seen: seen) }) { return .pending }
        if stat.isDirectory {
            if core.state.withLock({ $0.files[path] != nil }) { return .absent }
            return JunkRules.reason(directoryName: path.name).map { .noPhoto($0, seen) } ?? .settled
        }
        if let reason = Self.unfitKind(stat.kind) ?? JunkRules.reason(path) { return .noPhoto(reason, seen) }
        // Not blocking: in the meantime it may have become a pipe without a writer.
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: absolute, .read(followsLink: false))
        } catch {
            return Self.finding(error)
        }
        do {
            // Its number is of use for as long as it lives.
            return try withExtendedLifetime(file) { try look(at: job, descriptor: file.number) }
        } catch {
            return .failed(FolderError(error).message)
        }
    }

    private func look(at job: CandidateBook.Job, descriptor: Int32) throws -> LookFinding {
        let path = job.path
        let stat = try FileStat(descriptor: descriptor)
        guard stat.isRegularFile else { return .changed }
        let signature = FileSignature(stat)
        let isKnown = core.state.withLock { $0.isKnown(path, signature) }
        if isKnown, !core.queue.read({ $0.mayBeAnew(path, isLive: job.isLive, now: .now) }) { return .settled }
        // Who saves a file while it is watched means it, whatever its time is afterwards.
        if !job.isLive, try isDamaged(path, signature) {
            let isStill = try FileSignature(FileStat(descriptor: descriptor)) == signature
            return isStill ? .damaged(signature) : .changed
        }
        return try sameFile(path, signature) ?? take(path, descriptor: descriptor, signature)
    }

    /// Whether a shared photo's file has other bytes, though neither its size nor its time changed: no program that saves a
    /// file leaves it so, a failing disk does.
    private func isDamaged(_ path: FolderPath, _ signature: FileSignature) throws -> Bool {
        guard let record = core.state.withLock({ $0.files[path] }), record.origin != .removed,
            signature.isUnchanged(since: record.signature), core.blobs.contains(record.photo.blob)
        else { return false }
        return try core.blobs.stat(ofFileWith: record.photo.blob, at: core.root + "/" + path.text) == nil
    }

    /// A known file of the album under another name. One that is where another photo was goes the way of all bytes.
    private func sameFile(_ path: FolderPath, _ signature: FileSignature) -> LookFinding? {
        let known = core.state.withLock { state -> (FolderPath, FileRecord)? in
            guard state.files[path] == nil else { return nil }
            return state.sameFile(as: signature, beside: path).map { ($0, state.files[$0]!) }
        }
        guard let (other, record) = known, holds(record, path, signature) else { return nil }
        // Where names differ by case alone, the disk may answer to both; the listing tells.
        let isMoved = core.absent(among: [other]).contains(other)
        return .sameFile(other, record.photo, signature, isMoved: isMoved)
    }

    /// Whether the file has the record's content. A rename changes the ctime, as would an edit that hides its traces, so
    /// a file with another ctime is read.
    private func holds(_ record: FileRecord, _ path: FolderPath, _ signature: FileSignature) -> Bool {
        if record.signature == signature { return true }
        // What cannot be compared goes the way of all bytes: a name that is no text, a blob that is not there.
        let stat = (try? core.blobs.stat(ofFileWith: record.photo.blob, at: core.root + "/" + path.text)) ?? nil
        return stat.map { FileSignature($0) } == signature
    }

    private func take(_ path: FolderPath, descriptor: Int32, _ signature: FileSignature) throws -> LookFinding {
        var bytes = FileBytes(descriptor: descriptor, byteCount: signature.byteCount)
        let headByteCount = Int(min(UInt64(MediaContent.headByteCount), signature.byteCount))
        guard let head = bytes.bytes(at: 0, count: headByteCount) else {
            // A file that gives an error, or became shorter just now, is not known to be no photo.
            return .failed("It cannot be read, or is being changed.")
        }
        let name = String(decoding: path.name, as: UTF8.self)
        let content = MediaContent(head: head, byteCount: signature.byteCount, name: name)
        let writer = Descriptor.writer(of: descriptor)
        let isShort =
            content.type.map { FormatLength.isShort(descriptor: descriptor, byteCount: signature.byteCount, type: $0) }
            ?? (signature.byteCount == 0)
        let seen = CandidateBook.Observation(signature: signature, writer: .init(writer), isShort: isShort)
        let verdict = core.queue.change { $0.schedule.judge(path, seen, now: $1) }
        guard case .take(let isShort) = verdict else { return .waiting }
        let type: MediaType
        switch content {
        case .media(let known): type = known
        case .refused(let reason): return .noPhoto(reason, signature)
        }
        guard let blob = try ingest(descriptor, signature) else { return .changed }
        return .taken(TakenPhoto(blob: blob, mediaType: type.name, signature: signature, isShort: isShort))
    }

    /// `nil` if the file changed while it was read, or a writer came.
    private func ingest(_ descriptor: Int32, _ signature: FileSignature) throws(BlobError) -> IngestedBlob? {
        do {
            return try core.blobs.ingest(descriptor: descriptor) {
                try FileSignature(FileStat(descriptor: descriptor)) == signature
                    && Descriptor.writer(of: descriptor) != .open
            }
        } catch {
            if error.code == .changedWhileReading { return nil }
            throw error
        }
    }

    private static func finding(_ error: FileError) -> LookFinding {
        if error.isAbsent { return .absent }
        let text = error.causeText
        return [EACCES, EPERM, ELOOP].contains(error.errno)
            ? .unreadable("it cannot be read: \(text)") : .failed("It cannot be read: \(text).")
    }

    /// Why something that is no regular file is not shared.
    private static func unfitKind(_ kind: FileKind) -> String? {
        switch kind {
        case .file: nil
        case .link: "it is a symbolic link; put the file itself here"
        default: "it is no ordinary file"
        }
    }
}
