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
    private static let nameNumberMax = 1000

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
                try await core.turns.withTurn(record.photo.blob) { try await putBack(path, record) }
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

    private func putBack(_ path: FolderPath, _ record: FileRecord) async throws {
        try await core.facts.commit(core.state.withLock { $0.reserveAgain(path, for: record.photo) })
        let signature: Result<FileSignature, any Error>
        do {
            signature = .success(try await core.pool.perform { try self.placeAgain(path, record) })
        } catch {
            signature = .failure(error)
        }
        let (changes, wasNoticed) = core.state.withLock { state in
            let (changes, wasNoticed) = state.release(path)
            guard case .success(let signature) = signature, state.files[path]?.photo == record.photo else {
                return (changes, wasNoticed)
            }
            let again = FileRecord(photo: record.photo, signature: signature, origin: record.origin)
            return (changes + state.record(path, again), wasNoticed)
        }
        await core.commit(changes)
        if wasNoticed { core.queue.touched([path], isLive: true) }
        _ = try signature.get()
    }
}

extension HeldChanges {
    /// Blocks.
    private func placeAgain(_ path: FolderPath, _ record: FileRecord) throws -> FileSignature {
        if let complaint = core.placingComplaint() { throw FolderError(.unavailable, complaint) }
        try makeDirectories(path.parent)
        let absolute = core.root + "/" + path.text
        if SystemCall.look(path.absolute(in: core.root)) != nil {
            // A person was quicker.
            let own = try? core.blobs.stat(ofFileWith: record.photo.blob, at: absolute)
            if let own = own ?? nil { return FileSignature(own) }
            // Else it would be moved aside for nothing.
            guard try core.blobs.open(record.photo.blob) != nil else {
                throw FolderError(.blobGone, "The photo that was \(path) is not on this laptop any more.")
            }
            try moveAside(path)
        }
        return FileSignature(
            try core.blobs.place(
                record.photo.blob, at: absolute, mayLink: false, modified: record.signature.modified))
    }

    private func makeDirectories(_ directory: FolderPath) throws(FolderError) {
        var made = FolderPath.root
        for component in directory.components {
            let parent = made
            made = made.appending(component)
            if mkdir(made.absolute(in: core.root), 0o755) == 0 {
                try SystemCall.synchronizeDirectory(core.root + "/" + parent.text)
                continue
            }
            let text = core.root + "/" + made.text
            guard errno == EEXIST else { throw .last("make", text) }
            let isDirectory = SystemCall.look(made.absolute(in: core.root)).map { $0.st_mode & S_IFMT == S_IFDIR }
            guard isDirectory == true else { throw FolderError(.failed, "\(text) is in the way of a directory.") }
        }
    }

    private func moveAside(_ path: FolderPath) throws(FolderError) {
        let name = String(decoding: path.name, as: UTF8.self)
        for number in 1...Self.nameNumberMax {
            let aside = path.parent.appending(DiskName.besideItself(name, number: number).utf8)
            let status = SystemCall.renameWithoutReplacing(
                path.absolute(in: core.root), to: aside.absolute(in: core.root))
            if status == 0 { return }
            if status == EEXIST { continue }
            errno = status
            throw .last("rename", core.root + "/" + path.text)
        }
        throw FolderError(.failed, "There is no free name for \(path), which took a photo's name.")
    }
}
