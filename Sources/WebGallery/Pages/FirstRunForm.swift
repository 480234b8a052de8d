/// What a person answers on a laptop that has no gathering yet.
public struct FirstRunForm: Hashable, Sendable {
    public enum Way: Hashable, Sendable {
        case start
        /// - Parameter comesByLink: Whether a link brought the phrase; any web page can open one.
        case join(comesByLink: Bool)
    }

    public var way: Way
    /// The name of a gathering that is started.
    public var gathering: String
    /// The invite phrase of one that is joined, or its link.
    public var phrase: String
    /// This laptop's name.
    public var laptop: String
    /// The path of the folder for the photos, as it was typed.
    public var folder: String

    public init(_ way: Way, gathering: String = "", phrase: String = "", laptop: String, folder: String) {
        self.way = way
        self.gathering = gathering
        self.phrase = phrase
        self.laptop = laptop
        self.folder = folder
    }
}
