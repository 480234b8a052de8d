import AlbumModel
import FolderEngine
import Glibc
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
        let (paths, uncertain) = try await verified()
        let group = await group(of: paths)
        let evidence = await evidence(for: group.questions)
        let unsettledByteCounts = core.queue.unsettledByteCounts
        let decision = core.pending.withLock { pending in
            group.decide(
                evidence,
                ChangeGroup.Circumstances(
                    isHeld: pending.held != nil, confirmed: pending.confirmed, unsettledByteCounts: unsettledByteCounts,
                    uncertain: uncertain),
                judging: core.settings.judging)
        }
        // What is added to an album is placed there at once, unless folder state has its file: not before that is so.
        try await core.turns.withTurns(group.newcomers(by: decision.free)) {
            try await Settler(core: core, group: group).settle(decision.free)
        }
        let kept = decision.kept
        core.pending.withLock { $0.remove(judged: paths.filter { !kept.contains($0.key) }) }
        lookAgain(at: group.judgement.unrelated, group)
        if !decision.putOff.isEmpty { core.queue.awaitJudging() }
        await announce(decision.heldLosses, group, evidence)
        core.heldKnown.open()
    }

    private func group(of paths: [FolderPath: PendingChanges.Now]) async -> ChangeGroup {
        let lost = core.state.withLock { ChangeGroup.lost(paths, in: $0) }
        var albums: [FolderPath: AlbumID?] = [:]
        var found: [FolderPath: Judgement.Found] = [:]
        for (path, now) in paths {
            guard let photo = now.found else { continue }
            let directory = path.albumDirectory
            if albums[directory] == nil {
                albums[directory] = .some(await core.host.albumID(forDirectory: directory.text))
            }
            found[path] = Judgement.Found(photo: photo, album: albums[directory] ?? nil)
        }
        let state = core.state.withLock { $0 }
        let renewed = core.pending.withLock { $0.renewed(since: .now - core.settings.judging.waitMax) }
        return ChangeGroup(paths, lost: lost, found: found, state: state, renewed: renewed)
    }

    private func evidence(for questions: ChangeGroup.Questions) async -> ChangeGroup.Evidence {
        var older: Set<FolderPath> = []
        for (path, blob) in questions.standings {
            let standing = await core.host.standing(ofPhoto: blob, inDirectory: path.albumDirectory.text)
            if standing == .removed { older.insert(path) }
        }
        let explained = core.pending.withLock { $0.explained }
        let gone = try? await core.pool.perform { [core] in
            questions.directories.filter { directory in
                let info = SystemCall.look(directory.absolute(in: core.root))
                return info.map { $0.st_mode & S_IFMT != S_IFDIR } ?? true
            }
        }
        // Without an answer they count as gone, which asks a person.
        return ChangeGroup.Evidence(
            older: older, explained: explained, goneDirectories: gone ?? questions.directories)
    }

    /// What waits and is still so, and the photos of which nobody knows whether they are where they were found. What
    /// changed is looked at once more; what nobody can look at is left as it was before.
    private func verified() async throws -> (same: [FolderPath: PendingChanges.Now], uncertain: Set<BlobID>) {
        let waiting = core.pending.withLock { $0.paths }
        let (sights, complaint) = try await core.pool.perform { [core] in
            var presence = core.presence()
            var sights: [FolderPath: PendingChanges.Sight] = [:]
            for (path, now) in waiting { sights[path] = self.sight(path, now, &presence) }
            // Asked last: a disk that went away while we looked took its marker with it.
            let complaint = core.complaint()
            if complaint == nil { core.noteUnreachable(sights.filter { $0.value == .unknown }.keys.sorted()) }
            return (sights, complaint)
        }
        if let complaint {
            core.queue.rescan()
            throw FolderError(.unavailable, complaint)
        }
        let verified = core.pending.withLock { $0.verify(waiting, sights) }
        for (path, now) in verified.stale.sorted(by: { $0.key < $1.key }) {
            let vanished = now.signature == nil ? [] : [path]
            core.queue.noticed(
                touched: [path], vanished: vanished, isLive: now.found?.isLive ?? false, isVanishTold: false)
        }
        return (verified.same, verified.uncertain)
    }

    /// Blocks.
    private func sight(
        _ path: FolderPath, _ now: PendingChanges.Now, _ presence: inout DiskPresence<FolderMounts>
    ) -> PendingChanges.Sight {
        // Also where a look succeeds: the last scan could not tell what else is there.
        if core.gaps.withLock({ $0.covers(path) }) { return .unknown }
        guard now.signature != nil else {
            return switch presence.answer(path) {
            case .absent: .absent
            case .present: .present(nil)
            case .unknown: .unknown
            }
        }
        guard let info = SystemCall.look(path.absolute(in: core.root)) else {
            return SystemCall.saysAbsent && presence.answer(path) == .absent ? .absent : .unknown
        }
        if core.complaint(about: path) != nil { return .unknown }
        return .present(FileSignature(FileStat(info)))
    }

    private func lookAgain(at paths: [FolderPath], _ group: ChangeGroup) {
        for path in paths where !core.pending.withLock({ $0.paths[path] != nil }) {
            core.queue.touched([path], isLive: group.found[path]!.photo.isLive)
        }
    }

    /// Tells the host what waits, if that changed; first it is made durable that something does.
    private func announce(
        _ losses: [Judgement.Step], _ group: ChangeGroup, _ evidence: ChangeGroup.Evidence
    ) async {
        let before = core.pending.withLock { $0.held }
        let held = group.heldGroup(
            losses, evidence, after: before, newID: UInt64(UInt32.random(in: 1 ... .max)),
            judging: core.settings.judging)
        if before == nil, held == nil { return }
        core.pending.withLock {
            $0.held = held
            $0.heldPaths = Set(losses.map(\.lost.path))
        }
        if before == nil || held == nil {
            await core.commit([FactChange(kind: .folderHeld, key: [], value: held.map { BigEndian.bytes($0.id) })])
        }
        if held != before { await core.host.heldBack(held) }
    }
}
