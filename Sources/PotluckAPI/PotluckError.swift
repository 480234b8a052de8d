/// How a command ends, as `sysexits.h` numbers it.
public enum ExitStatus: Int32, Codable, Hashable, Sendable {
    case failed = 1
    case usage = 64
    case notFound = 66
    case notRunning = 69
    case tryAgain = 75
    case badSetting = 78
}

/// What a person is told when something cannot be done.
public struct PotluckError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    public var status: ExitStatus
    /// One or two sentences that say what is wrong and what to do.
    public var message: String

    public init(_ status: ExitStatus, _ message: String) {
        self.status = status
        self.message = message
    }

    public init(status: ExitStatus, message: String) {
        self.init(status, message)
    }

    public var description: String { message }

    /// Nobody listens at the agent's socket.
    public static let notRunning = PotluckError(.notRunning, "No agent runs in this home. Start it with `potluck up`.")
}
