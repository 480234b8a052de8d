/// What can be set in the settings file and the environment; the raw value is the file's key.
enum SettingName: String, CaseIterable {
    case device
    case folder
    case listen
    case peers
    case discovery
    case reserve
    case limitUp = "limit_up"
    case limitDown = "limit_down"
    case trashDays = "trash_days"
    case space
    case monitor
    case logLevel = "log_level"

    /// The environment's variable.
    var variable: String { "POTLUCK_" + rawValue.uppercased() }

    static let homeVariable = "POTLUCK_HOME"
}
