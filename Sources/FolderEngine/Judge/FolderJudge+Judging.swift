import AlbumModel

/// Judges what waits, tells the agent what it means, and lets folder state follow, in this order.
///
/// So a crash in between has the same group judged again. What the brake holds back stays as it is in folder state.
extension FolderJudge {
    /// One judgement: each phase waits for one answer.
    struct JudgingRound: Sendable {
        enum Phase: Sendable {
            case verifying
            case identifying
            case inquiring(ChangeGroup)
            case settling(ChangeGroup, ChangeGroup.Evidence, ChangeGroup.Decision)
        }

        /// Names the group, if it has to wait and none did before.
        let newID: UInt64
        var phase = Phase.verifying
        /// What is still as it was found.
        var paths: [FolderPath: PendingChanges.Now] = [:]
        /// Photos of which nobody knows whether they are where they were found.
        var uncertain: [FolderPath: BlobID] = [:]
        /// How often it was overtaken, …
        var anewCount = 0
        /// … after how many times what did that is judged later, without the others: it may be written over all the time.
        static let anewCountMax = 8
        var overtakers: Set<FolderPath> = []
    }

    mutating func judge(newID: UInt64) -> [FolderDirective] {
        round = JudgingRound(newID: newID)
        let waiting = pending.paths
        let compared = Set(waiting.filter { $0.value.signature != nil }.keys)
        return [.check(FolderCheck(.pending(waiting), waiting.keys, compared: compared))]
    }

    /// What changed is looked at once more; what nobody can look at is left as it was before.
    mutating func verified(
        _ waiting: [FolderPath: PendingChanges.Now], _ answer: FolderCheck.Answer?,
        now: MonotonicInstant
    ) -> [FolderDirective] {
        guard case .verifying? = round?.phase else { return [] }
        guard let answer else { return refuse("The folder cannot be looked at now.") }
        if let complaint = complaint(answer.complaint) {
            schedule.rescan(now: now)
            return refuse(complaint)
        }
        var sights = answer.sights
        // Also where a look succeeds: the last scan could not tell what else is there.
        for path in sights.keys where gaps.covers(path) { sights[path] = .unknown }
        noteUnreachable(sights.filter { $0.value == .unknown }.keys.sorted(), away: answer.away, now: now)
        let verified = pending.verify(waiting, sights)
        for (path, sight) in verified.stale.sorted(by: { $0.key < $1.key }) {
            schedule.noticed(
                touched: [path], vanished: sight.signature == nil ? [] : [path], isLive: sight.found?.isLive ?? false,
                isVanishTold: false, now: now)
        }
        round?.paths = verified.same
        round?.uncertain = verified.uncertain
        round?.phase = .identifying
        let directories = Set(verified.same.compactMap { $0.value.found == nil ? nil : $0.key.albumDirectory })
        return directories.isEmpty ? identified([:], now: now) : [.identify(directories.sorted())]
    }

    private mutating func refuse(_ reason: String) -> [FolderDirective] {
        round = nil
        return [.refuse(reason)]
    }

    mutating func identified(_ albums: [FolderPath: AlbumID], now: MonotonicInstant) -> [FolderDirective] {
        guard let round, case .identifying = round.phase else { return [] }
        var found: [FolderPath: Judgement.Found] = [:]
        for (path, sight) in round.paths {
            found[path] = sight.found.map { Judgement.Found(photo: $0, album: albums[path.albumDirectory]) }
        }
        let group = ChangeGroup(
            round.paths, lost: ChangeGroup.lost(round.paths, in: state), found: found, state: state,
            renewed: pending.renewed(since: now - settings.judging.waitMax))
        self.round?.phase = .inquiring(group)
        if !group.questions.isEmpty { return [.inquire(group.questions)] }
        return decide(older: [], withdrawn: [], goneDirectories: [], now: now)
    }

    mutating func decide(
        older: Set<FolderPath>, withdrawn: Set<FolderPath>, goneDirectories: Set<FolderPath>, now: MonotonicInstant
    ) -> [FolderDirective] {
        guard let round, case .inquiring(let group) = round.phase else { return [] }
        // That a file went says little where nobody sees what comes.
        let explained = pending.explained.filter { !gaps.mayHideMove(of: $0) }
        let evidence = ChangeGroup.Evidence(
            older: older, withdrawn: withdrawn, explained: explained, goneDirectories: goneDirectories)
        let decision = group.decide(evidence, circumstances(of: round), judging: settings.judging)
        self.round?.phase = .settling(group, evidence, decision)
        return decision.free.isEmpty ? settled([:], now: now) : [.settle(group, decision.free)]
    }

    private func circumstances(of round: JudgingRound) -> ChangeGroup.Circumstances {
        ChangeGroup.Circumstances(
            isHeld: pending.held != nil, confirmed: pending.confirmed,
            unsettledByteCounts: schedule.unsettledByteCounts, unseenAlbums: schedule.unseenAlbums,
            uncertain: uncertain(in: round),
            restless: round.anewCount < JudgingRound.anewCountMax ? [] : round.overtakers)
    }

