import AlbumModel
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Judges what waits, tells the agent what it means, and lets folder state follow, in this order.
///
/// So a crash in between has the same group judged again. What the brake holds back stays as it is in folder state.
struct Judge: Sendable {
    let core: FolderCore

    /// Tries again later if it fails.
    func run() async {
        do {
            try await judge()
        } catch {
            core.logger.warning("changes not judged", metadata: ["error.message": "\(error.message)"])
            core.queue.awaitJudging()
        }
        core.queue.finishJudging()
    }

    func judge() async throws(FolderError) {
        do {
            try await core.judging.withTurn(true) { try await judgeInTurn() }
        } catch {
            throw FolderError(error)
        }
    }

    private func judgeInTurn() async throws {
        let paths = try await verified()
        let group = await ChangeGroup(paths, core: core)
        let (ready, putOff) = putOff(group.judgement.steps)
        let (free, held) = split(ready, group)
        // What is added to an album is placed there at once, unless folder state has its file: not before that is so.
        try await core.turns.withTurns(group.newcomers(by: free)) {
            let settlement = try await Settler(core: core, group: group).settle(free)
            await core.commit(core.state.withLock { $0.settle(settlement) })
        }
        let kept = Set((held + putOff).map(\.lost.path))
        core.pending.withLock { $0.remove(judged: paths.filter { !kept.contains($0.key) }) }
        lookAgain(at: group.judgement.unrelated, group)
        if !putOff.isEmpty { core.queue.awaitJudging() }
        await announce(held.filter(\.isLoss), group)
        core.heldKnown.open()
    }

    private enum Standing: Hashable {
        case same
        case changed
        /// It cannot be looked at: nothing follows from it.
        case unknown
    }

    /// What waits and is still so. What changed is looked at once more; what nobody can look at is left as it was before.
    private func verified() async throws -> [FolderPath: PendingChanges.Now] {
        let waiting = core.pending.withLock { $0.paths }
        let (standings, complaint) = try await core.pool.perform { [core] in
            var presence = core.presence()
            var standings: [FolderPath: Standing] = [:]
            for (path, now) in waiting { standings[path] = self.standing(path, now, &presence) }
            // Asked last: a disk that went away while we looked took its marker with it.
            let complaint = core.complaint()
            if complaint == nil { core.noteUnreachable(standings.filter { $0.value == .unknown }.keys.sorted()) }
            return (standings, complaint)
        }
        if let complaint {
            core.queue.rescan()
            throw FolderError(.unavailable, complaint)
        }
        let unknown = waiting.keys.filter { standings[$0] == .unknown }
        core.pending.withLock { $0.remove(unknown: unknown) }
        let stale = waiting.filter { standings[$0.key] == .changed }
        core.pending.withLock { $0.remove(judged: stale) }
        for (path, now) in stale.sorted(by: { $0.key < $1.key }) {
            let vanished = now.signature == nil ? [] : [path]
            core.queue.noticed(
                touched: [path], vanished: vanished, isLive: now.found?.isLive ?? false, isVanishTold: false)
        }
        return waiting.filter { standings[$0.key] == .same }
    }

    /// Blocks.
    private func standing(
        _ path: FolderPath, _ now: PendingChanges.Now, _ presence: inout DiskPresence
    ) -> Standing {
        // Also where a look succeeds: the last scan could not tell what else is there.
        if core.gaps.withLock({ $0.covers(path) }) { return .unknown }
        guard let signature = now.signature else {
            return switch presence.answer(path) {
            case .absent: .same
            case .present: .changed
            case .unknown: .unknown
            }
        }
        guard let info = SystemCall.look(path.absolute(in: core.root)) else {
            return SystemCall.saysAbsent && presence.answer(path) == .absent ? .changed : .unknown
        }
        if core.complaint(about: path) != nil { return .unknown }
        return FileSignature(FileStat(info)) == signature ? .same : .changed
    }

    /// What may be done, and what waits for a person, with all that would overwrite its records.
    private func split(
        _ steps: [Judgement.Step], _ group: ChangeGroup
    ) -> (free: [Judgement.Step], held: [Judgement.Step]) {
        let (isOn, confirmed) = core.pending.withLock { ($0.held != nil, $0.confirmed) }
        let losses = steps.filter { $0.isLoss && !confirmed.contains($0.lost.path) }
        guard isOn || Brake(judging: core.settings.judging).reason(group.brakeGroup(losses)) != nil else {
            return (steps, [])
        }
        var heldPaths = Set(losses.map(\.lost.path))
        while true {
            let more = steps.filter { step in
                !heldPaths.contains(step.lost.path) && step.target.map { heldPaths.contains($0) } ?? false
            }
            if more.isEmpty { break }
            heldPaths.formUnion(more.map(\.lost.path))
        }
        return (
            steps.filter { !heldPaths.contains($0.lost.path) }, steps.filter { heldPaths.contains($0.lost.path) }
        )
    }

    /// Lost files are judged later while one of their size is about to be taken in: it may be the same. A person's word
    /// waits for nothing.
    private func putOff(_ steps: [Judgement.Step]) -> (ready: [Judgement.Step], putOff: [Judgement.Step]) {
        let sizes = core.queue.unsettledByteCounts
        let confirmed = core.pending.withLock { $0.confirmed }
        func isPutOff(_ step: Judgement.Step) -> Bool {
            guard case .remove(let lost) = step, !confirmed.contains(lost.path) else { return false }
            return sizes.contains(lost.record.signature.byteCount)
        }
        return (steps.filter { !isPutOff($0) }, steps.filter { isPutOff($0) })
    }

    private func lookAgain(at paths: [FolderPath], _ group: ChangeGroup) {
        for path in paths where !core.pending.withLock({ $0.paths[path] != nil }) {
            core.queue.touched([path], isLive: group.found[path]!.photo.isLive)
        }
    }

    /// Tells the host what waits, if that changed; first it is made durable that something does.
    private func announce(_ losses: [Judgement.Step], _ group: ChangeGroup) async {
        let before = core.pending.withLock { $0.held }
        guard !losses.isEmpty else {
            guard before != nil else { return }
            core.pending.withLock {
                $0.held = nil
                $0.heldPaths = []
            }
            await core.commit([FactChange(kind: .folderHeld, key: [], value: nil)])
            return await core.host.heldBack(nil)
        }
        let reason = Brake(judging: core.settings.judging).reason(group.brakeGroup(losses))
        // An older copy stays one, also where the files that were made anew are forgotten by now.
        let isRestored = before?.reason == .restoredFolder
        let held = HeldGroup(
            id: before?.id ?? UInt64(UInt32.random(in: 1 ... .max)),
            reason: isRestored ? .restoredFolder : reason ?? Brake.likelyReason(losses), losses: losses,
            fileCounts: group.fileCounts)
        core.pending.withLock {
            $0.held = held
            $0.heldPaths = Set(losses.map(\.lost.path))
        }
        if before == nil {
            await core.commit([FactChange(kind: .folderHeld, key: [], value: BigEndian.bytes(held.id))])
        }
        if held != before { await core.host.heldBack(held) }
    }
}
