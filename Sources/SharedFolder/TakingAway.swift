public import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import Logging
import NIOPosix
import PhotoStore
import Synchronization

extension SharedFolder {
    /// Takes the files of photos out of the folder, durably: their album lost them, or they are hidden here.
    ///
    /// That is no person's deletion: no edit follows, and a photo that comes back to its album may be placed again. A
    /// file whose bytes are no longer the photo's is left alone, and so is one that lists as removed before. The blob is
    /// in the store before its file goes. Photos without a file cost nothing.
    /// - Throws: ``FolderError``, after the files that could be taken are gone; the rest is tried again by the next call
    ///   for the photo, and when the folder is next run.
    public func takeAway(_ photos: [PhotoKey]) async throws(FolderError) {
        try await DirectiveRunner(core: core).performDurably(core.queue.handle(.unwanted(photos)))
    }

    /// Photos that a person deleted may be placed again, which is the caller's to do.
    public func letBack(_ photos: [PhotoKey]) async throws(FolderError) {
        try await DirectiveRunner(core: core).performDurably(core.queue.handle(.letBack(photos)))
    }
}

/// Takes files out of the folder, in groups: intents committed, files gone, directories synced, records dropped, in this
/// order.
struct TakingAway: Sendable {
    typealias Outcome = FolderInput.TakingAway

    /// Files that go together. Their names are free for others once the last of them is gone.
    static let groupCountMax = 64

    /// What became of a group.
    private struct Taken: Sendable {
        /// Of the files of which it is known. What is gone is so durably.
        var outcomes: [FolderPath: Outcome] = [:]
        /// The first thing that failed.
        var failure: FolderError?

        var directories: Set<FolderPath> { Set(outcomes.filter { $0.value == .gone }.keys.map(\.parent)) }
    }

    let core: FolderCore

    /// Goes on with files that were to be taken away: what fails is tried again by the next start, and the next scan that
    /// finds something back.
    func goOn(with files: [FolderPath: FileRecord], intents: [FactChange]) async {
        do {
            try await takeAway(files, intents: intents)
        } catch {
            core.logger.warning("files not taken away", metadata: ["error.message": "\(error.message)"])
        }
    }

    func takeAway(_ files: [FolderPath: FileRecord], intents: [FactChange]) async throws(FolderError) {
        do {
            try await core.facts.commit(intents)
        } catch {
            await DirectiveRunner(core: core).follow(.takenAway(files, [:]))
            throw error
        }
        var directories: Set<FolderPath> = []
        var failure: FolderError?
        let ordered = files.sorted { $0.key < $1.key }
        for start in stride(from: 0, to: ordered.count, by: Self.groupCountMax) {
            let group = Dictionary(
                uniqueKeysWithValues: ordered[start...].prefix(Self.groupCountMax).map { ($0.key, $0.value) })
            let taken = await taken(group)
            directories.formUnion(taken.directories)
            failure = failure ?? taken.failure
            do {
                try await DirectiveRunner(core: core).performDurably(
                    core.queue.handle(.takenAway(group, taken.outcomes)))
            } catch {
                failure = failure ?? error
            }
        }
        await removeEmpty(directories)
        if let failure { throw failure }
    }

    private func taken(_ group: [FolderPath: FileRecord]) async -> Taken {
        do {
            return try await core.withTurns(Set(group.values.map { .photo($0.photo.blob) })) {
                try await core.pool.perform { self.takeAway(group) }
            }
        } catch {
            return Taken(failure: FolderError(error))
        }
    }
}

extension TakingAway {
    /// Blocks.
    private func takeAway(_ group: [FolderPath: FileRecord]) -> Taken {
        var taken = Taken()
        for (path, record) in group.sorted(by: { $0.key < $1.key }) {
            do {
                taken.outcomes[path] = try takeAway(path, record)
            } catch {
                taken.failure = taken.failure ?? FolderError(error)
            }
        }
        for directory in taken.directories {
            do throws(FolderError) {
                try SystemCall.synchronizeDirectory(directory, root: core.root)
            } catch {
                // A power cut may bring its files back: their records stay.
                taken.outcomes = taken.outcomes.filter { $0.value != .gone || $0.key.parent != directory }
                taken.failure = taken.failure ?? error
            }
        }
        return taken
    }

