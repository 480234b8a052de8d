import HTTPTypes
import Hummingbird
public import Logging
import NIOCore
import OutputFormats
import PotluckAPI
import ServiceLifecycle
import Synchronization
public import WebGallery

/// Serves the pages of a laptop that has no gathering yet, on loopback, until the person goes on to the photos.
///
/// Other people of this machine reach loopback too: pages are at a path of 128 random bits, which the browser is handed by
/// a file that only its owner can read, and pages of the web that have a name of theirs resolve to this machine are refused
/// by the name that they send.
public struct FirstRunServer: Sendable {
    /// A form has a few fields.
    static let bodyByteCountMax = 16 << 10

    private let pages: FirstRunPages
    private let secret: SecretToken
    private let arrivalTime: Duration
    private let patience: Duration
    private let logger: Logger

    /// - Parameters:
    ///   - blank: What stands in the fields at first; a phrase in it came by a link, and leads to joining at once.
    ///   - arrivalTime: How long the browser may take to ask for the first page.
    ///   - patience: How long the person may take from then on.
    /// - Throws: ``PotluckError`` where a template is not as it should be, which is a mistake of ours.
    public init(
        host: any FirstRunHost, blank: FirstRunForm, arrivalTime: Duration = .seconds(60),
        patience: Duration = .seconds(3600), logger: Logger
    ) throws {
        do {
            pages = FirstRunPages(host: host, blank: blank, renderer: try PageRenderer())
        } catch let error {
            throw PotluckError(.failed, "The pages for the browser cannot be made: \(error)")
        }
        var random = SystemRandomNumberGenerator()
        secret = SecretToken(using: &random)
        self.arrivalTime = arrivalTime
        self.patience = patience
        self.logger = logger
    }

    /// Returns when the person went on to the photos, or did not.
    ///
    /// - Parameter open: Has a browser open the address, which holds the secret, and returns whether the browser came,
    ///   which it waits for by its second argument.
    /// - Throws: ``PotluckError`` where loopback cannot be served; what `open` throws.
    public func serve(
        open: @escaping @Sendable (_ address: String, _ arrival: @Sendable () async -> Bool) async throws -> Bool
    ) async throws -> FirstRunEnd {
        let visit = Visit()
        let application = Application(
            router: router(visit), configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in visit.serves(at: channel.localAddress?.port) }, logger: logger)
        var configuration = ServiceGroupConfiguration(services: [.init(service: application)], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(10)
        let group = ServiceGroup(configuration: configuration)
        return try await withThrowingTaskGroup(of: FirstRunEnd?.self) { tasks in
            tasks.addTask {
                do {
                    try await group.run()
                } catch {
                    throw PotluckError(.failed, "No page can be served on this laptop: \(error)")
                }
                return nil
            }
            tasks.addTask {
                await visit.listening.wait()
                guard let port = visit.port.withLock({ $0 }) else { return nil }
                let hasCome = try await open("http://127.0.0.1:\(port)/\(secret.text)/") {
                    await visit.arrived.wait(atMost: arrivalTime)
                }
                guard hasCome else { return .nobodyCame }
                return await visit.ended.wait(atMost: patience) ? .done : .abandoned
            }
            for try await end in tasks {
                guard let end else { continue }
                // The last page still reaches the browser.
                await group.triggerGracefulShutdown()
                for try await _ in tasks {}
                return end
            }
            throw PotluckError(.failed, "No page can be served on this laptop.")
        }
    }

    /// What one run has come to.
    private final class Visit: Sendable {
        let port = Mutex<Int?>(nil)
        let (listening, arrived, ended) = (Latch(), Latch(), Latch())

        func serves(at port: Int?) {
            self.port.withLock { $0 = port }
            listening.open()
        }

        /// Whether a request names this server, not a host of the web.
        func isNamed(by authority: String?) -> Bool {
            port.withLock { $0 }.map { authority == "127.0.0.1:\($0)" } ?? false
        }
    }

    private struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        var maxUploadSize: Int { FirstRunServer.bodyByteCountMax }

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
        }
    }

    private func router(_ visit: Visit) -> Router<Context> {
        let router = Router(context: Context.self)
        router.get("/static/**") { request, _ in
            guard visit.isNamed(by: request.head.authority),
                let file = StaticFiles.embedded.answer(to: request.uri.path)
            else { throw HTTPError(.notFound) }
            return Response(
                status: .ok, headers: file.headers, body: .init(byteBuffer: ByteBuffer(bytes: file.file.bytes)))
        }
        for pattern in ["/:secret", "/:secret/**"] {
            router.get(RouterPath(pattern)) { request, context in
                let path = try path(of: request, context, visit)
                visit.arrived.open()
                guard let answer = pages.page(at: path) else { throw HTTPError(.notFound) }
                return Self.response(answer)
            }
        }
        router.post("/:secret/**") { request, context in
            let path = try path(of: request, context, visit)
            let fields = try await URLEncodedFormDecoder().decode(
                [String: String].self, from: request, context: context)
            guard let answer = await pages.submit(path, fields) else { throw HTTPError(.notFound) }
            if answer.isLast { visit.ended.open() }
            return Self.response(answer)
        }
        return router
    }

    /// The path below the secret.
    ///
    /// - Throws: 404 for whoever does not know it.
    private func path(of request: Request, _ context: Context, _ visit: Visit) throws -> String {
        guard visit.isNamed(by: request.head.authority),
            let token = context.parameters.get("secret").flatMap({ SecretToken(parsing: $0) }), token.matches(secret)
        else { throw HTTPError(.notFound) }
        return context.parameters.getCatchAll().joined(separator: "/")
    }

    private static func response(_ answer: FirstRunPages.Answer) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8"]
        headers.set(PageHeaders.page(isLoopback: true))
        headers[.cacheControl] = "no-store"
        return Response(
            status: answer.status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: answer.page.text)))
    }
}

extension Latch {
    /// Whether it opened within a time.
    fileprivate func wait(atMost time: Duration) async -> Bool {
        await withTaskGroup(of: Bool.self) { tasks in
            tasks.addTask {
                await self.wait()
                return !Task.isCancelled
            }
            tasks.addTask {
                // Cancelled when it has opened.
                try? await Task.sleep(for: time)
                return false
            }
            defer { tasks.cancelAll() }
            return await tasks.next() ?? false
        }
    }
}
