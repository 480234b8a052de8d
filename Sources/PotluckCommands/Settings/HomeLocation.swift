import Glibc
import PotluckAPI
import PotluckAgent

/// The home that a command works on, and the folder that goes with it.
struct HomeLocation: Hashable {
    /// Absolute.
    var path: String
    /// Where the folder is unless a setting says otherwise, absolute.
    var defaultFolder: String

    /// `--home` beats `POTLUCK_HOME`, which beats the home that was chosen (``KnownHomes``), which beats
    /// `$XDG_DATA_HOME/potluck`.
    ///
    /// - Parameter followsChoice: Whether the home that was chosen counts.
    init(option: String?, followsChoice: Bool = true, console: Console) throws(PotluckError) {
        let environment = console.environment
        if let chosen = option ?? environment[SettingName.homeVariable].flatMap({ $0.isEmpty ? nil : $0 }) {
            guard !chosen.isEmpty else { throw PotluckError(.usage, "--home needs the path of a directory.") }
            self.init(named: FilePaths.absolute(chosen, from: console.directory))
            return
        }
        if followsChoice, let chosen = try KnownHomes(directory: Self.dataDirectory(environment)).chosen {
            try self.init(known: chosen, environment)
        } else {
            try self.init(standard: environment)
        }
    }

    private init(named path: String) {
        self.path = path
        defaultFolder = path + "/Photos"
    }

    /// The one that a person has who names none.
    init(standard environment: [String: String]) throws(PotluckError) {
        path = FilePaths.absolute(try Self.dataDirectory(environment) + "/potluck", from: "/")
        defaultFolder = try FilePaths.personHome(environment) + "/Pictures/Potluck"
    }

    /// One of the homes that a person has.
    init(known path: String, _ environment: [String: String]) throws(PotluckError) {
        let standard = try HomeLocation(standard: environment)
        self = FilePaths.isSame(path, standard.path) ? standard : HomeLocation(named: path)
    }

    /// Where programs keep what is a person's own: the XDG Base Directory Specification, by which a relative path is
    /// invalid and ignored.
    static func dataDirectory(_ environment: [String: String]) throws(PotluckError) -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data }
        return try FilePaths.personHome(environment) + "/.local/share"
    }

    /// What a person is told whose home has no gathering.
    var noGathering: PotluckError { HomeSetup.noGathering(home: path) }
}

/// Paths as text.
enum FilePaths {
    /// Whether both lead to one place, over links as well. Blocks.
    static func isSame(_ left: String, _ right: String) -> Bool {
        if left == right { return true }
        guard let left = realpath(left, nil) else { return false }
        defer { free(left) }
        guard let right = realpath(right, nil) else { return false }
        defer { free(right) }
        return strcmp(left, right) == 0
    }

    /// As one word of a shell, for people who copy it.
    static func quoted(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isPlain ? path : "'" + path.replacing("'", with: "'\\''") + "'"
    }

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
