import Logging
import PotluckAPI
import PotluckAgent
import SyncEngine

/// What the agent is run with: a flag beats the environment, which beats the home's settings file.
struct Settings {
    /// This device's name for a new gathering; its host name where `nil`.
    var device: String?
    /// Absolute.
    var folder: String
    /// `nil`: all addresses, and the port that this home drew.
    var listen: PeerAddress?
    var peers: [PeerAddress]
    var discovery: Bool
    var reserve: DiskReserve
    var limits: TransferLimits
    /// How long removed photos stay in the trash, in days of running time.
    var trashDays: Int
    /// Whether photos that people put into the folder take their space once or twice.
    var space: SpaceUse
    /// Where anybody who reaches it reads `/healthz` and `/metrics`; nowhere where `nil`.
    var monitor: PeerAddress?
    var logLevel: Logger.Level

    /// Ten years.
    private static let trashDaysMax = 3650

    /// What the command line gave.
    struct Flags {
        var device: String?
        var folder: String?
        var listen: PeerAddress?
        var peers: [PeerAddress] = []
        var discovery: Bool?
        var reserve: DiskReserve?
        var limitUp: UInt64?
        var limitDown: UInt64?
        var monitor: PeerAddress?
        var logLevel: Logger.Level?
    }

    /// Reads the home's settings file.
    init(_ flags: Flags, home: HomeLocation, console: Console) throws(PotluckError) {
        try self.init(flags, file: SettingsFile(home: home.path), home: home, console: console)
    }

    init(_ flags: Flags, file: SettingsFile, home: HomeLocation, console: Console) throws(PotluckError) {
        let sources = Sources(file: file, environment: console.environment)
        device = try sources.value(.device, beatenBy: flags.device, Self.name)
        let chosenFolder = flags.folder.map { FilePaths.absolute($0, from: console.directory) }
        folder = try sources.folder(beatenBy: chosenFolder, console, home) ?? home.defaultFolder
        listen = try sources.value(.listen, beatenBy: flags.listen, AddressText.listening)
        peers = try flags.peers.isEmpty ? sources.values(.peers, AddressText.peer) : flags.peers
        discovery = try sources.value(.discovery, beatenBy: flags.discovery, Self.yesOrNo) ?? true
        reserve =
            try sources.value(.reserve, beatenBy: flags.reserve) { DiskReserve(parsing: $0) } ?? DiskReserve.standard
        limits = TransferLimits(
            up: try sources.value(.limitUp, beatenBy: flags.limitUp, Self.rate),
            down: try sources.value(.limitDown, beatenBy: flags.limitDown, Self.rate))
        trashDays = try sources.value(.trashDays, beatenBy: nil, Self.days) ?? AgentOptions.defaultTrashDays
        space = try sources.value(.space, beatenBy: nil, SpaceUse.init(rawValue:)) ?? .twice
        monitor = try sources.value(.monitor, beatenBy: flags.monitor, AddressText.listening)
        logLevel = try sources.value(.logLevel, beatenBy: flags.logLevel, Logger.Level.init(rawValue:)) ?? .notice
    }

    private static func name(_ text: String) -> String? {
        text.isEmpty ? nil : text
    }

    static func rate(_ text: String) -> UInt64? {
        guard case .rate(let rate)? = LimitWord(parsing: text) else { return nil }
        return rate
    }

    private static func days(_ text: String) -> Int? {
        Int(text).flatMap { (1...trashDaysMax).contains($0) ? $0 : nil }
    }

    private static func yesOrNo(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "on", "1": true
        case "no", "false", "off", "0": false
        default: nil
        }
    }
}

/// The settings file below the environment.
private struct Sources {
    var file: SettingsFile
    var environment: [String: String]

    /// The texts that are in force, and where they come from; `nil` where nothing is set.
    private func texts(_ name: SettingName) -> (texts: [String], source: String)? {
        if let text = environment[name.variable], !text.isEmpty {
            guard name == .peers else { return ([text], name.variable) }
            return (text.split { $0 == "," || $0 == " " }.map(String.init), name.variable)
        }
        return file.texts[name].map { ($0, "`\(name.rawValue)` in \(file.path)") }
    }

    func values<Value>(_ name: SettingName, _ parse: (String) -> Value?) throws(PotluckError) -> [Value] {
        guard let (texts, source) = texts(name) else { return [] }
        var values: [Value] = []
        for text in texts {
            guard let value = parse(text) else {
                throw PotluckError(.badSetting, "\(source) cannot be “\(text)”: it must be \(Self.expected(name)).")
            }
            values.append(value)
        }
        return values
    }

    /// - Parameter flag: What the command line gave, which beats both.
    func value<Value>(
        _ name: SettingName, beatenBy flag: Value?, _ parse: (String) -> Value?
    ) throws(PotluckError) -> Value? {
        if let flag { return flag }
        return try values(name, parse).first
    }

    /// `~/` is the person's home directory; other relative paths begin at the working directory in the environment,
    /// and at the home in its file.
    func folder(
        beatenBy flag: String?, _ console: Console, _ home: HomeLocation
    ) throws(PotluckError) -> String? {
        if let flag { return flag }
        guard let text = try values(.folder, { $0.isEmpty ? nil : $0 }).first else { return nil }
        if text == "~" || text.hasPrefix("~/") {
            return FilePaths.absolute(try FilePaths.personHome(environment) + text.dropFirst(), from: "/")
        }
        let isFromEnvironment = environment[SettingName.folder.variable]?.isEmpty == false
        return FilePaths.absolute(text, from: isFromEnvironment ? console.directory : home.path)
    }

    private static func expected(_ name: SettingName) -> String {
        switch name {
        case .device: "a name"
        case .folder: "the path of a directory"
        case .listen: "ADDRESS:PORT, like 0.0.0.0:4711, or :4711 for all addresses"
        case .monitor: "ADDRESS:PORT, like 127.0.0.1:9469, or :9469 for all addresses"
        case .peers: "HOST:PORT, like 192.168.1.20:4711"
        case .discovery: "true or false"
        case .reserve: "an amount such as 2 GB, a share such as 10%, or both with a comma between them"
        case .limitUp, .limitDown: "an amount a second of at least 10 kB, such as 500 kB or 2 MB"
        case .space: "once or twice"
        case .trashDays: "a number of days from 1 to 3650"
        case .logLevel: "one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))"
        }
    }
}
