import AlbumModel
import NIOPosix
import PhotoStore
import PotluckAPI
import Synchronization

/// Looks through a home, for a person or by itself; the two never read at once.
final class Upkeep: Sendable {
    /// An interrupted look that is older begins anew: it would say little about today.
    private static let resumableAge: UInt64 = 24 * 3600 * 1_000_000
    private static let findingCountMax = 1000

    let home: any CheckedHome
    /// One thread, on which nothing else runs.
    let pool: NIOThreadPool
    private let isVerifying = Mutex(false)

    init(home: any CheckedHome, pool: NIOThreadPool) {
        self.home = home
        self.pool = pool
    }

    /// A person's look is under way.
    var isBusy: Bool { isVerifying.withLock { $0 } }

    /// Compares the parts of the home, and reads every blob.
    ///
    /// - Throws: ``PotluckError``; `CancellationError` where the task was cancelled: the next look goes on from there.
    func verify(
        _ order: VerifyOrder, progress: (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        let isFirst = isVerifying.withLock { isVerifying in
            defer { isVerifying = true }
            return !isVerifying
        }
        guard isFirst else {
            throw PotluckError(.tryAgain, "Another `potluck verify` looks through this home; wait until it is done.")
        }
        defer { isVerifying.withLock { $0 = false } }
        var report = VerifyReport()
        try await HomeCheck(home: home, repair: order.repair, pool: pool).run(&report)
        try await readBlobs(order, &report, progress)
        let quarantine = try await pool.perform { [home] in try home.blobs.quarantined() }
        report.quarantine = VerifyReport.Quarantine(files: quarantine.files, bytes: quarantine.byteCount)
        return report
    }

    private func readBlobs(
        _ order: VerifyOrder, _ report: inout VerifyReport, _ progress: (VerifyProgress) async -> Void
    ) async throws {
        let round = BlobRound(home: home, key: .verify, pace: { .quick }, pool: pool)
        var state = try await pool.perform { [home] in try home.journal.round(.verify) }
        let wall = SystemClock().wall
        let isFresh = state.saved <= wall && wall - state.saved < Self.resumableAge
        if order.restart || !isFresh || !state.isUnderWay { state = RoundState() }
        report.resumed = Int(state.files)
        var findings: [VerifyReport.Finding] = []
        try await round.run(&state) { blob, condition in
            let finding = try await judge(blob, condition, repair: order.repair)
            if findings.count < Self.findingCountMax { findings.append(finding) }
            return !finding.mended
        } progress: { state, total, byteTotal in
            await progress(
                VerifyProgress(
                    files: Int(state.files), fileTotal: total, bytes: state.byteCount, byteTotal: byteTotal))
        }
        report.files = Int(state.files)
        report.bytes = state.byteCount
        report.findings += findings
        try await end(&state, round)
    }

    /// A look that left nothing wrong is worth as much as a weekly one.
    private func end(_ state: inout RoundState, _ round: BlobRound) async throws {
        let isClean = state.wrong.isEmpty
        state.finish(at: SystemClock().wall)
        try await pool.perform { [home, state] in
            try home.journal.setRound(.verify, state)
            if isClean { try home.journal.setRound(.scrub, state) }
        }
    }

    /// Reads one blob.
    ///
    /// - Parameter repair: as in ``judge(_:_:repair:)``.
    /// - Returns: `nil` where it is whole.
    /// - Throws: `CancellationError` where the task was cancelled; what is no finding about this blob.
    func look(at blob: BlobID, repair: Bool) async throws -> VerifyReport.Finding? {
        let condition = try await BlobRound(home: home, key: .scrub, pace: { .quick }, pool: pool).check(blob)
        return condition == .whole ? nil : try await judge(blob, condition, repair: repair)
    }

    /// What to say of a blob that is not whole, and, with `repair`, what was done about it.
    func judge(_ blob: BlobID, _ condition: BlobCondition, repair: Bool) async throws -> VerifyReport.Finding {
        let (album, name, isPicture) = home.name(of: blob, await home.engine)
        let shown = (isPicture ? "The small picture of " : "") + (name ?? "A file that no album shows")
        var finding = VerifyReport.Finding(
            .photoDamaged, photo: blob.hex, album: album, name: name,
            message: "\(shown) is damaged: the disk gives back other bytes than were written.",
            remedy: "`potluck verify --repair` sets it aside and fetches it again.")
        var inode: UInt64 = 0
        switch condition {
        case .whole: break
        case .changed(let found): inode = found
        case .unreadable(let found, let reason):
            inode = found
            finding.kind = .photoUnreadable
            finding.message = "\(shown) cannot be read. \(reason)"
        case .unknown(let reason):
            finding.kind = .photoUnreadable
            finding.message = "\(shown) cannot be looked at now. \(reason)"
            finding.remedy = "It stays as it is, and is looked at again. See that the disk is there and sound."
            return finding
        case .absent:
            finding.kind = .photoLost
            finding.message = "\(shown) is not in the store any more: its file is gone."
        }
        // The store itself has forgotten what is gone, so others have to know in any case.
        guard repair || condition == .absent else { return finding }
        if case .unreadable = condition, try await !home.hasAnother(of: blob, than: inode) {
            finding.remedy =
                "It stays in the store, since the disk may give it back at another time, and is read again. \(home.source(of: blob, await home.engine).sentence)"
            return finding
        }
        (finding.remedy, finding.mended) = try await home.replace(blob, inode: inode)
        return finding
    }
}
