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
        case entered(InviteReport, message: String)
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
    /// One form at a time: a button that is pressed twice starts one gathering.
    private let isBusy = Mutex(false)

    /// - Parameter blank: What stands in the fields at first; a phrase in it came by a link, and leads to joining at once.
    init(host: any FirstRunHost, blank: FirstRunForm, renderer: PageRenderer) {
        self.host = host
        self.blank = blank
        self.renderer = renderer
    }

    /// The page at a path below the secret; `nil` where there is none.
    func page(at path: String) -> Answer? {
        if case .entered(let invite, let message) = stage.withLock({ $0 }) { return entered(invite, message) }
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
        guard begin() else {
            return Answer(status: .conflict, page: message("One moment", "It is being done. Load the page again."))
        }
        defer { isBusy.withLock { $0 = false } }
        switch path {
        case "start": return await enter(form(.start, fields))
        case "join":
            let comesByLink = blank.way != .start
            return await enter(form(.join(comesByLink: comesByLink), fields))
        case "photos": return await photos()
        default: return nil
        }
    }

    private func begin() -> Bool {
        isBusy.withLock { isBusy in
            defer { isBusy = true }
            return !isBusy
        }
    }

    private func form(_ way: FirstRunForm.Way, _ fields: [String: String]) -> FirstRunForm {
        FirstRunForm(
            way, gathering: fields["gathering"] ?? "", phrase: fields["phrase"] ?? "",
            laptop: fields["laptop"] ?? blank.laptop, folder: fields["folder"] ?? blank.folder)
    }

    private func enter(_ form: FirstRunForm) async -> Answer {
        // Pressed again, or come back by the browser's arrow.
        if case .entered(let invite, let message) = stage.withLock({ $0 }) { return entered(invite, message) }
        do {
            let invite = try await host.enter(form)
            stage.withLock { $0 = .entered(invite, message: "") }
            // Whoever started shows the phrase to the others; whoever joined wants to see the photos.
            return form.way == .start ? entered(invite, "") : await photos()
        } catch {
            return Answer(
                status: .unprocessableContent, page: renderer.firstRun(form, message: Self.sentence(error)))
        }
    }

    private func photos() async -> Answer {
        guard case .entered(let invite, _) = stage.withLock({ $0 }) else {
            return Answer(status: .conflict, page: renderer.firstRun())
        }
        do {
            return Answer(page: renderer.onward(to: try await host.openPhotos()), isLast: true)
        } catch {
            let sentence = Self.sentence(error)
            stage.withLock { $0 = .entered(invite, message: sentence) }
            var answer = entered(invite, sentence)
            answer.status = .serviceUnavailable
            return answer
        }
    }

    private func entered(_ invite: InviteReport, _ message: String) -> Answer {
        Answer(
            page: renderer.firstRunEntered(
                gathering: invite.gathering, phrase: invite.phrase, link: invite.link, message: message))
    }

    private func message(_ title: String, _ sentence: String) -> HTMLMarkup {
        renderer.message(
            MessagePage(title: title, sentence: sentence, actions: []), PageSetting(gathering: "", laptop: ""))
    }

    private static func sentence(_ error: any Error) -> String {
        (error as? PotluckError)?.message ?? "That did not work: \(error)"
    }
}
