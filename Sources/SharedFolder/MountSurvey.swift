import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import Synchronization

/// Compares the mounts that are in the folder with those that were, at the start of a scan. Blocks.
struct MountSurvey: Sendable {
    /// Files of another file system's directory that are looked at, to know it again.
    private static let fileCountMax = 1000
    /// Of these, so many are read.
    private static let readCountMax = 3

    let core: FolderCore

    /// ``FolderCore/mounts`` has its changes already.
    func run() -> KnownMounts.Survey {
        let mounts = core.mounts.withLock { $0 }
        let table = mounts.table()
        let recognised = mounts.known.questionable(table).filter { isKnownAgain($0) }
        return core.mounts.withLock { $0.known.survey(table, recognised: recognised) }
    }

    /// Whether a directory holds some file as it is known there, or none is known there.
    private func isKnownAgain(_ directory: FolderPath) -> Bool {
        let files = core.state.withLock { state in
            state.files.filter { $0.key.isBelow(directory) && state.leaving[$0.key] == nil }
        }
        if files.isEmpty { return true }
        let known = files.sorted { $0.key < $1.key }.prefix(Self.fileCountMax)
        let alike = known.filter { path, record in
            SystemCall.look(path.absolute(in: core.root))
                .map { FileSignature(FileStat($0)).byteCount == record.signature.byteCount } ?? false
        }
        let isAsItWas = alike.contains { path, record in
            SystemCall.look(path.absolute(in: core.root))
                .map { FileSignature(FileStat($0)).isUnchanged(since: record.signature) } ?? false
        }
        if isAsItWas { return true }
        return alike.prefix(Self.readCountMax).contains { path, record in
            // What cannot be read is no proof.
            let stat = try? core.blobs.stat(ofFileWith: record.photo.blob, at: core.root + "/" + path.text)
            return (stat ?? nil) != nil
        }
    }
}
