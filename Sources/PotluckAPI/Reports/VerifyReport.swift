/// How `potluck verify` looks.
public struct VerifyOrder: Codable, Hashable, Sendable {
    /// Mend what can be mended.
    public var repair: Bool
    /// Begin with the first file, even where an earlier look was stopped halfway.
    public var restart: Bool

    public init(repair: Bool, restart: Bool) {
        self.repair = repair
        self.restart = restart
    }
}

/// How far `potluck verify` is with reading files.
public struct VerifyProgress: Codable, Hashable, Sendable {
    public var files: Int
    public var fileTotal: Int
    public var bytes: UInt64
    public var byteTotal: UInt64

    public init(files: Int, fileTotal: Int, bytes: UInt64, byteTotal: UInt64) {
        self.files = files
        self.fileTotal = fileTotal
        self.bytes = bytes
        self.byteTotal = byteTotal
    }

    private enum CodingKeys: String, CodingKey {
        case files, bytes
        case fileTotal = "file_total"
        case byteTotal = "byte_total"
    }
}

/// What `potluck verify` prints.
public struct VerifyReport: Codable, Hashable, Sendable {
    /// In the order of the parts: journal, index, store, folder.
    public var findings: [Finding]
    /// Batches of the journal whose hash and signature were checked.
    public var batches: Int
    /// Files of the store that were read and hashed, those before an interruption included.
    public var files: Int
    public var bytes: UInt64
    /// Files of the folder that were looked at; their bytes were not read.
    public var folderFiles: Int
    /// Of `files`, those that an earlier look had read, which was stopped.
    public var resumed: Int
    /// Photos and small pictures in the store that no album needs any longer.
    public var unneeded: StatusReport.Amount
    /// Files that were set aside at some time, in `quarantine/` of the home.
    public var quarantine: Quarantine

    public init(
        findings: [Finding] = [], batches: Int = 0, files: Int = 0, bytes: UInt64 = 0, folderFiles: Int = 0,
        resumed: Int = 0, unneeded: StatusReport.Amount = .init(photos: 0, bytes: 0),
        quarantine: Quarantine = Quarantine(files: 0, bytes: 0)
    ) {
        self.findings = findings
        self.batches = batches
        self.files = files
        self.bytes = bytes
        self.folderFiles = folderFiles
        self.resumed = resumed
        self.unneeded = unneeded
        self.quarantine = quarantine
    }

    enum CodingKeys: String, CodingKey {
        case findings, batches, files, bytes, resumed, unneeded, quarantine
        case folderFiles = "folder_files"
    }

    public struct Quarantine: Codable, Hashable, Sendable {
        public var files: Int
        public var bytes: UInt64

        public init(files: Int, bytes: UInt64) {
            self.files = files
            self.bytes = bytes
        }
    }

    public struct Finding: Codable, Hashable, Sendable {
        public var kind: Kind
        /// SHA-256 of the photo that it is about.
        @ExplicitNull public var photo: String?
        /// The album that shows it, or that would.
        @ExplicitNull public var album: String?
        /// The photo's name, or a path.
        @ExplicitNull public var name: String?
        /// What is wrong, as a sentence.
        public var message: String
        /// What was done about it, or what a person can do, as a sentence.
        public var remedy: String
        /// It is mended, or mends itself from here on.
        public var mended: Bool

        public init(
            _ kind: Kind, photo: String? = nil, album: String? = nil, name: String? = nil, message: String,
            remedy: String, mended: Bool = false
        ) {
            self.kind = kind
            self.photo = photo
            self.album = album
            self.name = name
            self.message = message
            self.remedy = remedy
            self.mended = mended
        }
    }

    public enum Kind: String, Codable, Hashable, Sendable, CaseIterable {
        case journalDamaged = "journal.damaged"
        case batchWrong = "batch.wrong"
        case indexDamaged = "index.damaged"
        case indexStale = "index.stale"
        case photoDamaged = "photo.damaged"
        case photoUnreadable = "photo.unreadable"
        case photoLost = "photo.lost"
        case storeStray = "store.stray"
        case folderUnavailable = "folder.unavailable"
        case fileMissing = "file.missing"
        case fileUnreadable = "file.unreadable"
        case fileChanged = "file.changed"
    }
}
