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

    struct Outcome: Sendable {
        var gaps: [FolderPath: FolderGaps.Reason] = [:]
        /// To be committed; ``FolderCore/mounts`` has them already.
        var changes: [FactChange] = []
    }

    func run() -> Outcome {
        let before = core.mounts.withLock { $0 }
        var outcome = Outcome()
        guard let table = before.table() else {
            for directory in before.known.keys { outcome.gaps[directory] = .away }
            return outcome
        }
        var free = table.mounts.filter { before.known[$0.key] == nil }
        for (directory, identity) in before.known.sorted(by: { $0.key < $1.key }) {
            switch table.mounts[directory] {
            case .identified(identity): break
            case .identified(let other):
                if isKnownAgain(directory) {
                    remember(directory, other, &outcome)
                } else {
                    outcome.gaps[directory] = .otherDisk
                }
            case .unknown: outcome.gaps[directory] = .away
            case nil:
                // With its parent directory it may have got another name.
                if let target = moved(identity, free) {
                    free[target] = nil
                    outcome.changes += core.mounts.withLock { $0.forget(directory) }
                    remember(target, identity, &outcome)
                } else {
                    outcome.gaps[directory] = .away
                }
            }
        }
        for (directory, mount) in free.sorted(by: { $0.key < $1.key }) {
            switch mount {
            case .identified(let identity) where isKnownAgain(directory): remember(directory, identity, &outcome)
            // Files that are known to be there are under it.
            case .identified: outcome.gaps[directory] = .otherDisk
            case .unknown: outcome.gaps[directory] = .unreadable(EIO)
            }
        }
        return outcome
    }

    private func remember(_ directory: FolderPath, _ identity: MountIdentity, _ outcome: inout Outcome) {
        outcome.changes += core.mounts.withLock { $0.remember(directory, identity) }
    }

    private func moved(_ identity: MountIdentity, _ free: [FolderPath: MountTable.Mount]) -> FolderPath? {
        if identity.fileSystem == 0 { return nil }
        return free.filter { $0.value == .identified(identity) }.keys.min()
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
