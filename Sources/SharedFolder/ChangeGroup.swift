import AlbumModel
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// A group of changes with all that is needed to judge it.
struct ChangeGroup: Sendable {
    let judgement: Judgement
    let found: [FolderPath: Judgement.Found]
    /// How many files each album concerned has in folder state.
    let fileCounts: [AlbumID: Int]
    private let renewedCounts: [AlbumID: Int]
    /// Paths at which a scan found bytes that had been removed or replaced earlier.
    private let older: Set<FolderPath>
    /// Removed files that no event told of.
    private let unexplained: Set<FolderPath>
    /// Removed files of directories that lost all that they had.
    private let ofLostDirectories: Set<FolderPath>

    init(_ paths: [FolderPath: PendingChanges.Now], core: FolderCore) async {
        let lost = core.state.withLock { state in
            paths.compactMap { path, now -> Judgement.Lost? in
                guard let record = state.files[path], now.found?.id != record.photo.blob else { return nil }
                return Judgement.Lost(path: path, record: record)
            }
        }
        var albums: [FolderPath: AlbumID?] = [:]
        var found: [FolderPath: Judgement.Found] = [:]
        for (path, now) in paths {
            guard let photo = now.found else { continue }
            let directory = path.albumDirectory
            if albums[directory] == nil {
                albums[directory] = .some(await core.host.albumID(forDirectory: directory.text))
            }
            found[path] = Judgement.Found(photo: photo, album: albums[directory] ?? nil)
        }
        let state = core.state.withLock { $0 }
        judgement = Judgement(lost: lost, found: found) { photo in
            state.paths(of: photo).filter { paths[$0] == nil }.sorted()
        }
        self.found = found
        let renewed = core.pending.withLock { $0.renewed(since: .now - core.settings.judging.waitMax) }
        renewedCounts = Dictionary(grouping: renewed.compactMap { state.files[$0]?.photo.album }) { $0 }
            .mapValues(\.count)
        let concerned = Set(lost.map(\.record.photo.album)).union(renewedCounts.keys)
        fileCounts = Dictionary(uniqueKeysWithValues: concerned.map { ($0, state.fileCount(of: $0)) })
        older = await Self.older(judgement.steps, found, core)
        let removed = Set(judgement.steps.compactMap { if case .remove(let lost) = $0 { lost.path } else { nil } })
        unexplained = core.pending.withLock { removed.subtracting($0.explained) }
        ofLostDirectories = await LostDirectories(judgement.steps, removed: removed, state: state).paths(core)
    }

    /// Bytes that come to an album by these steps.
    func newcomers(by steps: [Judgement.Step]) -> Set<BlobID> {
        Set(
            steps.compactMap { step in
                switch step {
                case .move(_, let path): found[path]?.photo.id
                case .replace(let lost): found[lost.path]?.photo.id
                case .rename, .promote, .remove, .forget: nil
                }
            })
    }

    func brakeGroup(_ losses: [Judgement.Step]) -> Brake.Group {
        Brake.Group(
            losses: losses, fileCounts: fileCounts, renewedCounts: renewedCounts,
            holdsOlder: losses.contains { older.contains($0.lost.path) },
            losesDirectory: losses.contains { ofLostDirectories.contains($0.lost.path) },
            hasUnexplained: losses.contains { unexplained.contains($0.lost.path) })
    }

    private static func older(
        _ steps: [Judgement.Step], _ found: [FolderPath: Judgement.Found], _ core: FolderCore
    ) async -> Set<FolderPath> {
        var older: Set<FolderPath> = []
        // What was moved there is explained by that.
        let targets = Set(steps.compactMap { $0.isLoss ? nil : $0.target })
        for case .replace(let lost) in steps where !targets.contains(lost.path) {
            guard let photo = found[lost.path]?.photo, !photo.isLive else { continue }
            let directory = lost.path.albumDirectory.text
            if await core.host.standing(ofPhoto: photo.id, inDirectory: directory) == .removed {
                older.insert(lost.path)
            }
        }
        return older
    }
}

/// The directories that lose all their files by a group's steps.
///
/// What moved elsewhere is not lost, and a single photo that a person deletes from its directory is no accident; one that
/// goes together with its directory may be.
private struct LostDirectories {
    private let removed: Set<FolderPath>
    /// How many files each has lost.
    private var counts: [FolderPath: Int] = [:]

    init(_ steps: [Judgement.Step], removed: Set<FolderPath>, state: FolderState) {
        self.removed = removed
        if removed.isEmpty { return }
        let candidates = Set(removed.flatMap { Self.directories(of: $0) })
        let lost = Set(
            steps.compactMap { step in
                switch step {
                case .remove, .forget, .promote: step.lost.path
                case .rename, .move, .replace: nil
                }
            })
        var kept: Set<FolderPath> = []
        for (path, record) in state.files where record.origin != .removed {
            let concerned = Self.directories(of: path).filter { candidates.contains($0) }
            if lost.contains(path) {
                for directory in concerned { counts[directory, default: 0] += 1 }
            } else {
                kept.formUnion(concerned)
            }
        }
        for directory in kept { counts[directory] = nil }
    }

    /// The removed files in them.
    func paths(_ core: FolderCore) async -> Set<FolderPath> {
        let single = counts.filter { $0.value == 1 && !$0.key.bytes.isEmpty }.keys
        // Without an answer they count as gone, which asks a person.
        let gone = try? await core.pool.perform {
            single.filter { directory in
                let info = SystemCall.look(directory.absolute(in: core.root))
                return info.map { $0.st_mode & S_IFMT != S_IFDIR } ?? true
            }
        }
        let lost = Set(counts.filter { $0.value > 1 }.keys).union(gone ?? Array(single))
        return removed.filter { path in Self.directories(of: path).contains { lost.contains($0) } }
    }

    /// All that the file is in; of the folder itself what lies directly in it.
    private static func directories(of path: FolderPath) -> [FolderPath] {
        var directories = [path.parent]
        while let last = directories.last, !last.bytes.isEmpty, !last.parent.bytes.isEmpty {
            directories.append(last.parent)
        }
        return directories
    }
}
