import AlbumModel
import FolderEngine

/// Asks the agent what becomes of a photo that was found, and has it add the photo.
struct Importer: Sendable {
    let core: FolderCore

    /// All that follows is performed in the turn of these bytes: one task at a time decides what they mean.
    func askStanding(_ taken: TakenPhoto, _ job: CandidateBook.Job) async throws(FolderError) -> [FolderDirective] {
        do {
            try await core.withTurns([.photo(taken.blob.id)]) {
                let directory = job.path.albumDirectory.text
                let standing = await core.host.standing(ofPhoto: taken.blob.id, inDirectory: directory)
                let album = standing == .unknown ? nil : await core.host.albumID(forDirectory: directory)
                let input = FolderInput.standing(taken, job, standing, album)
                try await DirectiveRunner(core: core).perform(core.queue.handle(input))
            }
        } catch {
            throw FolderError(error)
        }
        return []
    }

    func contribute(_ drop: Drop, _ taken: TakenPhoto, _ job: CandidateBook.Job) async -> [FolderDirective] {
        let input: FolderInput
        do {
            input = .contributed(taken, job, try await core.host.contribute(drop))
        } catch {
            input = .notContributed(job, FolderError(error).message)
        }
        return core.queue.handle(input)
    }
}
