import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import OutputFormats
import PotluckAPI
import Synchronization
import WebGallery

/// What monitors read: whether the agent serves, and its figures.
struct MonitorRoutes: Sendable {
    let agent: any AgentAPI
    let gallery: Gallery?
    let counts: AnswerCounts
    let connections: Connections
    private let budget: Budget

    init(
        agent: any AgentAPI, gallery: Gallery?, counts: AnswerCounts, connections: Connections, limits: WebLimits
    ) {
        self.agent = agent
        self.gallery = gallery
        self.counts = counts
        self.connections = connections
        budget = Budget(limits.monitoring, clock: gallery?.clock ?? .system)
    }

    var all: [WebRoute] {
        [
            WebRoute(.monitoring("/healthz", "Says whether all is well; 503 with what is wrong.")) { request in
                try budget.take()
                return health(try await agent.health(), at: request.door)
            },
            WebRoute(.monitoring("/metrics", "Figures in the text format of Prometheus.")) { _ in
                try budget.take()
                let figures = try await agent.figures()
                let text = MetricsText.text(of: figures.families + families)
                return Self.text(text, .ok, type: MetricsText.mediaType)
            },
        ]
    }

    /// A door for monitors tells strangers what is wrong, and not with whose photo.
    private func health(_ report: HealthReport, at door: Door) -> Response {
        guard !report.problems.isEmpty else { return Self.text("ok\n", .ok) }
        let sentences = report.problems.map { door.offer == .monitoring ? $0.summary : $0.sentence }
        return Self.text(sentences.map { $0 + "\n" }.joined(), .serviceUnavailable)
    }

    private static func text(
        _ text: String, _ status: HTTPResponse.Status, type: String = "text/plain; charset=utf-8"
    ) -> Response {
        Response(
            status: status, headers: [.contentType: type], body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// The server's own.
    private var families: [MetricFamily] {
        var families = [
            MetricFamily(
                "potluck_http_responses_total", .counter, "Answers to HTTP requests, by class of their status.",
                counts.byClass.map { .init(.count($0.count), .init("class", $0.name)) }),
            MetricFamily(
                "potluck_http_connections", .gauge, "Open HTTP connections.", [.init(.count(connections.count))]),
        ]
        if let uploads = gallery?.uploads.unfinished {
            families += [
                MetricFamily(
                    "potluck_uploads", .gauge, "Unfinished uploads of browsers.", [.init(.count(uploads.count))]),
                MetricFamily(
                    "potluck_upload_missing_bytes", .gauge, "Bytes that unfinished uploads still lack.",
                    [.init(.count(uploads.bytes))]),
            ]
        }
        return families
    }

    /// How often monitors may ask.
    private final class Budget: Sendable {
        private let bucket: Mutex<TokenBucket>
        private let clock: GalleryClock

        init(_ rate: TokenBucket.Rate, clock: GalleryClock) {
            self.clock = clock
            bucket = Mutex(TokenBucket(rate, now: clock.steady()))
        }

        /// - Throws: ``Problem`` with 429.
        func take() throws(Problem) {
            let now = clock.steady()
            guard case .wait(let milliseconds) = bucket.withLock({ $0.take(now: now) }) else { return }
            throw Problem(
                .tooManyRequests, "too_many", "Monitors asked for a lot at once; try again in a moment.",
                retryAfter: Int((milliseconds + 999) / 1000))
        }
    }
}
