import DiskIO
import FoundationEssentials
import PotluckAPI
import TOMLKit

/// The folder in a home's `potluck.toml`, to be changed; all else in the file stays as a person wrote it.
struct FolderSetting: Sendable {
    private static let key = SettingName.folder.rawValue

    private let home: String
    /// The line of the file.
    private let setting: String
    private let text: String

    /// Changes nothing yet.
    ///
    /// - Throws: where the file is not one that can be changed safely.
    init(_ folder: String, home: String) throws(PotluckError) {
        self.home = home
        let path = home + "/" + SettingsFile.name
        let current = try SettingsFile(home: home)
        var former = ""
        if SettingsFile.exists(home: home) {
            // A link is a person's own way of keeping settings.
            guard let isFile = try? FileStat(path: path).isRegularFile, isFile,
                let data = FileManager.default.contents(atPath: path)
            else { throw Self.refusal(path) }
            former = String(decoding: data, as: UTF8.self)
        }
        setting = TOMLTable([Self.key: folder]).convert()
        text = Self.text(former, setting)
        // What a person wrote in a way that is not foreseen here is theirs to change.
        var expected = current.texts
        expected[.folder] = [folder]
        guard let changed = try? SettingsFile(text: text, path: path), changed.texts == expected else {
            throw Self.refusal(path)
        }
    }

    private static func refusal(_ path: String) -> PotluckError {
        PotluckError(.badSetting, "The folder stands in \(path): move it, and change that.")
    }

    private static func text(_ former: String, _ setting: String) -> String {
        var lines = former.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        if let line = lines.firstIndex(where: isFolder) {
            lines[line] = setting
            return lines.joined(separator: "\n")
        }
        return setting + "\n" + former
    }

    private static func isFolder(_ line: String) -> Bool {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "=" })
        return words.first.map { $0 == key || $0 == "\"\(key)\"" } == true && line.contains("=")
    }

    /// Writes the file, durably, as a whole.
    func write() throws(PotluckError) {
        do throws(FileError) {
            let directory = try OpenDirectory(path: home)
            try directory.write(Array(text.utf8), as: SettingsFile.name, mode: 0o600)
        } catch {
            throw PotluckError(
                .failed,
                "\(home)/\(SettingsFile.name) cannot be written, which is to name the folder: \(error.causeText). Have it say: "
                    + setting)
        }
    }
}
