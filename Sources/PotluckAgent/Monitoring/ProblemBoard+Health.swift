import PotluckAPI

extension ProblemBoard.Kind {
    /// What programs call it.
    var word: String {
        switch self {
        case .discovery: "discovery"
        case .folder: "folder"
        case .placing: "placing"
        case .watchLimit: "watch_limit"
        case .folderParts: "folder_parts"
        case .storage: "storage"
        case .index: "index"
        case .media: "media"
        case .stranger: "stranger"
        case .phrase: "phrase"
        case .phraseNews: "phrase_news"
        case .joining: "foreign_phrase"
        case .earlierVersion: "earlier_version"
        case .home: "home"
        case .lostBlobs: "lost_photos"
        case .upkeep: "upkeep"
        case .unreadBlobs: "unread_photos"
        case .room: "room"
        case .brake: "awaiting_decision"
        case .trash: "trash"
        }
    }

    /// For monitors that may be strangers: nothing of a person's names, paths and photos.
    var summary: String {
        switch self {
        case .discovery: "Other laptops cannot be looked for."
        case .folder: "The folder cannot be used."
        case .placing: "Some photos cannot be put into the folder."
        case .watchLimit: "The system allows too few watches of directories."
        case .folderParts: "Parts of the folder cannot be looked at."
        case .storage: "Changes cannot be stored."
        case .index: "The index cannot be written."
        case .media: "Some photos and films cannot be read here."
        case .phrase: "The invite phrase has changed."
        case .phraseNews: "Another laptop says that the invite phrase has changed."
        case .joining: "The phrase that was typed in is another gathering's."
        case .earlierVersion: "A laptop runs an earlier version."
        case .stranger: "Something else answers where a laptop was."
        case .home: "The home was copied or restored."
        case .lostBlobs: "Photos that were here are gone or damaged."
        case .upkeep: "Some photos could not be checked."
        case .unreadBlobs: "The disk does not give some photos back."
        case .room: "The disk is nearly full."
        case .brake: "Files wait for a decision."
        case .trash: "The trash cannot be emptied."
        }
    }
}

extension HealthReport {
    /// What a disk that takes no writes is called.
    private static let diskWord = "disk"

    /// - Parameter diskFailure: Why the home's disk takes no writes; `nil` where it does.
    init(_ board: ProblemBoard, diskFailure: String?) {
        var problems = board.told.map { kind, sentence in
            Problem(kind: kind.word, summary: kind.summary, sentence: sentence)
        }
        if let diskFailure {
            problems.append(
                Problem(
                    kind: Self.diskWord, summary: "The disk takes no writes.",
                    sentence: "The disk of the home takes no writes: \(diskFailure)"))
        }
        self.init(problems: problems, kinds: ProblemBoard.Kind.allCases.map(\.word) + [Self.diskWord])
    }
}
