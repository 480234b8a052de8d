import AlbumModel
import FolderEngine
import Logging
import NIOPosix
import PhotoStore

/// Performs what the ``FolderJudge`` wants done, and hands in what came of it.
struct DirectiveRunner: Sendable {
    let core: FolderCore
    /// Given up once a file's bytes are in the store: what follows waits for others. `nil` for what has none.
    private var place: WorkPlace?

    init(core: FolderCore) {
        self.core = core
    }

    /// Takes work until the folder stops.
    static func work(_ core: FolderCore, at places: WorkPlaces) async {
        var runner = DirectiveRunner(core: core)
        while true {
            let place = await places.take()
            defer { place.leave() }
            guard let directive = await core.queue.next() else { return }
            runner.place = place
            let isDone = await runner.performAll([directive])
            // Else nothing would be judged any more.
            if !isDone, case .look(let job) = directive { await runner.follow(.finished(.look(job, .failed))) }
        }
    }

    /// Performs directives, and all that follows from each before the next one.
    ///
    /// - Throws: where nothing can be judged.
    func perform(_ directives: [FolderDirective]) async throws(FolderError) {
        // The next one is the last.
        var waiting = Array(directives.reversed())
        while let directive = waiting.popLast() { waiting += try await perform(directive).reversed() }
    }

    /// The same, of directives that follow from what somebody asked for: what cannot be committed fails, and all behind it
    /// is left.
    func performDurably(_ directives: [FolderDirective]) async throws(FolderError) {
        for directive in directives {
            switch directive {
            case .commit(let changes): try await core.facts.commit(changes)
            case .takeAway(let files, let intents): try await TakingAway(core: core).takeAway(files, intents: intents)
            default: try await perform([directive])
            }
        }
    }

    /// - Returns: what follows from it.
    private func perform(_ directive: FolderDirective) async throws(FolderError) -> [FolderDirective] {
        switch directive {
        case .survey: return await FolderScan(core: core).survey()
        case .recognise(let files, let table): return await FolderScan(core: core).recognise(files, table)
        case .mend(let path, let record): return await PowerCut(core: core).mend(path, record)
        case .recogniseRenaming(let renaming, let files):
            return await FolderScan(core: core).recognise(renaming, files)
        case .list(let directory): return await FolderScan(core: core).list(directory)
        case .sight(let paths): return await FolderScan(core: core).sight(paths)
        case .askWatcher: return core.queue.handle(.watched(limit: core.watcher.complaint))
        case .look, .compare, .examine, .importFile: return try await answer(directive)
        case .check(let check): return core.queue.handle(.checked(check, await core.answer(check)))
        case .bringBack(let path, let record):
            let outcome = await PuttingBack(core: core).replaceDamaged(path, record)
            return core.queue.handle(.broughtBack(path, record, outcome))
        case .askStanding(let taken, let job):
            place?.leave()
            return try await Importer(core: core).askStanding(taken, job)
        case .contribute(let drop, let taken, let job):
            return await Importer(core: core).contribute(drop, taken, job)
        case .identify(let directories): return core.queue.handle(.identified(await core.albums(of: directories)))
        case .inquire(let questions): return await Judge(core: core).inquire(questions)
        case .settle(let group, let steps): return try await Settler(core: core, group: group).settle(steps)
        case .judge:
            await Judge(core: core).run()
            return core.queue.handle(.finished(.judging))
        case .refuse(let reason): throw FolderError(.unavailable, reason)
        case .synchronize(let paths, let noted): return await FreshSync(core: core).run(paths, noted: noted)
        case .commit(let changes): await core.commit(changes)
        case .report(let notice): await report(notice)
        case .tellGaps: await core.tellGaps()
        case .takeAway(let files, let intents): await TakingAway(core: core).goOn(with: files, intents: intents)
        case .lookAgain(let path): core.queue.touched(path)
        case .hold(let group): await core.host.heldBack(group)
        case .setAside(let path, let record, let intent):
            _ = await SettingAside(core: core).run(path, record, intent: intent)
        case .rename(let subject, let path): await Renamer(core: core).run(subject, path)
        case .begin, .wait, .answer: core.letGoOn([directive])
        case .finish(let work): return core.queue.handle(.finished(work))
        }
        return []
    }

    /// Asks about a file, and at once what the answer leads to, while that is about the file as well: a thread that has to be
    /// found for each question would cost as much as some of the answers.
    ///
    /// - Returns: what follows besides.
    private func answer(_ question: FolderDirective) async throws(FolderError) -> [FolderDirective] {
        do {
            return try await core.pool.perform { [core] in
                let inspector = Inspector(core: core)
                // The next one is the last.
                var waiting = [question]
                while let next = waiting.last, let answer = inspector.answer(next) {
                    waiting.removeLast()
                    waiting += core.queue.handle(answer).reversed()
                }
                return waiting.reversed()
            }
        } catch {
            throw FolderError(error)
        }
    }

    /// Hands in what this program did to files, and performs what follows, of which nothing judges.
    func follow(_ input: FolderInput) async {
        await performAll(core.queue.handle(input))
    }

    /// False where it failed.
    @discardableResult
    private func performAll(_ directives: [FolderDirective]) async -> Bool {
        do {
            try await perform(directives)
            return true
        } catch {
            core.logger.warning("folder work failed", metadata: ["error.message": "\(error.message)"])
            return false
        }
    }

    private func report(_ notice: FolderNotice) async {
        if case .postponed(let path, let reason) = notice {
            core.logger.debug("file postponed", metadata: ["file.path": "\(path)", "error.message": "\(reason)"])
        }
        await core.host.report(notice)
    }
}
