import Hummingbird
import HummingbirdCore
import NIOCore
import Synchronization

/// Answers that may be long, while they are sent: each ends when its visitor's session does, or when something else holds
/// for that visitor, as event streams do. What was cut off cannot be taken for whole, and goes on for whoever may have it.
///
/// The doors' connections bound how many there are.
final class Downloads: Sendable {
    /// Nobody lets this visitor in any more, or not to the same things.
    struct SessionEnded: Error {}

    private struct Running {
        var visitor: Visitor
        var channel: any Channel
    }

    private struct State {
        var running: [UInt64: Running] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())
    /// Who a visitor is now; `nil` for nobody.
    private let current: @Sendable (Visitor) -> Visitor?

    init(current: @escaping @Sendable (Visitor) -> Visitor?) {
        self.current = current
    }

    /// The same answer, which ends with its visitor's session.
    func ending(_ response: Response, _ request: WebRequest) -> Response {
        guard let visitor = request.visitor, visitor.session != nil else { return response }
        let (body, channel) = (response.body, request.channel)
        var response = response
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            let number = self.begin(visitor, channel)
            defer { self.end(number) }
            // The session may have ended after it was let in and before it could be found here.
            guard self.current(visitor) == visitor else { throw SessionEnded() }
            try await body.write(writer)
        }
        return response
    }

    private func begin(_ visitor: Visitor, _ channel: any Channel) -> UInt64 {
        state.withLock { state in
            state.lastNumber += 1
            state.running[state.lastNumber] = Running(visitor: visitor, channel: channel)
            return state.lastNumber
        }
    }

    private func end(_ number: UInt64) { state.withLock { $0.running[number] = nil } }

    /// Closes the connections of those who may not go on; that cancels what is sent.
    func review() {
        let running = state.withLock { Array($0.running.values) }
        for download in running where current(download.visitor) != download.visitor {
            download.channel.close(promise: nil)
        }
    }
}

extension WebRoute {
    /// The same route, whose answers end with their visitors' sessions.
    func ending(with downloads: Downloads) -> WebRoute {
        WebRoute(resource) { request in downloads.ending(try await answer(request), request) }
    }
}
