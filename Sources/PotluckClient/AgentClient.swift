import FoundationEssentials
import NIOCore
import NIOHTTP1
public import PotluckAPI

/// Asks a running agent over its socket; each call is a connection of its own.
///
/// Every call throws a ``PotluckError``: what the agent answered, or `.notRunning` where nobody listens.
public struct AgentClient: Sendable {
    let path: String
    /// How long an agent may say nothing before an answer that is one document.
    var patience = ClientLimits.answerSilence

    /// - Parameter path: Of the agent's socket.
    public init(path: String) {
        self.path = path
    }

    /// - Throws: `.badSetting` where no socket can be had for this home.
    public init(home: String) throws(PotluckError) {
        path = try AgentSocket.path(home: home)
    }

    /// This client for questions that every agent answers soon: one that hangs is told after ten seconds.
    public var impatient: AgentClient {
        var client = self
        client.patience = ClientLimits.shortSilence
        return client
    }

    /// Sends a request and returns its answer.
    public func ask<Request: APIRequest>(_ request: Request) async throws -> Request.Answer {
        try await Connection.translatingErrors(path) {
            try ReportJSON.value(Request.Answer.self, from: try await document(request))
        }
    }

    /// Sends a request and returns its answer as the agent wrote it, which for thousands of photos is quicker to pass on
    /// than to read and to write again.
    public func text(_ request: some APIRequest) async throws -> String {
        try await Connection.translatingErrors(path) { ReportJSON.safeText(try await document(request)) }
    }

    /// Sends a request whose answer takes long.
    public func ask<Request: LongRequest>(
        _ request: Request, progress: (Request.Progress) async -> Void
    ) async throws -> Request.Answer {
        try await Connection.translatingErrors(path) {
            let form = try AgentRoutes.route(for: Request.self).form(request)
            var parser = ServerSentEventParser()
            return try await Connection.exchange(path, form, silence: ClientLimits.streamSilence) { bytes in
                for event in try parser.read(bytes.readableBytesView) {
                    let data = Data(event.data.utf8)
                    switch event.name {
                    case "progress": await progress(try ReportJSON.value(Request.Progress.self, from: data))
                    case "result": return try ReportJSON.value(Request.Answer.self, from: data)
                    case "error":
                        let content = try ReportJSON.value(ErrorDocument.Content.self, from: data)
                        throw PotluckError(ErrorDocument(content), httpStatus: 500)
                    // A later version may tell more.
                    default: break
                    }
                }
                return nil
            } end: {
                throw PotluckError.endedEarly
            }
        }
    }

    /// Sends a request whose answer takes long, and ignores its progress.
    public func ask<Request: LongRequest>(_ request: Request) async throws -> Request.Answer {
        try await ask(request) { _ in }
    }

    /// Hands over what happens from now on, until the agent ends; a connection that broke is made again, and goes on
    /// where it was.
    public func events(_ body: (EventRecord) async throws -> Void) async throws {
        let form = try AgentRoutes.route(for: EventsRequest.self).form(EventsRequest())
        var place: String?
        while true {
            let before = place
            do {
                return try await Connection.translatingErrors(path) {
                    let headers = before.map { [("last-event-id", $0)] } ?? []
                    var parser = ServerSentEventParser()
                    try await Connection.exchange(path, form, headers, silence: ClientLimits.streamSilence) { bytes in
                        for event in try parser.read(bytes.readableBytesView) {
                            place = event.id ?? place
                            // What was missed cannot be told; what follows can.
                            if event.name == "afresh" { continue }
                            try await body(try ReportJSON.value(EventRecord.self, from: Data(event.data.utf8)))
                        }
                        place = parser.lastID ?? place
                        return nil
                    } end: {
                        ()
                    }
                }
            } catch let error as PotluckError where error == .endedEarly && place != before {
                // A break, or the agent's end: the next attempt tells.
            } catch let error as PotluckError where error == .endedEarly {
                return
            } catch let error as PotluckError where error.status == .notRunning && before != nil {
                return
            }
        }
    }

    /// Ends the agent and returns when it is gone.
    public func down() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask {
                do {
                    _ = try await document(DownRequest())
                } catch let error as PotluckError where error == .endedEarly {
                    // The connection's end, clean or not, is the agent's.
                }
            }
            group.addTask {
                try await Task.sleep(for: ClientLimits.stopPatience)
                throw PotluckError(
                    .tryAgain, "The agent is still stopping after \(ClientLimits.stopPatience); try again.")
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// The bytes of an answer that is one document.
    private func document(_ request: some APIRequest) async throws -> Data {
        try await Connection.translatingErrors(path) {
            let form = try Self.form(request)
            var data = Data()
            return try await Connection.exchange(path, form, silence: patience) { bytes in
                guard data.count + bytes.readableBytes <= APILimits.answerByteCountMax else {
                    throw PotluckError.notUnderstood
                }
                data.append(contentsOf: bytes.readableBytesView)
                return nil
            } end: {
                data
            }
        }
    }

    private static func form<Request: APIRequest>(_ request: Request) throws -> HTTPForm {
        try AgentRoutes.route(for: Request.self).form(request)
    }
}

/// What bounds the client's patience.
enum ClientLimits {
    /// The most time in which an agent says nothing that works on an answer: `confirm` waits 20 s until a folder is
    /// looked through, and deleting a trash of 100,000 photos from a slow disk takes minutes.
    static let answerSilence = TimeAmount.minutes(10)
    /// The same for questions of which each is answered at once, also in a gathering of 100,000 photos.
    static let shortSilence = TimeAmount.seconds(10)
    /// A stream has a line every ``APILimits/stillHereSeconds``.
    static let streamSilence = TimeAmount.seconds(4 * Int64(APILimits.stillHereSeconds))
    /// How long `down` waits for the agent's end.
    static let stopPatience = Duration.seconds(30)
}

extension PotluckError {
    static let notUnderstood = PotluckError(
        .failed, "The agent's answer is not understood. Stop it and start it again if Potluck has been updated.")

    static let tooMany = PotluckError(.tryAgain, "Too many commands ask the agent at once; try again.")

    /// The connection ended before the answer did, as it does where the agent ends or begins anew.
    public static let endedEarly = PotluckError(.tryAgain, "The agent ended before it answered; try again.")
}
