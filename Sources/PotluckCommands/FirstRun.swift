import Logging
import NIOPosix
import PotluckAPI
import PotluckAgent
import WebGallery
import WebServer

/// Asks on a page in the browser what ``GatheringDialogue`` asks in the terminal: for people who clicked an icon.
struct FirstRun {
    let home: HomeLocation
    let settings: Settings
    let console: Console

    /// Returns when the person was led on to the photos, or left.
    ///
    /// - Parameters:
    ///   - link: An invite link that the browser was asked to open; nothing is done with it before the person says so.
    ///   - startAgent: Where none runs.
    ///   - openPhotos: Returns a link that signs the owner's browser in once.
    /// - Throws: ``PotluckError`` with `.badSetting` where no browser shows the page.
    func hold(
        link: String?, startAgent: @escaping @Sendable () async throws -> Void,
        openPhotos: @escaping @Sendable () async throws -> String
    ) async throws {
        let way = link == nil ? FirstRunForm.Way.start : .join(comesByLink: true)
        let blank = FirstRunForm(
            way, phrase: link.map { HomeSetup.phrase(in: $0) ?? $0 } ?? "",
            laptop: settings.device ?? HomeSetup.standardDeviceName,
            folder: shown(settings.folder))
        var logger = Logger(label: "potluck")
        logger.logLevel = .critical
        let server = try FirstRunServer(
            host: Host(run: self, begin: startAgent, openPhotosLink: openPhotos), blank: blank, logger: logger)
        let console = console
        let end = try await server.serve { address, arrival in
            guard let page = DoorPage(leadingTo: address, words: "Go on", console: console) else {
                throw Self.noBrowser
            }
            let path = page.path
            // It may last as long as the browser is open.
            let isOpened = try await NIOThreadPool.singleton.runIfActive { console.openFile(path) }
            guard isOpened else { throw Self.noBrowser }
            let hasCome = await arrival()
            // The page goes only now: so far the browser may have been about to read it.
            return withExtendedLifetime(page) { hasCome }
        }
        switch end {
        case .done: try console.write("Opened in the browser.\n")
        case .nobodyCame: throw Self.noBrowser
        case .abandoned: console.warn("The page was left open for an hour; open Potluck again to go on.\n")
        }
    }

    static let noBrowser = PotluckError(
        .badSetting, "No browser could be opened. `potluck open --start` asks in the terminal.")

    private struct Host: FirstRunHost {
        let run: FirstRun
        let begin: @Sendable () async throws -> Void
        let openPhotosLink: @Sendable () async throws -> String

        func enter(_ form: FirstRunForm) async throws -> FirstRunEntry { try await run.enter(form) }

        func startAgent() async throws { try await begin() }

        func openPhotos() async throws -> String {
            try await begin()
            return try await openPhotosLink()
        }
    }

    private func enter(_ form: FirstRunForm) async throws -> FirstRunEntry {
        let place = FolderAnswer(form.folder, settings: settings, home: home)
        try place.check(console)
        let device = form.laptop.contains { !$0.isWhitespace } ? form.laptop : nil
        let entry: FirstRunEntry
        switch form.way {
        case .start:
            let report = try await home.host(gathering: form.gathering, device: device, console: console)
            entry = FirstRunEntry(invite: report.invite, recoveryCode: report.recoveryCode)
        case .join:
            let invite = try await home.join(phrase: form.phrase, device: device, console: console)
            entry = FirstRunEntry(invite: invite, recoveryCode: nil)
        }
        try place.keep(console)
        return entry
    }

    /// A path as people write it: `~` is their home directory.
    private func shown(_ path: String) -> String {
        guard let person = try? FilePaths.personHome(console.environment), path.hasPrefix(person + "/") else {
            // Nobody's home directory is known: the whole path is right as well.
            return path
        }
        return "~" + path.dropFirst(person.count)
    }
}
