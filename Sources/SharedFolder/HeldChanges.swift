import AlbumModel
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

extension SharedFolder {
    /// What the brake holds back was meant: it is told to the host as edits, and returns when that is done.
    ///
    /// Only what the host has been told of by ``FolderHost/heldBack(_:)``; later losses wait for another word. Without
    /// effect where nothing waits.
    /// - Throws: ``FolderError``; it is tried again by itself then.
    public func confirmHeld() async throws(FolderError) {
        try HeldChanges(core: core).checkKnown()
        core.pending.withLock { $0.confirmed.formUnion($0.heldPaths) }
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
        try changes.checkKnown()
        do {
            try await core.judging.withTurn(true) { try await changes.undo() }
        } catch {
            throw FolderError(error)
        }
    }
}

/// Puts back the files that the brake holds back. Nothing is replaced.
struct HeldChanges: Sendable {
    let core: FolderCore

    /// After a restart the folder is looked through before anyone knows what it is about.
    func checkKnown() throws(FolderError) {
        let isKnown = core.pending.withLock { $0.held == nil || !$0.heldPaths.isEmpty }
        if isKnown { return }
        throw FolderError(.unavailable, "The folder is still being looked through. Try again in a moment.")
    }

    func undo() async throws {
        var failure: FolderError?
        for path in core.pending.withLock({ $0.heldPaths }).sorted() {
            guard let record = core.state.withLock({ $0.files[path] }) else { continue }
            do {
                try await core.turns.withTurn(record.photo.blob) {
                    try await PuttingBack(core: core).putBack(path, record)
                }
                core.settled(path)
                core.pending.withLock { _ = $0.heldPaths.remove(path) }
            } catch {
                failure = failure ?? FolderError(error)
            }
        }
        if let failure { throw failure }
        let wasHeld = core.pending.withLock { pending in
            defer { pending.held = nil }
            return pending.held != nil
        }
        guard wasHeld else { return }
        await core.commit([FactChange(kind: .folderHeld, key: [], value: nil)])
        await core.host.heldBack(nil)
    }
}
