import AlbumModel
import TestSupport

@testable import FolderEngine

/// A folder's engine at some moment.
enum TestFolder {
    static let now = MonotonicInstant(nanoseconds: 1_000_000_000)

    static func judge(
        _ state: FolderState = state(), _ adoption: Adoption = .over, mounts: KnownMounts = KnownMounts(),
        heldID: UInt64? = nil
    ) -> FolderJudge {
        FolderJudge(
            root: "/photos", settings: FolderSettings(),
            names: OwnNames(marker: FolderPath(".marker"), passingPrefixes: [".passing-"]), state: state,
            mounts: mounts,
            adoption: adoption, heldID: heldID, now: now)
    }

    /// - Parameter fresh: Those that another boot had not synced.
    static func state(_ files: [FolderPath: FileRecord] = [:], fresh: [FolderPath] = []) -> FolderState {
        let fresh = FreshFiles(facts: fresh.map { ($0.bytes, [9]) }, boot: BootID(bytes: [1]))
        return FolderState(
            files: files.map { ($0.key.bytes, $0.value.bytes) }, gone: [], intents: [], fresh: fresh)
    }
}

/// Of a photo of album A.
func record(_ seed: UInt8, _ origin: FileRecord.Origin = .dropped) -> FileRecord {
    FileRecord(
        photo: PhotoKey(album: AlbumName.identifier("A"), blob: blobID([seed])),
        signature: FileSignature(inode: UInt64(seed), byteCount: 10, modified: 0, changed: 0), origin: origin)
}

/// Those that are to be committed.
func facts(_ directives: [FolderDirective]) -> [FactChange] {
    directives.flatMap { directive -> [FactChange] in
        if case .commit(let changes) = directive { changes } else { [] }
    }
}

extension FolderJudge {
    /// Hands in an answer as if it had just been asked for.
    mutating func answer(_ input: FolderInput, now: MonotonicInstant) -> [FolderDirective] {
        if let (question, job) = input.answered { looks.ask(question, job) }
        return handle(input, now: now)
    }
}
