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
        live.write(Self.line(event.level, Self.sentence("\(event.message)", all)))
    }

    /// `message (key: value, …)`, safe for a terminal.
    static func sentence(_ message: String, _ metadata: Logger.Metadata) -> String {
        let details = metadata.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        return PrintableText.line(message + (details.isEmpty ? "" : " (\(details))"))
    }

    static func line(_ level: Logger.Level, _ sentence: String) -> String { "\(level): \(sentence)\n" }
}
