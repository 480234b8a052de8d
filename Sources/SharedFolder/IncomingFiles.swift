import AlbumModel
import DiskIO
import FolderEngine
import PhotoStore
import Synchronization

/// Files that lie in the folder and are not shared yet.
public struct IncomingFiles: Hashable, Sendable {
    public static let pathCountMax = 20

    /// Files that wait to be looked at, are being copied or taken in, wait for room on the disk, or to be judged; and those
    /// that cannot be read, or whose bytes are not those of their photo.
    public var files: Int
    /// Their sizes as last seen.
    public var bytes: Int64
    /// How many of them have no part in ``bytes``, because nobody has seen their size yet.
    public var unmeasured: Int
    /// Below the folder, ordered; the first ``pathCountMax``.
    public var paths: [String]
    /// Whether these are all: the folder is there, and every part of it has been looked at since it was last noticed that
    /// something changed.
    public var isScanComplete: Bool

    public init(files: Int, bytes: Int64, unmeasured: Int = 0, paths: [String], isScanComplete: Bool) {
        self.files = files
        self.bytes = bytes
        self.unmeasured = unmeasured
        self.paths = paths
        self.isScanComplete = isScanComplete
    }
}

extension SharedFolder {
    /// What is on its way into the gathering. Cheap, and without I/O: it costs what it lists.
    public func incoming() -> IncomingFiles {
        let core = self.core
        let (unsettled, isScanComplete) = core.queue.read { $0.schedule.unsettled(now: .now) }
        // Between two looks of these the files of the first may have moved on to the second, never the other way round.
        let (waiting, unread, damaged) = core.queue.read { ($0.pending.paths, $0.skipped.unread, $0.damaged) }
        let byteCounts = core.queue.read { judge in
            let state = judge.state
            // `nil` where the size is not known.
            var byteCounts = damaged.byteCounts(in: state).mapValues(Optional.some)
            for path in unread { byteCounts.updateValue(nil, forKey: path) }
            for (path, file) in unsettled where state.intents[path] == nil {
                if Self.isShared(file, at: path, in: state) { continue }
                byteCounts.updateValue(file.byteCount, forKey: path)
            }
            for (path, now) in waiting {
                guard let found = now.found, state.files[path]?.photo.blob != found.id else { continue }
                byteCounts[path] = found.signature.byteCount
            }
            return byteCounts
        }
        let measured = byteCounts.values.compactMap(\.self)
        return IncomingFiles(
            files: byteCounts.count, bytes: Int64(clamping: measured.clampedSum),
            unmeasured: byteCounts.count - measured.count,
            paths: byteCounts.keys.sorted().prefix(IncomingFiles.pathCountMax).map(\.text),
            isScanComplete: isScanComplete && !core.queue.read { $0.gaps.hasUnseen })
    }

    /// Whether what was seen of a file is what folder state has, though somebody looks at it.
    private static func isShared(
        _ file: CandidateBook.Unsettled, at path: FolderPath, in state: FolderState
    ) -> Bool {
        guard let seen = file.signature, let known = state.files[path]?.signature else { return false }
        // To a scan a link to it, as the store makes, looks like a change, and is none of the content. Who saves a file, or
        // puts it back, while it is watched may leave its size and time as they were.
        return file.isLive ? seen == known : seen.isSameFile(as: known)
    }
}
