import AlbumModel
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
            holdsOlder: losses.contains { older.contains($0.lost.path) })
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
