import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Looks through the whole folder for what the watcher missed, and judges what is there no more.
struct FolderScan: Sendable {
    /// What one look through the folder showed.
    struct Report: Sendable {
        /// Not as folder state has them.
        var unsettled: [FolderPath] = []
        var seen: Set<FolderPath> = []
    }

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
        await PowerCut(core: core).mend()
        // It fails only if the pool stops, and no scan is missed then.
        if let report = try? await core.pool.perform({ self.walk() }) {
            settle(report)
            core.adoptionScanned()
            // What a person is to decide upon may be over, or known from before a restart only.
            if core.pending.withLock({ $0.held != nil }) { core.queue.awaitJudging() }
        }
        let limit = core.watcher.complaint
        let told = core.toldLimit.withLock { told in
            defer { told = limit }
            return told
        }
        if let limit, limit != told { await core.host.report(.watchLimit(limit)) }
        let interval = limit == nil ? core.settings.rescanInterval : core.settings.fallbackRescanInterval
        core.queue.finishScan(isAvailable: true, after: interval)
    }

    /// Holds the files that are gone until they are judged. Nothing is gone of a folder that is not there.
    func hold(vanished paths: [FolderPath]) async {
        // It fails only if the pool stops, and the next start's scan finds them.
        guard let absent = try? await core.pool.perform({ self.absent(among: paths) }) else { return }
        for path in absent { core.skipped.withLock { $0.remove(path) } }
        await core.hold(absent.map { ($0, .absent) })
    }

    private func settle(_ report: Report) {
        core.skipped.withLock { $0.keep(report.seen) }
        // Those that wait to be judged are known to be gone.
        let waiting = core.pending.withLock { $0.paths }
        let vanished = core.state.withLock { state in
            state.files.keys.filter { !report.seen.contains($0) && waiting[$0] != .absent }
        }
        core.queue.noticed(touched: report.unsettled, vanished: vanished, isLive: false)
    }

    private func walk() -> Report {
        core.watcher.resetComplaint()
        var report = Report()
        var waiting = [FolderPath.root]
        while let directory = waiting.popLast() {
            // First watched, then listed: what comes in between is seen twice rather than never.
            core.watcher.watch(directory)
            for entry in DirectoryListing.entries(of: directory, in: core.root) ?? [] {
                let path = directory.appending(entry.name)
                if entry.isDirectory, JunkRules.reason(directoryName: entry.name) == nil {
                    waiting.append(path)
                } else if !JunkRules.isOwn(path) {
                    report.seen.insert(path)
                    if !isKnown(path) { report.unsettled.append(path) }
                }
            }
        }
        return report
    }

    private func isKnown(_ path: FolderPath) -> Bool {
        guard let info = SystemCall.look(path.absolute(in: core.root)) else { return false }
        let signature = FileSignature(FileStat(info))
        return core.state.withLock { $0.isKnown(path, signature) }
    }

    private func absent(among paths: [FolderPath]) -> [FolderPath] {
        var presence = DiskPresence(root: core.root)
        let absent = paths.filter { presence.isAbsent($0) }
        // Asked last: a disk that went away while we looked took its marker with it.
        if core.complaint() != nil {
            core.queue.rescan()
            return []
        }
        return absent
    }
}
