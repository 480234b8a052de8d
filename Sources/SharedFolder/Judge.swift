import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix

/// Has what waits judged.
struct Judge: Sendable {
    let core: FolderCore

    /// Tries again later if it fails.
    func run() async {
        do {
            try await judge()
        } catch {
            core.logger.warning("changes not judged", metadata: ["error.message": "\(error.message)"])
            // Nothing is to be done at once.
            _ = core.queue.handle(.notJudged)
        }
    }

    func judge() async throws(FolderError) {
        do {
            try await core.withTurns([.judging]) {
                let input = FolderInput.judge(newID: UInt64(UInt32.random(in: 1 ... .max)))
                try await DirectiveRunner(core: core).perform(core.queue.handle(input))
            }
        } catch {
            throw FolderError(error)
        }
    }

    func inquire(_ questions: ChangeGroup.Questions) async -> [FolderDirective] {
        let older = await core.paths(questions.standings, with: [.removed])
        let withdrawn = await core.paths(questions.renamed, with: [.removed, .hidden])
        let gone = try? await core.pool.perform { [core] in
            questions.directories.filter { directory in
                let stat = try? FileStat(path: directory.absolute(in: core.root))
                return stat.map { !$0.isDirectory } ?? true
            }
        }
        // Without an answer they count as gone, which asks a person.
        return core.queue.handle(
            .evidence(
                older: older, withdrawn: withdrawn, goneDirectories: gone ?? questions.directories))
    }
}

extension FolderCore {
    /// The paths whose photos have one of these standings in their albums.
    fileprivate func paths(
        _ photos: [FolderPath: BlobID], with standings: Set<PhotoStanding>
    ) async -> Set<FolderPath> {
        var paths: Set<FolderPath> = []
        for (path, blob) in photos {
            let standing = await host.standing(ofPhoto: blob, inDirectory: path.albumDirectory.text)
            if standings.contains(standing) { paths.insert(path) }
        }
        return paths
    }

    /// Of these first-level directories those that have an album.
    func albums(of directories: some Sequence<FolderPath>) async -> [FolderPath: AlbumID] {
        var albums: [FolderPath: AlbumID] = [:]
        for directory in directories { albums[directory] = await host.albumID(forDirectory: directory.text) }
        return albums
    }
}
