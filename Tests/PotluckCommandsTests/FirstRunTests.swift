import FoundationEssentials
import Glibc
import NIOPosix
import PotluckAPI
import PotluckAgent
import Synchronization
import Testing

@testable import PotluckCommands

/// The first run on a page, with real homes, real HTTP, and a browser and an agent that this process plays.
@Suite(.timeLimit(.minutes(2))) struct FirstRunTests {
    /// What a browser gets.
    private struct Page {
        var status: Int
        var text: String
    }

    /// A browser of few words: HTTP by a connection for each request.
    private struct Visitor {
        let authority: String
        /// With slashes around it.
        let root: String

        /// - Parameter page: The file that the browser was handed.
        init(page: String) throws {
            let text = try String(contentsOfFile: page, encoding: .utf8)
            let address = try #require(text.firstMatch(of: /url=http:\/\/(127\.0\.0\.1:\d+)(\/[A-Za-z0-9_-]{22}\/)"/))
            (authority, root) = (String(address.1), String(address.2))
        }

        func get(_ path: String, host: String? = nil) throws -> Page { try send("GET", path, "", host) }

        func post(_ path: String, _ fields: KeyValuePairs<String, String>) throws -> Page {
            let body = fields.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
            return try send("POST", root + path, body, nil)
        }

        private static func escaped(_ text: String) -> String {
            text.utf8.map { byte in
                let isPlain = (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                let digits = String(byte, radix: 16)
                return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
            }.joined()
        }

        private func send(_ method: String, _ path: String, _ body: String, _ host: String?) throws -> Page {
            let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(socket) }
            var patience = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = try #require(authority.split(separator: ":").last.flatMap { in_port_t($0) }).bigEndian
            inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
            let isConnected = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            try #require(isConnected)
            let request = """
                \(method) \(path) HTTP/1.1\r
                host: \(host ?? authority)\r
                content-type: application/x-www-form-urlencoded\r
                content-length: \(body.utf8.count)\r
                connection: close\r
                \r
                \(body)
                """
            let bytes = Array(request.utf8)
            try #require(Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = recv(socket, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                answer += buffer[..<count]
            }
            let text = String(decoding: answer, as: UTF8.self)
            return Page(status: Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text: text)
        }
    }

    /// Of a gathering on some other laptop.
    private func inviteLink() async throws -> String {
        var link = ""
        try await withTemporaryHome { home in
            link = try await HomeSetup.host(home: home, gathering: "Elsewhere", device: "Anna").link
        }
        return link
    }

    /// Opens Potluck by its icon, plays the person at the browser, and returns how the command ended.
    private func firstRun(
        home: String, person: String, link: String? = nil, agent: FakeAgent = FakeAgent(),
        _ visit: @escaping @Sendable (Visitor) throws -> Void
    ) async throws -> (outcome: Outcome, failure: (any Error)?) {
        let (pages, source) = AsyncStream.makeStream(of: Visitor.self)
        let console = TestConsole { path in
            guard let visitor = try? Visitor(page: path) else { return false }
            source.yield(visitor)
            source.finish()
            return true
        }
        let environment = ["HOME": person]
        let arguments = ["open", "--start", "--ask-in-browser", "--home", home] + (link.map { [$0] } ?? [])
        return try await withThrowingTaskGroup(of: (any Error)?.self) { tasks in
            tasks.addTask {
                for await visitor in pages {
                    do {
                        try await NIOThreadPool.singleton.runIfActive { try visit(visitor) }
                    } catch {
                        return error
                    }
                }
                return nil
            }
            let status = await PotluckCommandLine.run(
                arguments, console: console.console(isTerminal: false, environment: environment))
            source.finish()
            return (console.outcome(status), try await tasks.next() ?? nil)
        }
    }

    /// Shows a first run from the icon to the photos: choosing, a form that comes back with a sentence and keeps what was
    /// typed, the phrase for the others, and the link into the gallery, after which the page is gone.
    @Test func aPersonStartsAGathering() async throws {
        try await withAgent(FakeAgent()) { home in
            try await withTemporaryHome { person in
                let (outcome, failure) = try await firstRun(home: home, person: person) { browser in
                    #expect(try browser.get(browser.root).text.contains("Start a gathering"))
                    let form = try browser.get(browser.root + "start")
                    #expect(form.status == 200 && form.text.contains(#"action="start""#))
                    #expect(form.text.contains("form-action 'self'") && form.text.contains("no-store"))
                    let refused = try browser.post(
                        "start", ["gathering": "Kuh & reunion", "laptop": "Grandma", "folder": "Photos"])
                    #expect(refused.status == 422)
                    #expect(refused.text.contains("begin with / or ~/") && refused.text.contains("Kuh &amp; reunion"))
                    #expect(!HomeSetup.hasGathering(home: home))
                    let done = try browser.post(
                        "start", ["gathering": "Kuh & reunion", "laptop": "Grandma", "folder": "~/Our photos"])
                    #expect(done.status == 200 && done.text.contains("“Kuh &amp; reunion” is open"))
                    #expect(done.text.contains("<svg"))
                    let code = try #require(done.text.firstMatch(of: /<strong>((?:[a-z]{5}-){8}[a-z]{5})<\/strong>/))
                    // Sent twice by an impatient person: nothing new.
                    let again = try browser.post("start", ["gathering": "Other", "laptop": "x", "folder": "~"])
                    #expect(again.text.contains("“Kuh &amp; reunion” is open") && again.text.contains(code.1))
                    let onward = try browser.post("photos", [:])
                    #expect(onward.text.contains(#"content="0; url=http://127.10.11.12:4713/open/#code""#))
                }
                #expect(failure == nil, "\(String(describing: failure))")
                #expect(outcome == Outcome(status: 0, output: "Opened in the browser.\n", errors: ""))
                let invite = try await HomeSetup.invite(home: home)
                let settings = try SettingsFile(home: home)
                #expect(settings.texts[.folder] == [person + "/Our photos"])
                #expect(invite.phrase.split(separator: "-").count == 5)
                #expect(try FileManager.default.contentsOfDirectory(atPath: person) == [])
            }
        }
    }

    /// Shows that an invite link, which any page of the web can open, leads to a question: the phrase stands in the form,
    /// nothing is joined before it is sent, and then the photos follow at once.
    @Test func aLinkAsksFirst() async throws {
        let (link, foreignLink) = (try await inviteLink(), try await inviteLink())
        try await withAgent(FakeAgent()) { home in
            try await withTemporaryHome { person in
                let (outcome, failure) = try await firstRun(home: home, person: person, link: link) { browser in
                    let page = try browser.get(browser.root)
                    #expect(page.text.contains("A link asks you to join"))
                    #expect(page.text.contains("value=\"\(link.dropFirst("potluck://join/".count))\""))
                    #expect(page.text.contains(#"data-way="link""#))
                    #expect(!HomeSetup.hasGathering(home: home))
                    let mistyped = try browser.post(
                        "join", ["phrase": "lusab-babad", "laptop": "Ben", "folder": ""])
                    #expect(mistyped.status == 422 && mistyped.text.contains("five words"))
                    let joined = try browser.post("join", ["phrase": link, "laptop": "Ben", "folder": ""])
                    #expect(joined.text.contains("127.10.11.12:4713/open/#code"))
                }
                #expect(failure == nil, "\(String(describing: failure))")
                #expect(outcome.status == 0)
                #expect(try await HomeSetup.invite(home: home).link == link)
                #expect(try SettingsFile(home: home).texts.isEmpty)
                // The same link again leads to the photos; another is not followed.
                let same = await run("open", "--start", "--print", link, "--home", home)
                #expect(same.status == 0 && same.output.contains("/open/#code"))
                let other = await run(
                    "open", "--start", "--print", foreignLink, "--home", home)
                #expect(other.status != 0 && other.output.isEmpty)
                #expect(try await HomeSetup.invite(home: home).link == link)
            }
        }
    }

    /// Shows that nobody else of this machine gets a page: not without the secret, not by another one, and not as a page of
    /// the web that has its name resolve to this machine.
    @Test func strangersGetNothing() async throws {
        try await withAgent(FakeAgent()) { home in
            try await withTemporaryHome { person in
                let (_, failure) = try await firstRun(home: home, person: person) { browser in
                    let other = "/" + String(repeating: "A", count: 22) + "/"
                    for path in ["/", other, other + "start", browser.root.lowercased()] where path != browser.root {
                        #expect(try browser.get(path).status == 404, "\(path)")
                    }
                    #expect(try browser.get(browser.root, host: "evil.example:80").status == 404)
                    #expect(try browser.get("/static/x/style/base.css", host: "evil.example").status == 404)
                    #expect(try browser.get("/static/x/style/base.css").status == 200)
                    #expect(try browser.get(browser.root + "nowhere").status == 404)
                    let flood = String(repeating: "x", count: 20 << 10)
                    #expect(try browser.post("start", ["gathering": flood]).status == 413)
                    #expect(!HomeSetup.hasGathering(home: home))
                    _ = try browser.post("start", ["gathering": "Kuh reunion", "laptop": "G", "folder": ""])
                    _ = try browser.post("photos", [:])
                }
                #expect(failure == nil, "\(String(describing: failure))")
            }
        }
    }

    /// Shows that without a browser the command fails, so that the icon's program asks in a terminal.
    @Test func withoutABrowserItFails() async throws {
        try await withTemporaryHome { home in
            let outcome = await run("open", "--start", "--ask-in-browser", "--home", home, environment: ["HOME": home])
            #expect(outcome.status == ExitStatus.badSetting.rawValue)
            #expect(outcome.errors.contains("No browser could be opened"))
            #expect(!HomeSetup.hasGathering(home: home))
        }
        #expect(await run("open", "--ask-in-browser").status == 64)
        #expect(await run("open", "potluck://join/x").status == 64)
    }

    /// Shows the same steps in the terminal: a link is asked about, a folder that cannot be is asked for again, and the one
    /// that was named is kept.
    @Test func theTerminalAsksTheSame() async throws {
        let link = try await inviteLink()
        try await withAgent(FakeAgent()) { home in
            let refused = await run(
                "open", "--start", "--print", link, "--home", home, isTerminal: true, input: ["n"])
            #expect(refused.status == 1 && refused.errors.contains("was not followed"))
            #expect(!HomeSetup.hasGathering(home: home))
            let joined = await run(
                "open", "--start", "--print", link, "--home", home, isTerminal: true,
                input: ["y", "Ben", "here", home + "/none/none", home + "/Ours"])
            #expect(joined.status == 0, "\(joined.errors)")
            #expect(joined.errors.contains("begin with / or ~/"))
            let (invite, settings) = (try await HomeSetup.invite(home: home), try SettingsFile(home: home))
            #expect(invite.link == link)
            #expect(settings.texts[.folder] == [home + "/Ours"])
        }
    }
}
