import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Looks through the whole folder for what the watcher missed, and judges what is there no more.
struct FolderScan: Sendable {
    let core: FolderCore

    /// Also watches every directory that is not watched yet, and finds out whether the folder is there at all.
    func run() async {
        let complaint: String?
        do {
            complaint = try await core.pool.perform { [core] in core.complaint() }
        } catch {
            // The pool has stopped: the agent's end.
            return core.queue.finishScan(isAvailable: false, after: core.settings.markerInterval)
        }
        let wasAvailable = core.isAvailable.exchange(complaint == nil, ordering: .sequentiallyConsistent)
        if let complaint {
            if wasAvailable { await core.host.report(.unavailable(complaint)) }
            return core.queue.finishScan(isAvailable: false, after: core.settings.markerInterval)
        }
        if !wasAvailable {
            await core.host.report(.available)
            core.state.withLock { $0.fresh.suspectAll() }
        }
        // It fails only if the pool stops, and no scan is missed then.
        if let survey = try? await core.pool.perform({ [core] in MountSurvey(core: core).run() }) {
            await core.commit(survey.changes)
            let returned = core.gaps.withLock { $0.returned(survey.gaps) }
            core.state.withLock { state in returned.forEach { state.fresh.suspect(below: $0) } }
            var gaps = FolderGaps(delayFirst: .zero, delayMax: .zero)
            gaps.found(survey.gaps)
            for path in await PowerCut(core: core).mend() { gaps.add(path, .unanswered) }
            let unseen = gaps.reasons
            if let listing = try? await core.pool.perform({ self.walk(unseen) }) { await conclude(listing) }
        }
        let limit = core.watcher.complaint
        let told = core.toldLimit.withLock { told in
            defer { told = limit }
            return told
        }
        if let limit, limit != told { await core.host.report(.watchLimit(limit)) }
        let interval = limit == nil ? core.settings.rescanInterval : core.settings.fallbackRescanInterval
        let gapDelay = core.gaps.withLock { $0.delay }
        core.queue.finishScan(isAvailable: true, after: min(interval, gapDelay ?? interval))
    }

    /// Holds the files that are gone until they are judged. Nothing is gone of a folder, or of a disk in it, that is not
    /// there.
    ///
    /// - Parameter paths: with whether an event told of each.
    func hold(vanished paths: [FolderPath: Bool]) async {
        // It fails only if the pool stops, and the next start's scan finds them.
        guard let absent = try? await core.pool.perform({ self.absent(among: paths.keys.sorted()) }) else { return }
        for path in absent { core.skipped.withLock { $0.remove(path) } }
        await core.hold(absent.map { ($0, .absent) }, explained: Set(absent.filter { paths[$0] == true }))
    }

    private func conclude(_ listing: FolderListing) async {
        settle(listing)
        let before = core.gaps.withLock { gaps in
            defer { gaps.found(listing.gaps) }
            return gaps.reasons
        }
        await core.tellGaps()
        // What cannot be looked at may hold files of photos that would get a second one.
        if listing.gaps.isEmpty { core.adoption.withLock { $0.scanned() } }
        // What a person is to decide upon may be over, or known from before a restart only.
        if core.pending.withLock({ $0.held != nil }) { core.queue.awaitJudging() }
        if before.keys.contains(where: { listing.gaps[$0] == nil }) { await TakingAway(core: core).resume() }
    }

    private func settle(_ listing: FolderListing) {
        core.skipped.withLock { $0.keep { listing.mayHold($0) } }
        // Those that wait to be judged are known to be gone.
        let waiting = core.pending.withLock { $0.paths }
        let files = core.state.withLock { $0.files.keys.filter { waiting[$0] != .absent } }
        core.queue.noticed(touched: listing.unsettled, vanished: listing.missing(of: files), isLive: false)
    }

    private func walk(_ gaps: [FolderPath: FolderGaps.Reason]) -> FolderListing {
        core.watcher.resetComplaint()
        var walk = FolderWalk(gaps: gaps)
        while let directory = walk.nextDirectory() {
            // First watched, then listed: what comes in between is seen twice rather than never.
            core.watcher.watch(directory)
            let listing = core.mounts.withLock { $0 }.listing(of: directory)
            for path in walk.listed(directory, listing) { walk.looked(at: path, sight(of: path)) }
        }
        return walk.finish()
    }

    private func sight(of path: FolderPath) -> FolderWalk.Sight {
        if let place = HidingPlace(at: path, in: core.root) {
            // A failing disk left it there. Where it cannot be brought back, the next scan tries again.
            _ = core.hiding.withLock { _ in try? place.settle(nil) }
            return .own
        }
        if JunkRules.isOwn(path) { return .own }
        guard let info = SystemCall.look(path.absolute(in: core.root)) else {
            return SystemCall.saysAbsent ? .absent : .failed(errno)
        }
        let signature = FileSignature(FileStat(info))
        return .present(isKnown: core.state.withLock { $0.isKnown(path, signature) })
    }

    private func absent(among paths: [FolderPath]) -> [FolderPath] {
        var presence = core.presence()
        let answers = paths.map { (path: $0, answer: presence.answer($0)) }
        // Asked last: a disk that went away while we looked took its marker with it.
        if core.complaint() != nil {
            core.queue.rescan()
            return []
        }
        core.noteUnreachable(answers.filter { $0.answer == .unknown }.map(\.path))
        return answers.filter { $0.answer == .absent }.map(\.path)
    }
}

extension FolderCore {
    /// Nobody can tell whether these files are there: they stay as they are until a scan can. Blocks.
    func noteUnreachable(_ paths: [FolderPath]) {
        if paths.isEmpty { return }
        let away = mounts.withLock { $0 }.away()
        let delay = gaps.withLock { gaps in
            gaps.add(unreachable: paths, away: away)
            return gaps.delay
        }
        if let delay { queue.rescan(within: delay) }
    }

    /// Tells the host what cannot be looked at, if that changed.
    func tellGaps() async {
        let gaps = gaps.withLock { $0 }
        let root = root
        let sentence = gaps.sentence(root: root) { directory in
            state.withLock { $0.files.keys.count { $0 == directory || $0.isBelow(directory) } }
        }
        let isNews = toldGaps.withLock { told in
            defer { told = sentence }
            return told != sentence
        }
        if isNews { await host.report(.unreachable(sentence)) }
    }
}
