#if DEBUG
import AlbumModel
import FolderEngine
import StoreProbe
import SyncEngine

@testable import PotluckAgent
@testable import SharedFolder

extension StoreOperation {
    /// An album gets another name, and its directory follows.
    static let renamingAlbum = StoreOperation(
        "rename-album", courses: [.anna: (.shown, .shown), .ben: (.shown, .shown), .carla: (.shown, .shown)],
        directory: SamplePhoto.otherAlbum,
        prepare: { try await AgentSession.makeHome($0, SamplePhoto.allCases) },
        perform: { try await $0.renameAlbum() })
}

extension AgentSession {
    /// More than a look through the folder and all that follows from it.
    private static let stepCountMax = 200

    fileprivate func renameAlbum() async throws {
        let album = SamplePhoto.anna.key.album
        try await services.contributions.contribute(all: [.albumName(album, SamplePhoto.otherAlbum)])
        await services.folder.followAllNames()
        guard let core = folder?.core else { return }
        for _ in 0..<Self.stepCountMax {
            // Nobody copies anything there, and so nothing has to be waited for.
            let directive = core.queue.change { judge, now in judge.next(now: now + .seconds(60)) }
            guard let directive else { break }
            try await DirectiveRunner(core: core).perform([directive])
        }
        for photo in SamplePhoto.allCases {
            guard folder?.path(album: album, blob: photo.blob) == "\(SamplePhoto.otherAlbum)/\(photo.name)" else {
                throw ProbeError(sentence: "\(photo.name) is not in its album's directory")
            }
            probe.acknowledge(.photo(photo.blob, PhotoFate.shown.rawValue))
        }
    }
}
#endif
