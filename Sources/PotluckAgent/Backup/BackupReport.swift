public import PotluckAPI

/// What `potluck backup` and the restoring of one print.
public struct BackupReport: Codable, Hashable, Sendable {
    /// The backup's directory.
    public var directory: String
    /// The home that it is of, or that was made of it.
    public var home: String
    @ExplicitNull public var gathering: String?
    /// Photos and small pictures, with their bytes, that are in the target now.
    public var files: Int
    public var bytes: UInt64
    /// How many of them were copied this time; the others were there before.
    public var copied: Int
    /// Those that could not be copied.
    public var missing: [Missing]
    /// Files in a backup that this home has no longer; they stay.
    public var kept: Int
    /// When the journal was copied.
    @ExplicitNull public var made: Instant?
    /// Where the settings of a backup are that a home was made of: they are not in use.
    @ExplicitNull public var settings: String?

    public init(
        directory: String, home: String, gathering: String?, files: Int, bytes: UInt64, copied: Int,
        missing: [Missing], kept: Int, made: Instant?, settings: String? = nil
    ) {
        self.directory = directory
        self.home = home
        self.gathering = gathering
        self.files = files
        self.bytes = bytes
        self.copied = copied
        self.missing = missing
        self.kept = kept
        self.made = made
        self.settings = settings
    }

    public struct Missing: Codable, Hashable, Sendable {
        /// SHA-256 of the file, in hexadecimal digits.
        public var id: String
        /// Why, as a sentence.
        public var reason: String

        public init(id: String, reason: String) {
            self.id = id
            self.reason = reason
        }
    }
}
