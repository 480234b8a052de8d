import DiskIO
import FoundationEssentials
import Glibc

/// `potluck-backup.json`: what a backup is of, and which journal goes with its photos.
public struct BackupManifest: Codable, Hashable, Sendable {
    public static let fileName = "potluck-backup.json"
    static let formatMax = 1
    private static let byteCountMax = 1 << 20

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
        /// The file's name beside this one.
        var file: String
        var sha256: String
    }

    enum CodingKeys: String, CodingKey {
        case format, tag, gathering, device, made, journal, files, bytes, settings
        case deviceName = "device_name"
    }

    /// Whether there is a backup in a directory, complete or not. One that nobody can look at counts as there: reading it
    /// says what is wrong, and nothing is written over it.
    public static func isPresent(in directory: String) -> Bool {
        PathPresence(of: directory + "/" + fileName, followsLink: true) != .absent
    }

    /// - Returns: `nil` where there is none.
    static func read(in directory: String) throws(PotluckError) -> BackupManifest? {
        let path = directory + "/" + fileName
        guard isPresent(in: directory) else { return nil }
        guard let data = FileManager.default.contents(atPath: path), data.count <= byteCountMax else {
            throw PotluckError(.failed, "\(path) cannot be read.")
        }
        struct Version: Decodable { var format: Int }
        do {
            let version = try JSONDecoder().decode(Version.self, from: data)
            guard version.format <= formatMax else {
                throw PotluckError(
                    .failed, "The backup in \(directory) was made by a later version of Potluck: update this one.")
            }
            return try JSONDecoder().decode(BackupManifest.self, from: data)
        } catch let error as PotluckError {
            throw error
        } catch {
            throw PotluckError(.failed, "\(path) is damaged: it does not say what is in this backup.")
        }
    }

    func write(in directory: String) throws(PotluckError) {
        do {
            let text = try ReportJSON.text(self) + "\n"
            try WholeFile.write(Array(text.utf8), to: directory + "/" + Self.fileName, mode: 0o600)
        } catch let error as PotluckError {
            throw error
        } catch {
            throw PotluckError(.failed, "The backup's list cannot be written: \(error)")
        }
    }
}
