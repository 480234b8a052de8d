import AlbumModel
import NIOPosix
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine

/// What bounds this laptop's transfers at the moment.
struct TransferState: Sendable {
    var choices = TransferChoices()
    /// What the settings say.
    var standardLimits = TransferLimits()
    var reserve = DiskReserve.standard
    /// As it was last looked at.
    var space: DiskSpace?
    /// Photos and thumbnails that leave, and what little goes with them; nothing where only messages do.
    var sent = RateMeter()
    /// Choices are stored one after the other, each upon what the one before left.
    var isChanging = false
    var waiting: [CheckedContinuation<Void, Never>] = []

    var limits: TransferLimits { choices.limits(standardLimits) }

    var terms: PullTerms {
        PullTerms(
            isPaused: choices.isPaused, room: space?.room(keeping: reserve), byteRateMax: limits.down)
    }
}

extension EngineShell {
    /// Before anything is pulled.
    func beginTransfers(_ state: TransferState) {
        transfers = state
        applyTerms()
    }

    /// - Parameter space: `nil` where the disk did not say.
    func measured(_ space: DiskSpace?) {
        transfers.space = space ?? transfers.space
        applyTerms()
    }

    private func applyTerms() {
        feed(.pullTerms(transfers.terms))
        parts.transport.limitUploads(transfers.limits.up)
        note(.room, roomSentence)
    }

    /// Without the free bytes: it is news again whenever it changes.
    private var roomSentence: String? {
        guard !transfers.choices.isPaused, let space = transfers.space,
            engine.heldUpPhotos.contains(where: { _ in true })
        else { return nil }
        let kept = ByteAmount.text(transfers.reserve.byteCount(ofDisk: space.total))
        return
            "The disk is nearly full: \(kept) of it are kept free, and photos that do not fit wait until there is room. Names and thumbnails keep coming. Free some space, or set `reserve` in potluck.toml."
    }

    /// Makes a choice; it is durable when this returns.
    ///
    /// - Returns: what is in force then.
    @discardableResult
    nonisolated func choose(_ body: @Sendable (inout TransferChoices) -> Void) async throws -> TransferState {
        let (old, new) = await beginChoice(body)
        do {
            try await parts.journalPool.perform { [parts] in try parts.journal.setFacts(old.changes(to: new)) }
        } catch {
            await endChoice(nil)
            throw PotluckError(.failed, "That cannot be stored: \(error)")
        }
        return await endChoice(new)
    }

    private func beginChoice(
        _ body: @Sendable (inout TransferChoices) -> Void
    ) async -> (old: TransferChoices, new: TransferChoices) {
        while transfers.isChanging { await withCheckedContinuation { transfers.waiting.append($0) } }
        transfers.isChanging = true
        var new = transfers.choices
        body(&new)
        return (transfers.choices, new)
    }

    /// - Parameter new: `nil` if it could not be stored.
    @discardableResult
    private func endChoice(_ new: TransferChoices?) -> TransferState {
        transfers.isChanging = false
        for continuation in transfers.waiting { continuation.resume() }
        transfers.waiting.removeAll()
        guard let new else { return transfers }
        let isFetchingOther = new.fetching != transfers.choices.fetching
        transfers.choices = new
        if isFetchingOther { feed(.fetchPolicy(new.fetching)) }
        applyTerms()
        return transfers
    }

    /// Takes note of what left over a link since the last time, once it is more than messages make.
    ///
    /// - Returns: how much was taken note of.
    func noteSent(_ byteCount: UInt64) -> UInt64 {
        guard byteCount >= EngineLimits().progressByteCountMin else { return 0 }
        transfers.sent.count(Int(byteCount), now: parts.clock.now)
        return byteCount
    }
}
