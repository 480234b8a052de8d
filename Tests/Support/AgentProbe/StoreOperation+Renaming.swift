#if DEBUG
import AlbumModel
import FolderEngine
import StoreProbe
import SyncEngine

@testable import PotluckAgent
@testable import SharedFolder

extension StoreOperation {
    private static let allShown: [SamplePhoto: PhotoRules.Course] = [
        .anna: (.shown, .shown), .ben: (.shown, .shown), .carla: (.shown, .shown),
    ]

    /// An album gets another name, and its directory follows.
    static let renamingAlbum = StoreOperation(
        "rename-album", courses: allShown, directory: SamplePhoto.otherAlbum,
        prepare: { try await AgentSession.makeHome($0, SamplePhoto.allCases) },
        perform: { try await $0.renameAlbum() })

    /// Two photos get other names, and their files follow.
    static let renamingPhotos = StoreOperation(
        "rename-photos", courses: allShown,
        prepare: { try await AgentSession.makeHome($0, SamplePhoto.allCases) },
        perform: { try await $0.renamePhotos([.anna, .carla]) })
}

extension AgentSession {
    /// More than a look through the folder and all that follows from it.
    private static let stepCountMax = 200

    fileprivate func renameAlbum() async throws {
        let album = SamplePhoto.anna.key.album
        try await services.contributions.contribute(all: [.albumName(album, SamplePhoto.otherAlbum)])
        try await followNames { "\(SamplePhoto.otherAlbum)/\($0.name)" }
    }

    fileprivate func renamePhotos(_ photos: [SamplePhoto]) async throws {
        try await services.contributions.contribute(
            all: photos.map { .photoName($0.key.album, $0.blob, $0.otherName) })
        try await followNames { "\(SamplePhoto.album)/\(photos.contains($0) ? $0.otherName : $0.name)" }
    }

    /// Has the folder follow all names.
    ///
    /// - Parameter path: Of a photo's file in the end.
    private func followNames(to path: (SamplePhoto) -> String) async throws {
        await services.folder.followAllNames()
        guard let core = folder?.core else { return }
        for _ in 0..<Self.stepCountMax {
            // Nobody copies anything there, and so nothing has to be waited for.
            let directive = core.queue.change { judge, now in judge.next(now: now + .seconds(60)) }
            guard let directive else { break }
            try await DirectiveRunner(core: core).perform([directive])
        }
        for photo in SamplePhoto.allCases {
            guard folder?.path(album: photo.key.album, blob: photo.blob) == path(photo) else {
                throw ProbeError(sentence: "\(photo.name) has not the name that it is to have")
            }
            probe.acknowledge(.photo(photo.blob, PhotoFate.shown.rawValue))
        }
    }
}
#endif