    /// Photos that are being found, were found since a judgement began, or were where nobody can look now.
    private func uncertain(in round: JudgingRound) -> [BlobID: Set<FolderPath>] {
        let late = pending.paths.filter { round.paths[$0.key] != $0.value }.compactMapValues { $0.found?.id }
        var directories: [BlobID: Set<FolderPath>] = [:]
        for finds in [round.uncertain, late, looks.finds] {
            for (path, blob) in finds { directories[blob, default: []].insert(path.albumDirectory) }
        }
        return directories
    }

    /// Whether a photo that leaves its album by these steps was found, or is being found, since that was decided, or its file
    /// is back. To be asked in its turn, right before the agent is told of it.
    package func isOvertaken(_ steps: [Judgement.Step]) -> Bool { !overtaken(steps).isEmpty }

    private func overtaken(_ steps: [Judgement.Step]) -> [FolderPath] {
        guard let round, case .settling(let group, _, _) = round.phase else { return [] }
        let circumstances = circumstances(of: round)
        return steps.filter { step in
            guard step.isLoss || step.isMove else { return false }
            let path = step.lost.path
            return pending.paths[path] != round.paths[path] || group.isPutOff(step, circumstances)
        }.map(\.lost.path)
    }

    /// The same, with all that was found meanwhile.
    mutating func judgeAnew() -> [FolderDirective] {
        guard let round, case .settling(_, _, let decision) = round.phase else { return [] }
        let overtakers = round.overtakers.union(overtaken(decision.free))
        let directives = judge(newID: round.newID)
        self.round?.anewCount = round.anewCount + 1
        self.round?.overtakers = overtakers
        return directives
    }

    /// That a person deleted photos which move to their album, or are written over others there, ends before it has them
    /// again: else a crash in between, and files that go unseen, leave photos that nobody places.
    mutating func settling(now: MonotonicInstant) -> [FolderDirective] {
        guard let round, case .settling(let group, _, let decision) = round.phase else { return [] }
        let deleted = group.newPhotos(of: decision.free).filter { state.gone[$0] != nil }
        return Self.commit(deleted.flatMap { letBack($0, now: now) })
    }

    /// Folder state follows once the agent's part is durable.
    mutating func settled(_ albums: [FolderPath: AlbumID], now: MonotonicInstant) -> [FolderDirective] {
        guard let round, case .settling(let group, let evidence, let decision) = round.phase else { return [] }
        self.round = nil
        let (settlement, unplaced) = group.settlement(of: decision.free, albums: albums, in: state)
        let changes = state.settle(settlement)
        renamings.checkPhotos(now: now)
        schedule.noticed(touched: unplaced, vanished: [], isLive: true, now: now)
        let kept = decision.kept
        // Looks that found them as folder state had them then say nothing of what it has now.
        let overlooked = round.paths.keys.filter { pending.paths[$0] == nil }.sorted()
        schedule.noticed(touched: overlooked, vanished: [], isLive: true, now: now)
        pending.remove(judged: round.paths.filter { !kept.contains($0.key) })
        for path in group.judgement.unrelated + decision.anew where pending.paths[path] == nil {
            let isLive = group.found[path]!.photo.isLive
            schedule.noticed(touched: [path], vanished: [], isLive: isLive, now: now)
        }
        // What was found, and could not be looked at again, waits as well.
        schedule.putOffJudging(!decision.putOff.isEmpty || !round.uncertain.isEmpty, now: now)
        // What waits already goes on being told while a part of it is put off.
        let waiting = pending.held == nil ? [] : decision.putOff.filter(\.isLoss)
        return Self.commit(changes) + announce(decision.heldLosses + waiting, group, evidence, newID: round.newID)
    }

    /// Tells what waits, if that changed; first it is made durable that something does.
    private mutating func announce(
        _ losses: [Judgement.Step], _ group: ChangeGroup, _ evidence: ChangeGroup.Evidence, newID: UInt64
    ) -> [FolderDirective] {
        let before = pending.held
        pending.heldLosses.follow(Set(losses.map(\.lost.path)), firstVersion: newID) { group.found[$0]?.photo.id }
        let version = pending.heldLosses.version
        let held = group.heldGroup(
            losses, evidence, after: before, newID: newID, version: version, judging: settings.judging)
        if before == nil, held == nil { return [] }
        pending.held = held
        var directives: [FolderDirective] = []
        if before == nil || held == nil {
            let id = held.map { BigEndian.bytes($0.id) }
            directives = Self.commit([FactChange(kind: .folderHeld, key: [], value: id)])
        }
        return directives + (held == before ? [] : [.hold(held)])
    }
}
