import AlbumModel
import WebGallery

/// Where an archive's files come from.
struct ArchiveSource: Sendable {
    let host: any GalleryHost

    /// Originals of other laptops that one archive asks for.
    static let askedCountMax = 500
    /// How long a file that is being made is waited for.
    static let patience = Duration.seconds(20)
    private static let askingInterval = Duration.milliseconds(250)

    /// - Parameter patience: How long what is being made here is waited for before the next kind is looked for; `nil` to
    ///   answer ``ArchiveFinding/making`` at once.
    func find(_ part: ArchivePart, patience: Duration? = nil) async throws -> ArchiveFinding {
        var reason: String?
        for kind in part.kinds {
            let isMade = kind.isDerived && part.isHere
            switch try await picture(kind, of: part.blob, patience: isMade ? patience ?? .zero : .zero) {
            case .here(let file): return .file(file, kind, reason: reason)
            case .none(let why): reason = why
            case .unseen: reason = "This photo has been removed."
            case .later where isMade && (patience == nil || kind == part.kinds.last): return .making
            case .later where isMade: reason = "No smaller picture was ready in time."
            case .later: reason = nil
            }
        }
        return .missing(reason: reason)
    }

    /// What there is of a picture once it is there, or a time has passed.
    func picture(_ kind: PictureKind, of blob: BlobID, patience: Duration) async throws -> PictureAnswer {
        let end = ContinuousClock.now + patience
        while true {
            let answer = try await host.picture(kind, of: blob, in: nil)
            guard case .later = answer, ContinuousClock.now < end else { return answer }
            try await Task.sleep(for: Self.askingInterval)
        }
    }
}
