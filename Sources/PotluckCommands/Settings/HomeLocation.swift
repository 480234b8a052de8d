import Glibc
import PotluckAPI
import PotluckAgent

/// The home that a command works on, and the folder that goes with it.
struct HomeLocation: Hashable {
    /// Absolute.
    var path: String
    /// Where the folder is unless a setting says otherwise, absolute.
    var defaultFolder: String

    /// `--home` beats `POTLUCK_HOME`, which beats `$XDG_DATA_HOME/potluck`.
    init(option: String?, console: Console) throws(PotluckError) {
        let environment = console.environment
        if let chosen = option ?? environment[SettingName.homeVariable].flatMap({ $0.isEmpty ? nil : $0 }) {
            guard !chosen.isEmpty else { throw PotluckError(.usage, "--home needs the path of a directory.") }
            path = FilePaths.absolute(chosen, from: console.directory)
            defaultFolder = path + "/Photos"
            return
        }
        let person = try FilePaths.personHome(environment)
        // The XDG Base Directory Specification: a relative path there is invalid and ignored.
        let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? person + "/.local/share"
        path = FilePaths.absolute(data + "/potluck", from: "/")
        defaultFolder = person + "/Pictures/Potluck"
    }

    /// What a person is told whose home has no gathering.
    var noGathering: PotluckError { HomeSetup.noGathering(home: path) }
}

/// Paths as text; nothing here looks at the disk.
enum FilePaths {
    /// Without `.`, `..` and doubled slashes.
    static func absolute(_ path: String, from directory: String) -> String {
        var parts: [Substring] = []
        for part in (path.hasPrefix("/") ? path : directory + "/" + path).split(separator: "/") {
            switch part {
            case ".": break
            case "..": _ = parts.popLast()
            default: parts.append(part)
            }
        }
        return "/" + parts.joined(separator: "/")
    }

    /// The person's home directory.
    static func personHome(_ environment: [String: String]) throws(PotluckError) -> String {
        if let home = environment["HOME"], home.hasPrefix("/") { return home }
        guard let entry = getpwuid(getuid()), let directory = entry.pointee.pw_dir else {
            throw PotluckError(
                .badSetting, "Your home directory is not known: set HOME, or name a home with --home DIR.")
        }
        return String(cString: directory)
    }
}
