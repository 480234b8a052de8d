import Logging

/// Messages for journald, with metadata as fields; as lines on standard error, which journald reads too, where it takes no
/// datagrams.
struct JournalLogHandler: LogHandler {
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?
    let socket: JournalSocket
    let live: LiveLine

    init(logLevel: Logger.Level, socket: JournalSocket, live: LiveLine) {
        self.logLevel = logLevel
        self.socket = socket
        self.live = live
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        let message = TerseLogHandler.sentence("\(event.message)", all)
        var outcome = socket.send(JournalEntry(level: event.level, message: message, metadata: all).bytes)
        if outcome == .tooLong {
            outcome = socket.send(
                JournalEntry(level: event.level, message: message, metadata: all, limits: .short).bytes)
        }
        if outcome != .sent { live.write(TerseLogHandler.line(event.level, message)) }
    }
}

extension Console {
    /// Writes to journald where that reads standard error, else to standard error alone.
    func logger(level: Logger.Level) -> Logger {
        guard let journal else { return TerseLogHandler.logger(level: level, live: live) }
        return Logger(label: JournalEntry.identifier) { _ in
            JournalLogHandler(logLevel: level, socket: journal, live: live)
        }
    }
}
