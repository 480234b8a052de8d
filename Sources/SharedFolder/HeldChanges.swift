import AlbumModel
public import FolderEngine
import NIOPosix
import PhotoStore
import Synchronization

extension SharedFolder {
    /// The group that waits for a person; `nil` if none does.
    ///
    /// After a start amid a hold it returns once the folder has been looked through, so that nobody is told that nothing
    /// waits.
    /// - Throws: ``FolderError/Code/unavailable`` if that takes longer than ``FolderSettings/heldPatience``.
    public func heldGroup() async throws(FolderError) -> HeldGroup? {
        try await HeldChanges(core: core).waitUntilKnown()
        return core.queue.read { $0.pending.held }
    }

    /// What a person saw that the brake holds back was meant: it is told to the host as edits, and returns when that is
    /// done. What joined the group since goes on waiting.
    ///
    /// Where nothing waits, and nothing did when they looked, disks in the folder that are away are given up: what was on
    /// them is looked for in the folder as it is now, and waits for a word of its own.
    /// - Parameter version: ``HeldGroup/version`` of what they saw; `nil` where they saw that nothing waits.
    /// - Throws: ``FolderError/Code/unavailable`` where other files wait than they saw; nothing is confirmed then. Any other
    ///   ``FolderError``: it is tried again by itself.
    public func confirmHeld(version: UInt64?) async throws(FolderError) {
        try await HeldChanges(core: core).waitUntilKnown()
        if core.queue.read({ $0.pending.held == nil }) {
            if version == nil { try await HeldChanges(core: core).giveUpDisks() }
            return
        }
        try await DirectiveRunner(core: core).perform(core.queue.handle(.confirmed(version: version)))
        try await Judge(core: core).judge()
    }

    /// What the brake holds back was not meant: the photos' files are placed again from the store, where they were.
    ///
    /// A file that took a photo's name is kept beside it as `name (changed).jpg`, and is shared if it is a photo. Without
    /// effect where nothing waits.
    /// - Throws: ``FolderError`` for the first photo whose file could not be placed; the others are there, and it goes on
    ///   waiting.
    public func undoHeld() async throws(FolderError) {
        let changes = HeldChanges(core: core)
        try await changes.waitUntilKnown()
        do {
            try await core.withTurns([.judging]) { try await changes.undo() }
        } catch {
            throw FolderError(error)
        }
    }
}

/// Puts back the files that the brake holds back. Nothing is replaced.
struct HeldChanges: Sendable {
    let core: FolderCore

    /// After a restart the folder is looked through before anyone knows what it is about.
    func waitUntilKnown() async throws(FolderError) {
        if await core.isHeldKnown() { return }
        throw FolderError(
            .unavailable,
            "Files wait for a decision, but the folder is still being looked through. Nothing was removed "
                + "or replaced. Try again in a moment.")
    }

    /// From now on the folder is what is mounted in it now.
    func giveUpDisks() async throws(FolderError) {
        let table: MountTable?
        do {
            table = try await core.pool.perform { [core] in core.mounts.table() }
        } catch {
            // It fails only if the pool stops.
            return
        }
        try await DirectiveRunner(core: core).perform(core.queue.handle(.disksGivenUp(table)))
    }

    /// To be called in the turn of judging.
    func undo() async throws {
        // It may have been found out meanwhile that nothing waits.
        if core.queue.read({ !$0.isHeldKnown || $0.pending.held == nil }) { return }
        var failure: FolderError?
        let files = core.queue.read { $0.undoing() }
        for (path, record) in files {
            let outcome: FolderInput.BringingBack
            do {
                let isDone = try await PuttingBack(core: core).bringBack(path, record, for: .undoing)
                outcome = isDone ? .done : .unwanted
            } catch {
                failure = failure ?? FolderError(error)
                outcome = .failed
            }
            await DirectiveRunner(core: core).follow(.undone(path, record, outcome))
        }
        await DirectiveRunner(core: core).follow(.undoingEnded)
        if let failure { throw failure }
    }
}
