/// What is wrong at the moment, each kind once.
struct ProblemBoard {
    enum Kind: Int, Hashable, Comparable, CaseIterable {
        case discovery
        /// The folder itself: it is not there, or may not be used yet.
        case folder
        /// A photo cannot become a file; while the folder is not there that is the reason.
        case placing
        case watchLimit
        /// Parts of the folder that cannot be looked at.
        case folderParts
        case storage
        case index
        /// What cannot be read of photos on this laptop.
        case media
        case stranger
        /// Members use another phrase than is known here, or nobody new gets in.
        case phrase
        /// Other laptops say that the phrase that is known here holds no longer.
        case phraseNews
        /// What was typed as the new phrase is none.
        case joining
        /// A laptop that takes part no longer until it is updated.
        case earlierVersion
        /// Another agent uses this home's key.
        case home
        case lostBlobs
        /// What the weekly look at all photos could not read.
        case upkeep
        /// What could not be read for others, or of a photo, and cannot still.
        case unreadBlobs
        /// The disk is nearly full.
        case room
        /// Files that wait for a person's word.
        case brake
        case trash

        static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
    }

    private var sentences: [Kind: String] = [:]

    /// `nil` says that it is over.
    /// - Returns: whether this is news.
    @discardableResult
    mutating func set(_ kind: Kind, _ sentence: String?) -> Bool {
        guard sentences[kind] != sentence else { return false }
        sentences[kind] = sentence
        return true
    }

    /// What people are told, in order.
    var told: [(kind: Kind, sentence: String)] {
        let told = sentences.filter { $0.key != .placing || sentences[.folder] == nil }
        return told.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    var all: [String] { told.map(\.sentence) }
}
