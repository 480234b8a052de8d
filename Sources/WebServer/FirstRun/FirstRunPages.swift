import HTTPTypes
import OutputFormats
import PotluckAPI
import Synchronization
import WebGallery

/// Answers the requests of a first run: which page stands where, and what the forms do.
final class FirstRunPages: Sendable {
    /// Transitions: asking → entered, by a form that worked.
    private enum Stage {
        case asking
        /// - Parameter message: Why the agent does not run yet; else empty.
        case entered(FirstRunEntry, message: String)
    }

    struct Answer {
        var status: HTTPResponse.Status = .ok
        var page: HTMLMarkup
        /// Whether the person is led on to the photos: nothing more is asked for.
        var isLast = false
    }

    private let host: any FirstRunHost
    private let renderer: PageRenderer
    private let blank: FirstRunForm
    private let stage = Mutex(Stage.asking)
    /// One form at a time: a button that is pressed twice starts one gathering, and the second answer is the one that the
    /// person sees.
    private let turn = Mutex(Turn())

    private struct Turn {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// - Parameter blank: What stands in the fields at first; a phrase in it came by a link, and leads to joining at once.
    init(host: any FirstRunHost, blank: FirstRunForm, renderer: PageRenderer) {
        self.host = host
        self.blank = blank
        self.renderer = renderer
    }

    /// The page at a path below the secret; `nil` where there is none.
    func page(at path: String) -> Answer? {
        if case .entered(let entry, let message) = stage.withLock({ $0 }) { return entered(entry, message) }
        switch (path, blank.way) {
        case ("", .start): return Answer(page: renderer.firstRun())
        case ("", .join), ("join", .join): return Answer(page: renderer.firstRun(blank))
        case ("start", _): return Answer(page: renderer.firstRun(form(.start, [:])))
        case ("join", .start): return Answer(page: renderer.firstRun(form(.join(comesByLink: false), [:])))
        default: return nil
        }
    }

    /// What a form does; `nil` where there is none at this path.
    func submit(_ path: String, _ fields: [String: String]) async -> Answer? {
        await beginTurn()
        defer { endTurn() }
        switch path {
        case "start": return await enter(form(.start, fields))
        case "join":
            let comesByLink = blank.way != .start
            return await enter(form(.join(comesByLink: comesByLink), fields))
        case "photos": return await photos()
        default: return nil
        }
    }

    private func beginTurn() async {
        await withCheckedContinuation { continuation in
            let isMine = turn.withLock { turn in
                if turn.isTaken { turn.waiting.append(continuation) }
                defer { turn.isTaken = true }
                return !turn.isTaken
            }
            if isMine { continuation.resume() }
        }
    }

    private func endTurn() {
        let next = turn.withLock { turn -> CheckedContinuation<Void, Never>? in
            if turn.waiting.isEmpty {
                turn.isTaken = false
                return nil
            }
            return turn.waiting.removeFirst()
        }
        next?.resume()
    }

    private func form(_ way: FirstRunForm.Way, _ fields: [String: String]) -> FirstRunForm {
        FirstRunForm(
            way, gathering: fields["gathering"] ?? "", phrase: fields["phrase"] ?? "",
            laptop: fields["laptop"] ?? blank.laptop, folder: fields["folder"] ?? blank.folder)
    }

    private func enter(_ form: FirstRunForm) async -> Answer {
        // Pressed again, or come back by the browser's arrow.
        if case .asking = stage.withLock({ $0 }) {
            do {
                let entry = try await host.enter(form)
                stage.withLock { $0 = .entered(entry, message: "") }
            } catch {
                return Answer(
                    status: .unprocessableContent, page: renderer.firstRun(form, message: Self.sentence(error)))
            }
        }
        // Whoever started shows the phrase to the others, who are to find a laptop then; whoever joined wants to see the
        // photos.
        guard form.way == .start else { return await photos() }
        return await begun()
    }

    private func begun() async -> Answer {
        guard case .entered(let entry, _) = stage.withLock({ $0 }) else {
            return Answer(status: .conflict, page: renderer.firstRun())
        }
        var message = ""
        do {
            try await host.startAgent()
        } catch {
            message = Self.sentence(error)
        }
        stage.withLock { $0 = .entered(entry, message: message) }
        return entered(entry, message)
    }

    private func photos() async -> Answer {
        guard case .entered(let entry, _) = stage.withLock({ $0 }) else {
            return Answer(status: .conflict, page: renderer.firstRun())
        }
        do {
            return Answer(page: renderer.onward(to: try await host.openPhotos()), isLast: true)
        } catch {
            let sentence = Self.sentence(error)
            stage.withLock { $0 = .entered(entry, message: sentence) }
            var answer = entered(entry, sentence)
            answer.status = .serviceUnavailable
            return answer
        }
    }

    private func entered(_ entry: FirstRunEntry, _ message: String) -> Answer {
        Answer(
            page: renderer.firstRunEntered(
                gathering: entry.invite.gathering, phrase: entry.invite.phrase, link: entry.invite.link,
                recoveryCode: entry.recoveryCode, message: message))
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? PotluckError)?.message ?? "That did not work: \(error)"
    }
}