    /// Directories of albums that have no file left in them go as well, where nothing else is in them. The next photo of
    /// the album has its directory made again.
    private func removeEmpty(_ directories: Set<FolderPath>) async {
        // The pool is gone where the agent ends.
        try? await core.pool.perform { for directory in directories { removeEmpty(directory) } }
    }

    /// Blocks.
    private func removeEmpty(_ directory: FolderPath) {
        core.directories.withLock { _ in
            let isUsed = core.queue.read { $0.state.isUsed(directory.albumDirectory) }
            guard !isUsed, core.complaint() == nil, core.complaint(about: directory) == nil else { return }
            var path = directory
            while path != .root, Disk.removeIfEmpty(path.absolute(in: core.root)) { path = path.parent }
        }
    }

    /// Blocks. `nil` where the file is not to go any more.
    private func takeAway(_ path: FolderPath, _ record: FileRecord) throws -> Outcome? {
        if let complaint = core.complaint() ?? core.complaint(about: path) {
            throw FolderError(.unavailable, complaint)
        }
        // What cannot be looked at is left as it is.
        if core.queue.read({ $0.gaps.covers(path) }) { throw Self.unverified(path, core) }
        // What an attempt that failed has left.
        _ = try core.hiding.withLock { _ in try HidingPlace(of: path, in: core.root).settle(record.signature) }
        let file = try look(at: path, record)
        let verdict = core.queue.read { $0.verdict(on: file, at: path, record) }
        switch verdict {
        case .gone: return .gone
        case .left: return .left
        case .stays: return .stays
        case .overtaken: return nil
        case .later: throw Self.unverified(path, core)
        case .removed(let seen):
            if try core.blobs.open(record.photo.blob) == nil {
                guard try LostBytes.take(path, signature: seen, blob: record.photo.blob, core) != nil else {
                    return .left
                }
            }
            return try remove(path, seen)
        }
    }

    private func look(at path: FolderPath, _ record: FileRecord) throws -> LeavingFile {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path.absolute(in: core.root), .read(followsLink: false))
        } catch {
            if error.errno == ELOOP { return .notFile }
            guard error.isAbsent else { throw error }
            return isGone(path) ? .absent : .unknown
        }
        let seen = FileSignature(try FileStat(descriptor: file.number))
        return .file(
            seen, .init(Descriptor.writer(of: file.number)), holdsPhoto: try holds(record, path, seen))
    }

    private func isGone(_ path: FolderPath) -> Bool {
        var presence = core.presence()
        // The marker is asked for last: a disk that went away while we looked took its files along.
        return presence.isAbsent(path) && core.complaint() == nil
    }

    private static func unverified(_ path: FolderPath, _ core: FolderCore) -> FolderError {
        FolderError(.unavailable, "\(core.root)/\(path) cannot be looked at now, so it is not removed yet.")
    }

    /// - Throws: where the file cannot be compared: it stays, with its record, until it can be.
    private func holds(_ record: FileRecord, _ path: FolderPath, _ seen: FileSignature) throws(BlobError) -> Bool {
        if record.signature == seen { return true }
        let stat = try core.blobs.stat(ofFileWith: record.photo.blob, at: core.root + "/" + path.text)
        return stat.map { FileSignature($0) } == seen
    }

    /// Moved out of sight first: what a person put there at the last moment shows then, and goes back.
    private func remove(_ path: FolderPath, _ seen: FileSignature) throws -> Outcome {
        try core.hiding.withLock { _ in
            let place = HidingPlace(of: path, in: core.root)
            do throws(FileError) {
                try place.hide()
            } catch {
                guard error.isAbsent else { throw error }
                guard isGone(path) else { throw Self.unverified(path, core) }
                return .gone
            }
            return try place.settle(seen) ? .gone : .left
        }
    }
}
