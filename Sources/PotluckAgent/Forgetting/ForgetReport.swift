public import PotluckAPI

/// What `potluck gatherings forget` prints, before a home is deleted and afterwards.
public struct ForgetReport: Codable, Hashable, Sendable {
    /// The home, absolute.
    public var home: String
    @ExplicitNull public var gathering: String?
    /// By which the gathering is joined again, as a new laptop.
    public var phrase: String
    /// Where photos are as files, which stay; `null` where no agent ran yet.
    @ExplicitNull public var folder: String?
    /// Files of the home that the folder has as well, byte for byte.
    public var inFolder: StatusReport.Amount
    /// All others but small pictures, which are moved into ``keptIn``.
    public var kept: StatusReport.Amount
    public var keptIn: String
    /// What is left in the home, since it is not Potluck's; `null` before it is deleted.
    @ExplicitNull public var remaining: [String]?

    init(
        home: String, phrase: String, inFolder: StatusReport.Amount, kept: StatusReport.Amount, keptIn: String
    ) {
        (self.home, self.phrase, self.inFolder, self.kept, self.keptIn) = (home, phrase, inFolder, kept, keptIn)
    }

    enum CodingKeys: String, CodingKey {
        case home, gathering, phrase, folder, kept, remaining
        case inFolder = "in_folder"
        case keptIn = "kept_in"
    }
}
