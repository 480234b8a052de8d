public import AlbumModel

/// Which album a person means: by ID, by its exact name, then by its name in any case.
public enum AlbumLookup {
    /// - Parameter scope: Which photos of the album are meant: where no name is close, a person is sent to their list.
    /// - Throws: `.usage` with the IDs where several albums fit, `.notFound` with names that are close where none does.
    public static func find(
        _ text: String, among albums: [(id: AlbumID, name: String)], _ scope: PhotoLookup.Scope = .album
    ) throws(PotluckError) -> AlbumID {
        if let id = AlbumID(hex: text), albums.contains(where: { $0.id == id }) { return id }
        let folded = AlbumName.key(text)
        // Swift compares strings by canonical equivalence, so that NFC and NFD are one name.
        for matches in [
            albums.filter { $0.name == text },
            albums.filter { AlbumName.key($0.name) == folded },
        ] where !matches.isEmpty {
            guard matches.count == 1 else { throw ambiguous(text, matches) }
            return matches[0].id
        }
        throw unknown(text, among: albums.map(\.name), scope)
    }

    private static func ambiguous(_ text: String, _ matches: [(id: AlbumID, name: String)]) -> PotluckError {
        let choices = matches.sorted { $0.id < $1.id }.map { "\($0.id.hex) (\($0.name))" }.joined(separator: ", ")
        return PotluckError(.usage, "\(matches.count) albums are called “\(text)”; name one by its ID: \(choices).")
    }

    private static func unknown(_ text: String, among names: [String], _ scope: PhotoLookup.Scope) -> PotluckError {
        // An album of which all photos are gone is in no list of albums.
        let listing =
            switch scope {
            case .album: "`potluck albums` lists them."
            case .hidden: "`potluck hidden` lists hidden photos with their albums."
            case .trash: "`potluck trash` lists removed photos with their albums."
            case .leftOut: "`potluck left-out` lists photos that are left out, with their albums."
            }
        let advice = CloseNames.question(CloseNames.find(text, among: names)) ?? listing
        return PotluckError(.notFound, "There is no album called “\(text)”. \(advice)")
    }
}

/// Names that a mistyped one may stand for.
public enum CloseNames {
    /// At most this many are suggested.
    public static let countMax = 3
    /// Longer texts are not compared letter by letter: the work grows with the product of the lengths.
    private static let comparedLengthMax = 64

    /// The closest names first: those that contain `text` or begin like it, and those a few typing errors away.
    public static func find(_ text: String, among names: [String]) -> [String] {
        let wanted = Array(text.lowercased().prefix(comparedLengthMax))
        guard !wanted.isEmpty else { return [] }
        let scored = names.compactMap { name -> (name: String, distance: Int)? in
            let candidate = Array(name.lowercased().prefix(comparedLengthMax))
            if wanted.count >= 3, String(candidate).contains(String(wanted)) { return (name, 0) }
            let distance = editDistance(wanted, candidate)
            return distance <= max(1, wanted.count / 3) ? (name, distance) : nil
        }
        let sorted = scored.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return sorted.prefix(countMax).map(\.name)
    }

    /// `Did you mean “Beach day” or “Beach”?`; `nil` where none is close.
    package static func question(_ names: [String]) -> String? {
        let quoted = names.map { "“\($0)”" }
        guard let last = quoted.last else { return nil }
        let others = quoted.dropLast().joined(separator: ", ")
        return others.isEmpty ? "Did you mean \(last)?" : "Did you mean \(others) or \(last)?"
    }

    /// Insertions, deletions, replacements and swaps of neighbours that lead from one to the other.
    static func editDistance(_ left: [Character], _ right: [Character]) -> Int {
        var beforePrevious: [Int] = []
        var previous = Array(0...right.count)
        for (row, leftCharacter) in left.enumerated() {
            var current = [row + 1]
            for (column, rightCharacter) in right.enumerated() {
                var best = min(previous[column + 1], current[column]) + 1
                best = min(best, previous[column] + (leftCharacter == rightCharacter ? 0 : 1))
                if row > 0, column > 0, leftCharacter == right[column - 1], left[row - 1] == rightCharacter {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[right.count]
    }
}
