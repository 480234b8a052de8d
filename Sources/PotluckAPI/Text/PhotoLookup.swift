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
    private let candidates: [Candidate]
    /// For whole IDs, which programs send by the thousand.
    private let blobs: Set<BlobID>
    private let scope: Scope

    /// - Parameters:
    ///   - candidates: The album's photos.
    ///   - album: The album's name, for what people are told.
    ///   - scope: Which photos of the album they are.
    public init(_ candidates: [Candidate], album: String, scope: Scope = .album) {
        self.candidates = candidates
        self.album = album
        self.scope = scope
        blobs = Set(candidates.map(\.blob))
    }

    /// - Throws: `.usage` with the IDs where several photos fit, `.notFound` where none does.
    public func find(_ text: String) throws(PotluckError) -> BlobID {
        if let blob = BlobID(hex: text), blobs.contains(blob) { return blob }
        let digits = text.lowercased()
        let isID = digits.utf8.count >= Self.digitCountMin && digits.allSatisfy(\.isHexDigit)
        // A file may be named by its path, as the shell completes it.
        let fileName = text.split(separator: "/").last.map { String($0) } ?? text
        let (folded, foldedFileName) = (AlbumName.key(text), AlbumName.key(fileName))
        // Swift compares strings by canonical equivalence, so that NFC and NFD are one name.
        let rules: [(Candidate) -> Bool] = [
            { isID && $0.blob.hex.hasPrefix(digits) }, { $0.name == text }, { $0.fileName == fileName },
            { AlbumName.key($0.name) == folded }, { $0.fileName.map { AlbumName.key($0) } == foldedFileName },
        ]
        for rule in rules {
            let matches = candidates.filter(rule)
            guard matches.isEmpty else {
                if matches.count == 1 { return matches[0].blob }
                throw ambiguous(text, matches)
            }
        }
        throw unknown(text)
    }

    /// Each one once, in the order in which they were named.
    public func find(_ texts: [String]) throws(PotluckError) -> [BlobID] {
        var found: [BlobID] = []
        var seen: Set<BlobID> = []
        for text in texts {
            let blob = try find(text)
            if seen.insert(blob).inserted { found.append(blob) }
        }
        return found
    }

    private func ambiguous(_ text: String, _ matches: [Candidate]) -> PotluckError {
        let sorted = matches.sorted { $0.blob < $1.blob }
        var choices = sorted.prefix(Self.listedCountMax).map { "\(digits(of: $0.blob)) (\($0.fileName ?? $0.name))" }
        if sorted.count > choices.count { choices.append("and \(sorted.count - choices.count) more") }
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
