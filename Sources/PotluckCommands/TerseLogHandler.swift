import Logging

/// `warning: message (key: value, …)` on standard error.
struct TerseLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    let live: LiveLine

    static func logger(level: Logger.Level, live: LiveLine) -> Logger {
        Logger(label: "potluck") { _ in TerseLogHandler(logLevel: level, live: live) }
    }

    init(logLevel: Logger.Level, live: LiveLine) {
        self.logLevel = logLevel
        self.live = live
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let details = all.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        let suffix = details.isEmpty ? "" : " (\(details))"
        live.write(PrintableText.line("\(event.level): \(event.message)\(suffix)") + "\n")
    }
}
