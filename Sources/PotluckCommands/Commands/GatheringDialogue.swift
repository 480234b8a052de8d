import PotluckAPI
import PotluckAgent

/// Asks a person whose home has no gathering whether to start one or to join one.
struct GatheringDialogue {
    /// After so many answers that lead nowhere it gives up.
    private static let attemptCountMax = 5

    let home: HomeLocation
    let settings: Settings
    let console: Console

    /// Returns when the home has a gathering.
    ///
    /// - Parameter link: An invite link that the person opened: any web page can lead to one, so it is asked about.
    /// - Throws: `.badSetting` without a terminal, at the input's end, or after too many tries.
    func hold(link: String? = nil) async throws {
        guard console.canAsk else { throw home.noGathering }
        console.warn("There is no gathering on this laptop yet.\n")
        if let link {
            console.warn(
                "The link \(PrintableText.line(link)) asks you to join one. Whoever has its phrase sees every photo that you put into the folder.\n"
            )
            guard try await answer("Does it come from somebody you know (y), or not (n)? ").lowercased().hasPrefix("y")
            else { throw PotluckError(.failed, "The link was not followed, and nothing was changed.") }
            return try await join(link)
        }
        for _ in 0..<Self.attemptCountMax {
            switch try await answer("Start one (s), or join one with its phrase (j)? ").lowercased() {
            case "s", "start", "host": return try await start()
            case "j", "join": return try await join()
            // Whoever pastes the phrase at once means to join.
            case let text where text.contains("-") || text.contains("://"): return try await join(text)
            default: console.warn("Please type s or j.\n")
            }
        }
        throw home.noGathering
    }

    private func start() async throws {
        let name = try await answer("What is it called, for example Kuh reunion? ")
        guard !name.isEmpty else { throw home.noGathering }
        let device = try await deviceName()
        let folder = try await folder()
        let report = try await home.host(gathering: name, device: device, console: console)
        show(InviteText.text(report, code: QRCode.text(report.link, isColoured: true)))
        try folder.keep(console)
    }

    /// - Parameter phrase: Where it has been typed already.
    private func join(_ phrase: String? = nil) async throws {
        let device = try await deviceName()
        let folder = try await folder()
        if let phrase, try await enter(phrase, as: device) { return try folder.keep(console) }
        for _ in 0..<Self.attemptCountMax {
            let phrase = try await answer("Its phrase: ")
            if try await enter(phrase, as: device) { return try folder.keep(console) }
        }
        throw home.noGathering
    }

    /// `false` where the phrase is mistyped, which the person is told.
    private func enter(_ phrase: String, as device: String?) async throws -> Bool {
        do {
            let report = try await home.join(phrase: phrase, device: device, console: console)
            show(InviteText.text(report, .joined, code: QRCode.text(report.link, isColoured: true)))
            return true
        } catch {
            guard error.status == .usage else { throw error }
            console.warn(PrintableText.lines(error.message) + "\n")
            return false
        }
    }

    /// `nil` stands for the host name.
    private func deviceName() async throws -> String? {
        let standard = settings.device.map(PrintableText.line) ?? "its host name"
        let name = try await answer("What is this laptop called? [\(standard)] ")
        return name.isEmpty ? settings.device : name
    }

    private func folder() async throws -> FolderAnswer {
        for _ in 0..<Self.attemptCountMax {
            let text = try await answer("Where do the photos go? [\(PrintableText.line(settings.folder))] ")
            let folder = FolderAnswer(text, settings: settings, home: home)
            do throws(PotluckError) {
                try folder.check(console)
                return folder
            } catch {
                console.warn(PrintableText.lines(error.message) + "\n")
            }
        }
        throw home.noGathering
    }

    /// Everything of the dialogue goes to standard error: standard output is for the ready line.
    private func show(_ text: String) { console.warn(text + "\n") }

    private func answer(_ question: String) async throws -> String {
        console.warn(question)
        guard let line = try await console.readLine() else {
            console.warn("\n")
            throw home.noGathering
        }
        var text = Substring(line)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
