import AlbumModel
import DiskIO
import FoundationEssentials
import PotluckAPI

/// `potluck-backup.json`: what a backup is of, and which journal goes with its photos.
public struct BackupManifest: Codable, Hashable, Sendable {
    public static let fileName = "potluck-backup.json"
    static let formatMax = 1
    private static let byteCountMax = 1 << 20
    /// More blobs than a disk holds.
    private static let fileCountMax = 1 << 40

    /// Counts up when older versions could not restore it.
    var format = BackupManifest.formatMax
    /// Of the gathering, as DNS-SD shows it.
    var tag: String
    /// `null` where it was not known.
    @ExplicitNull var gathering: String?
    /// The device that it is a backup of, in hexadecimal digits.
    var device: String
    var deviceName: String
    /// When the journal was copied; `null` until the first backup is complete.
    @ExplicitNull var made: Instant?
    @ExplicitNull var journal: Journal?
    /// Blobs that the journal's albums had here, and their bytes.
    var files = 0
    var bytes: UInt64 = 0
    var settings = false

    /// A backup that is begun.
    init(tag: String, device: String, deviceName: String) {
        self.tag = tag
        self.device = device
        self.deviceName = deviceName
    }

    struct Journal: Codable, Hashable, Sendable {
        /// A backup has its journals under these in turn.
        static let fileNames = ["journal-1.sqlite", "journal-2.sqlite"]

        /// The file's name beside this one.
        var file: String
        var sha256: String
        /// The file's size; older versions do not say it.
        var bytes: UInt64?

        var isPlausible: Bool {
            Self.fileNames.contains(file) && Hexadecimal.bytes(sha256)?.count == 32
        }
    }

    enum CodingKeys: String, CodingKey {
        case format, tag, gathering, device, made, journal, files, bytes, settings
        case deviceName = "device_name"
    }

    /// Whether there is a backup in a directory, complete or not. One that nobody can look at counts as there: reading it
    /// says what is wrong, and nothing is written over it.
    public static func isPresent(in directory: String) -> Bool {
        PathPresence(of: directory + "/" + fileName) != .absent
    }

    /// Reads the list as whatever it is: nothing in it is believed that could not be written there.
    ///
    /// - Returns: `nil` where there is none.
    static func read(in directory: OpenDirectory) throws -> BackupManifest? {
        guard let file = try directory.file(fileName) else { return nil }
        let data = Data(try file.bytes(atMost: byteCountMax))
        struct Version: Decodable { var format: Int }
        guard let version = try? JSONDecoder().decode(Version.self, from: data), version.format > 0 else {
            throw damaged(file)
        }
        guard version.format <= formatMax else {
            throw PotluckError(
                .failed, "The backup in \(directory.path) was made by a later version of Potluck: update this one.")
        }
        guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data), manifest.isPlausible else {
            throw damaged(file)
        }
        return manifest
    }

    private var isPlausible: Bool {
        (0...Self.fileCountMax).contains(files) && journal?.isPlausible ?? true
    }

    private static func damaged(_ file: OpenFile) -> PotluckError {
        PotluckError(
            .failed,
            "\(file.path) is damaged: it does not say what is in this backup. Nothing was changed; use another backup, or another directory."
        )
    }

    func write(in directory: OpenDirectory) throws {
        let text = try ReportJSON.text(self) + "\n"
        try directory.write(Array(text.utf8), as: Self.fileName, mode: 0o600)
    }
}
