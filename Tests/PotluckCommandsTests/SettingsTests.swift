import Glibc
import Logging
import PotluckAPI
import PotluckAgent
import SyncEngine
import Testing

@testable import PotluckCommands

/// Which setting is in force.
@Suite struct SettingsTests {
    private func settings(
        _ flags: Settings.Flags = .init(), file: String? = nil, environment: [String: String] = [:],
        home chosen: String? = "/h"
    ) throws(PotluckError) -> Settings {
        let environment = environment.merging(["HOME": "/people/g"]) { first, _ in first }
        let console = TestConsole().console(isTerminal: false, environment: environment)
        let home = try HomeLocation(option: chosen, console: console)
        return try Settings(
            flags, file: SettingsFile(text: file ?? "", path: "/h/potluck.toml"), home: home, console: console)
    }

    /// Shows that a flag beats the environment, which beats the file, which beats what is built in.
    @Test func flagsBeatTheEnvironmentWhichBeatsTheFile() throws {
        let file = """
            device = "F"
            folder = "f"
            listen = "10.0.0.1:1"
            peers = ["10.0.0.2:2", "laptop.local:3"]
            discovery = false
            log_level = "debug"
            """
        let variables = [
            "POTLUCK_DEVICE": "E", "POTLUCK_FOLDER": "e", "POTLUCK_LISTEN": ":4", "POTLUCK_PEERS": "a:5, b:6",
            "POTLUCK_DISCOVERY": "yes", "POTLUCK_LOG_LEVEL": "error",
        ]
        let standard = try settings()
        #expect(standard.device == nil && standard.folder == "/h/Photos" && standard.listen == nil)
        #expect(standard.peers.isEmpty && standard.discovery && standard.logLevel == .notice)

        let fromFile = try settings(file: file)
        #expect(fromFile.device == "F" && fromFile.folder == "/h/f" && fromFile.listen?.port == 1)
        #expect(fromFile.peers.map(\.port) == [2, 3] && !fromFile.discovery && fromFile.logLevel == .debug)

        let fromEnvironment = try settings(file: file, environment: variables)
        #expect(fromEnvironment.device == "E" && fromEnvironment.folder == "/work dir/e")
        #expect(fromEnvironment.listen?.port == 4 && fromEnvironment.peers.map(\.host) == ["a", "b"])
        #expect(fromEnvironment.discovery && fromEnvironment.logLevel == .error)

        let flags = Settings.Flags(
            device: "A", folder: "a", listen: AddressText.listening(":7"), peers: [AddressText.peer("c:8")!],
            discovery: false, logLevel: .trace)
        let fromFlags = try settings(flags, file: file, environment: variables)
        #expect(fromFlags.device == "A" && fromFlags.folder == "/work dir/a" && fromFlags.listen?.port == 7)
        #expect(fromFlags.peers.map(\.host) == ["c"] && !fromFlags.discovery && fromFlags.logLevel == .trace)
    }

    /// Shows the same for the reserve of the disk and the limits, which a person writes as amounts.
    @Test func amountsAreSettings() throws {
        let standard = try settings()
        #expect(standard.reserve == .standard && standard.limits == TransferLimits())
        let file = "reserve = \"2 GB, 1%\"\nlimit_up = \"500 kB\"\nlimit_down = \"2 MB\""
        let fromFile = try settings(file: file)
        #expect(fromFile.reserve == DiskReserve(byteCount: 2_000_000_000, percent: 1))
        #expect(fromFile.limits == TransferLimits(up: 500_000, down: 2_000_000))
        let environment = ["POTLUCK_RESERVE": "0", "POTLUCK_LIMIT_UP": "1MB"]
        let fromFlags = try settings(.init(limitUp: 20_000), file: file, environment: environment)
        #expect(fromFlags.reserve == DiskReserve(byteCount: 0, percent: 0))
        #expect(fromFlags.limits == TransferLimits(up: 20_000, down: 2_000_000))
    }

    /// Shows that nobody reads figures unless a setting says where.
    @Test func monitorsHaveNoDoorUnlessItIsSet() throws {
        #expect(try settings().monitor == nil)
        #expect(try settings(file: #"monitor = "127.0.0.1:9469""#).monitor?.port == 9469)
        let everywhere = try settings(environment: ["POTLUCK_MONITOR": ":9470"]).monitor
        #expect(everywhere?.port == 9470 && everywhere?.host == "")
        let flag = AddressText.listening("10.0.0.5:1")
        #expect(try settings(.init(monitor: flag), environment: ["POTLUCK_MONITOR": ":9470"]).monitor == flag)
        #expect(throws: PotluckError.self) { try settings(file: #"monitor = "yes""#) }
    }

    /// Shows where the home and its folder are when nothing, the environment, or a flag names the home.
    @Test func theFolderFollowsTheHome() throws {
        let plain = try settings(home: nil)
        #expect(plain.folder == "/people/g/Pictures/Potluck")
        #expect(try settings(environment: ["POTLUCK_HOME": "/e"], home: nil).folder == "/e/Photos")
        #expect(try settings(environment: ["POTLUCK_HOME": "/e"], home: "x/../y").folder == "/work dir/y/Photos")
        #expect(try settings(file: #"folder = "~/Bilder""#, home: nil).folder == "/people/g/Bilder")
        let console = TestConsole().console(
            isTerminal: false, environment: ["HOME": "/people/g", "XDG_DATA_HOME": "/data"])
        #expect(try HomeLocation(option: nil, console: console).path == "/data/potluck")
    }

    /// Shows that every wrong setting is told with its place and what it must be, as a bad setting.
    @Test(arguments: [
        ("devise = \"x\"", "Did you mean `device`?"), ("colour = 1", "There are: device, folder"),
        ("discovery = \"maybe\"", "true or false"), ("discovery = 1", "true or false"),
        ("listen = 4711", "text in quotes"),
        ("listen = \"4711\"", "ADDRESS:PORT"), ("peers = \"10.0.0.1:1\"", "a list of texts"),
        ("peers = [\"laptop\"]", "HOST:PORT"), ("reserve = \"much\"", "a share such as 10%"),
        ("limit_up = \"1 kB\"", "at least 10 kB"), ("reserve = 5", "text in quotes"),
        ("log_level = \"loud\"", "notice"), ("folder = ", "line 1"), (#""a\u0000b" = 1"#, "no setting"),
    ])
    func wrongSettingsAreTold(file: String, part: String) {
        let error = #expect(throws: PotluckError.self) { try settings(file: file) }
        #expect(error?.status == .badSetting)
        #expect(error?.message.contains("/h/potluck.toml") == true)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    /// Shows that a wrong variable is told by its name.
    @Test func aWrongVariableIsTold() {
        let error = #expect(throws: PotluckError.self) { try settings(environment: ["POTLUCK_LISTEN": "x"]) }
        #expect(error?.message.contains("POTLUCK_LISTEN") == true)
    }

    /// Shows that the commented example sets nothing as it is, and is right in every line once its marks are gone.
    @Test func theExampleIsValid() throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/Config/potluck.toml"
        let descriptor = open(path, O_RDONLY)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        #expect(try SettingsFile(text: text, path: path).texts.isEmpty)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("# ") && $0 != "#" }
        let active = lines.map { $0.dropFirst() }.joined(separator: "\n")
        #expect(Set(try SettingsFile(text: active, path: path).texts.keys) == Set(SettingName.allCases))
        _ = try settings(file: active)
    }
}
