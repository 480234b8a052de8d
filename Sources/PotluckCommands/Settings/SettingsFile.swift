import DiskIO
import FoundationEssentials
import PotluckAPI
import TOMLKit

/// `potluck.toml` in the home, as text; what the texts mean is for ``Settings`` to say.
struct SettingsFile {
    static let name = "potluck.toml"
    /// Far more than the commented example has.
    private static let byteCountMax = 64 << 10

    private(set) var texts: [SettingName: [String]] = [:]
    let path: String

    /// An absent file sets nothing.
    init(home: String) throws(PotluckError) {
        let path = home + "/" + Self.name
        // One that nobody can look at is not taken for none: the folder could be another one by that.
        guard PathPresence(of: path, followsLink: true) != .absent else {
            try self.init(text: "", path: path)
            return
        }
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.byteCountMax else {
            throw PotluckError(.badSetting, "The settings file \(path) cannot be read, or is over 64 KiB.")
        }
        try self.init(text: String(decoding: data, as: UTF8.self), path: path)
    }

    init(text: String, path: String) throws(PotluckError) {
        self.path = path
        let table = try Self.table(text, path)
        for key in table.keys {
            // A key that holds a zero byte ends there for TOMLKit, which finds no value by what is left of it.
            guard let name = SettingName(rawValue: key), let value = table[key] else {
                throw PotluckError(.badSetting, "\(path): there is no setting `\(key)`. \(Self.advice(key))")
            }
            texts[name] = try Self.texts(value, name, path)
        }
    }

    /// Also where nobody can look.
    static func exists(home: String) -> Bool {
        PathPresence(of: home + "/" + name, followsLink: false) != .absent
    }

    private static func table(_ text: String, _ path: String) throws(PotluckError) -> TOMLTable {
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let place = "line \(error.source.begin.line), column \(error.source.begin.column)"
            throw PotluckError(.badSetting, "\(path), \(place): \(error.description).")
        } catch {
            throw PotluckError(.badSetting, "\(path) is no TOML file: \(error).")
        }
    }

    private static func texts(
        _ value: any TOMLValueConvertible, _ name: SettingName, _ path: String
    ) throws(PotluckError) -> [String] {
        let isArray = name == .peers
        if !isArray, let text = value.string { return [text] }
        if name == .discovery, let flag = value.bool { return [flag ? "yes" : "no"] }
        if name == .trashDays, let number = value.int { return ["\(number)"] }
        if isArray, let array = value.array {
            let items = array.compactMap(\.string)
            if items.count == array.count { return items }
        }
        let expected =
            switch name {
            case .peers: "a list of texts, like [\"192.168.1.20:4711\"]"
            case .discovery: "true or false"
            case .trashDays: "a number, like 30"
            default: "text in quotes"
            }
        throw PotluckError(.badSetting, "\(path): `\(name.rawValue)` must be \(expected).")
    }

    private static func advice(_ key: String) -> String {
        let names = SettingName.allCases.map(\.rawValue)
        if let close = CloseNames.find(key, among: names).first { return "Did you mean `\(close)`?" }
        return "There are: \(names.joined(separator: ", "))."
    }
}
