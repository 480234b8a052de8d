import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore

/// Answers questions about one file. Its methods block, and throw a ``LookError``, or what the store says.
struct Inspector: Sendable {
    let core: FolderCore

    /// Answers a question about a file; `nil` for any other directive.
    func answer(_ directive: FolderDirective) -> FolderInput? {
        switch directive {
        case .look(let job): .looked(job, answer { try look(at: job.path) })
        case .compare(let comparison):
            .compared(comparison, answer { try compare(comparison.job.path, with: comparison.photo.blob) })
        case .examine(let job, let signature): .examined(job, signature, answer { try examine(job.path) })
        case .importFile(let file): .imported(file, answer { try ingest(file.job.path, file.signature) })
        default: nil
        }
    }

    private func answer<Value>(_ question: () throws -> Value) -> Result<Value, LookError> {
        do {
            return .success(try question())
        } catch let error as LookError {
            return .failure(error)
        } catch {
            return .failure(.failed(FolderError(error).message))
        }
    }

    private func look(at path: FolderPath) throws -> FileLook {
        let stat: FileStat
        do throws(FileError) {
            stat = try FileStat(path: path.absolute(in: core.root))
        } catch {
            throw LookError(error)
        }
        return FileLook(
            kind: FileLook.Kind(stat.kind), signature: FileSignature(stat), complaint: core.folder.complaint(),
            away: core.mounts.away(over: path))
    }

    private func compare(_ path: FolderPath, with blob: BlobID) throws -> FileComparison.Answer {
        guard core.blobs.contains(blob) else { return .blobAbsent }
        if let stat = try core.blobs.stat(ofFileWith: blob, at: core.root + "/" + path.text) {
            return .same(FileSignature(stat))
        }
        return .other(FileSignature(try FileStat(path: path.absolute(in: core.root))))
    }

    private func examine(_ path: FolderPath) throws -> FileExamination {
        // Its number is of use for as long as it lives.
        let (file, signature) = try open(path)
        return try withExtendedLifetime(file) { try examine(path, file.number, signature) }
    }

    private func examine(
        _ path: FolderPath, _ descriptor: Int32, _ signature: FileSignature
    ) throws(LookError) -> FileExamination {
        var bytes = FileBytes(descriptor: descriptor, byteCount: signature.byteCount)
        let headByteCount = Int(min(UInt64(MediaContent.headByteCount), signature.byteCount))
        guard let head = bytes.bytes(at: 0, count: headByteCount) else {
            // A file that gives an error, or became shorter just now, is not known to be no photo.
            throw .failed("It cannot be read, or is being changed.")
        }
        let name = String(decoding: path.name, as: UTF8.self)
        let content = MediaContent(head: head, byteCount: signature.byteCount, name: name)
        let writer = Descriptor.writer(of: descriptor)
        let isShort =
            content.type.map { FormatLength.isShort(descriptor: descriptor, byteCount: signature.byteCount, type: $0) }
            ?? (signature.byteCount == 0)
        return FileExamination(
            content: content, observation: .init(signature: signature, writer: .init(writer), isShort: isShort))
    }

    private func ingest(_ path: FolderPath, _ signature: FileSignature) throws -> IngestedBlob {
        let (file, seen) = try open(path)
        guard seen == signature else { throw LookError.changed }
        do {
            return try core.blobs.ingest(descriptor: file.number) {
                try FileSignature(FileStat(descriptor: file.number)) == signature
                    && Descriptor.writer(of: file.number) != .open
            }
        } catch {
            throw error.code == .changedWhileReading ? LookError.changed : error
        }
    }

    private func open(_ path: FolderPath) throws(LookError) -> (Descriptor, FileSignature) {
        let file: Descriptor
        let stat: FileStat
        do throws(FileError) {
            // Not blocking: in the meantime it may have become a pipe without a writer.
            file = try Descriptor(opening: path.absolute(in: core.root), .read(followsLink: false))
            stat = try FileStat(descriptor: file.number)
        } catch {
            throw LookError(error)
        }
        guard stat.isRegularFile else { throw .changed }
        return (file, FileSignature(stat))
    }
}

extension LookError {
    init(_ error: FileError) {
        let text = error.causeText
        if error.isAbsent {
            self = .absent
        } else if [EACCES, EPERM, ELOOP].contains(error.errno) {
            self = .unreadable("it cannot be read: \(text)")
        } else {
            self = .failed("It cannot be read: \(text).")
        }
    }
}

extension FileLook.Kind {
    init(_ kind: FileKind) {
        switch kind {
        case .file: self = .file
        case .directory: self = .directory
        case .link: self = .link
        default: self = .other
        }
    }
}
