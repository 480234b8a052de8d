public import AlbumModel

/// Which photo of an album a person means: by ID, by its name, by the name of its file here, then by either in any case.
public struct PhotoLookup: Sendable {
    /// Shorter beginnings of an ID are taken for names.
    public static let digitCountMin = 6
    /// At most this many IDs are listed where several photos fit.
    private static let listedCountMax = 20

    /// Of which photos one is meant.
    public enum Scope: Hashable, Sendable {
        case album
        case hidden
        case trash
        case leftOut
    }

    public struct Candidate: Sendable {
        var blob: BlobID
        /// The name that the gathering shares.
        var name: String
        /// The last part of the path below the folder here, which differs from the name where several photos share it.
        var fileName: String?

        public init(blob: BlobID, name: String, file: String?) {
            self.blob = blob
            self.name = name
            fileName = file?.split(separator: "/").last.map { String($0) }
        }
    }

    private let album: String
    /// In the order of their IDs.
    private let candidates: [Candidate]
    private let scope: Scope

    /// - Parameters:
    ///   - candidates: The album's photos.
    ///   - album: The album's name, for what people are told.
    ///   - scope: Which photos of the album they are.
    public init(_ candidates: [Candidate], album: String, scope: Scope = .album) {
        self.candidates = candidates.sorted { $0.blob < $1.blob }
        self.album = album
        self.scope = scope
    }

    /// - Throws: `.usage` with the IDs where several photos fit, `.notFound` where none does.
    public func find(_ text: String) throws(PotluckError) -> BlobID { try find([text])[0] }

    /// Each one once, in the order in which they were named. People's shells and programs name them by the thousand: a name
    /// costs the same whatever the album has.
    public func find(_ texts: [String]) throws(PotluckError) -> [BlobID] {
        var names = PhotoNames(candidates)
        var found: [BlobID] = []
        var seen: Set<BlobID> = []
        for text in texts {
            let matches = names.places(of: text).map { candidates[$0] }
            guard let match = matches.first else { throw unknown(text) }
            if matches.count > 1 { throw ambiguous(text, matches) }
            if seen.insert(match.blob).inserted { found.append(match.blob) }
        }
        return found
    }

    private func ambiguous(_ text: String, _ matches: [Candidate]) -> PotluckError {
        var choices = matches.prefix(Self.listedCountMax).map { "\(digits(of: $0.blob)) (\($0.fileName ?? $0.name))" }
        if matches.count > choices.count { choices.append("and \(matches.count - choices.count) more") }
        return PotluckError(
            .usage,
            "\(matches.count) photos of “\(album)” are called “\(text)”; name one by its ID: \(choices.joined(separator: ", "))."
        )
    }

    /// The first digits of an ID, as many as tell it apart in this album, and at least those that listings show.
    private func digits(of blob: BlobID) -> String {
        let others = candidates.lazy.map(\.blob).filter { $0 != blob }
        var count = 8
        while count < 2 * BlobID.byteCount, others.contains(where: { $0.hex.prefix(count) == blob.hex.prefix(count) }) {
            count += 1
        }
        return String(blob.hex.prefix(count))
    }

    private func unknown(_ text: String) -> PotluckError {
        let close = CloseNames.find(text, among: candidates.map { $0.fileName ?? $0.name })
        let (fact, listing) =
            switch scope {
            case .album: ("There is no photo called “\(text)” in “\(album)”.", "photos")
            case .hidden: ("No photo called “\(text)” is hidden in “\(album)”.", "hidden")
            case .trash: ("No photo called “\(text)” from “\(album)” is in the trash.", "trash")
            case .leftOut: ("No photo called “\(text)” is left out of “\(album)”.", "left-out")
            }
        let advice = CloseNames.question(close) ?? "`potluck \(listing) \"\(album)\"` lists them."
        return PotluckError(.notFound, "\(fact) \(advice)")
    }
}
