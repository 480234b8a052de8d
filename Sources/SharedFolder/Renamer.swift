import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Gives an album's directory the album's name, and a placed file its photo's: intent committed, agent told of a directory,
/// renamed and synced, records moved, in this order.
///
/// So whatever the moment of a crash, the directory is known as the album's afterwards, and the file as the photo's, under
/// whichever name it has.
struct Renamer: Sendable {
    let core: FolderCore

    func run(_ subject: FolderRenaming.Subject, _ path: FolderPath) async {
        await core.withTurns([.judging]) {
            let turns = core.queue.read { $0.turnsOfRenaming(path) }
            await core.withTurns(turns) {
                guard let renaming = await begin(subject, path, turns) else {
                    return await DirectiveRunner(core: core).follow(.notRenamed)
                }
                await DirectiveRunner(core: core).follow(.renamed(renaming, await outcome(of: renaming)))
            }
        }
    }

    private func begin(
        _ subject: FolderRenaming.Subject, _ path: FolderPath, _ turns: Set<Turn>
    ) async -> FolderRenaming? {
        // Where the disk gives no answer, it is tried again.
        guard let look = try? await core.pool.perform({ try self.look(at: path, subject) }) else { return nil }
        return core.queue.change { judge, now in judge.beginRenaming(subject, path, turns: turns, look, now: now) }
    }

    private func outcome(of renaming: FolderRenaming) async -> FolderRenaming.Outcome {
        do {
            try await core.facts.commit([renaming.intent])
            if case .album(let album) = renaming.subject {
                try await core.host.directoryIsRenamed(
                    renaming.former.text, to: renaming.target.text, album: album)
            }
        } catch {
            warn(FolderError(error))
            return .unchanged
        }
        do {
            return try await core.pool.perform { try self.rename(renaming) }
        } catch {
            warn(FolderError(error))
            return .unknown
        }
    }

    private func warn(_ error: FolderError) {
        core.logger.warning("a directory or file not renamed", metadata: ["error.message": "\(error.message)"])
    }
}

extension Renamer {
    /// Blocks.
    private func look(at path: FolderPath, _ subject: FolderRenaming.Subject) throws -> FolderRenaming.Look {
        if let complaint = core.placingComplaint(in: subject.directory(of: path)) {
            throw FolderError(.unavailable, complaint)
        }
        let stat = try FileStat(path: path.absolute(in: core.root))
        guard isOnFoldersDisk(path, stat) else { throw Self.stays(path) }
        switch subject {
        case .album:
            guard stat.isDirectory else { throw Self.stays(path) }
            return FolderRenaming.Look(inode: stat.inode, names: try listNames(beside: path), type: nil)
        case .photo(let photo):
            guard isKnown(stat, at: path), try !isBeingWritten(path) else { throw Self.stays(path) }
            let names = try core.queue.read { $0.namesBeside(path, now: .now) } ?? listNames(beside: path)
            guard names.contains(path.name) else { throw Self.stays(path) }
            let name = String(decoding: path.name, as: UTF8.self)
            return FolderRenaming.Look(
                inode: stat.inode, names: names, type: try core.type(of: photo.blob, called: name))
        }
    }

    private func listNames(beside path: FolderPath) throws -> DirectoryNames {
        let began = MonotonicInstant.now
        guard case .whole(let entries) = core.mounts.listing(of: path.parent) else { throw Self.stays(path) }
        return DirectoryNames(entries, listed: began)
    }

    private static func stays(_ path: FolderPath) -> FolderError { FolderError(.failed, "\(path) keeps its name.") }

    /// Whether neither the directory nor one in it is a mount; a file is on the folder's disk.
    private func isOnFoldersDisk(_ path: FolderPath, _ stat: FileStat) -> Bool {
        guard let table = core.mounts.table() else { return false }
        return isOnFoldersDevice(stat) && !table.mounts.keys.contains { $0.isWithin(path) }
    }

    private func isOnFoldersDevice(_ stat: FileStat) -> Bool {
        (try? FileStat(path: core.root, followsLink: true))?.device == stat.device
    }

    /// Whether a file is the one that folder state has there, and nobody wrote to it.
    private func isKnown(_ stat: FileStat, at path: FolderPath) -> Bool {
        guard stat.isRegularFile, let record = core.queue.read({ $0.state.files[path] }) else { return false }
        return FileSignature(stat).isSameFile(as: record.signature)
    }

    private func isBeingWritten(_ path: FolderPath) throws -> Bool {
        let file = try Descriptor(opening: path.absolute(in: core.root), .read(followsLink: false))
        return Descriptor.writer(of: file.number) == .open
    }

    /// Blocks.
    private func rename(_ renaming: FolderRenaming) throws -> FolderRenaming.Outcome {
        switch renaming.subject {
        case .album: return try renameDirectory(renaming) ? .done(nil) : .unchanged
        case .photo(let photo):
            guard let signature = try renameFile(renaming, of: photo.blob) else { return .unchanged }
            return .done(signature)
        }
    }

    /// False where the directory has its former name, for sure.
    private func renameDirectory(_ renaming: FolderRenaming) throws -> Bool {
        let (former, target) = (renaming.former.absolute(in: core.root), renaming.target.absolute(in: core.root))
        let isRenamed = try core.directories.withLock { _ in
            guard let stat = try? FileStat(path: former), stat.inode == renaming.inode,
                isOnFoldersDisk(renaming.former, stat), core.complaint() == nil
            else { return false }
            do {
                try Disk.renameWithoutReplacing(former, to: target, claimingBy: .look)
                return true
            } catch {
                try recover(renaming, from: error)
                return false
            }
        }
        if isRenamed { try SystemCall.synchronizeDirectory(core.root) }
        return isRenamed
    }

    /// `nil` where the file has its former name, for sure.
    private func renameFile(_ renaming: FolderRenaming, of blob: BlobID) throws -> FileSignature? {
        if core.complaint() != nil { return nil }
        let (former, target) = (core.root + "/" + renaming.former.text, core.root + "/" + renaming.target.text)
        do {
            let stat = try core.blobs.rename(blob, from: former, to: target) { stat in
                // A file that became a mount since the look is not renamed: EBUSY. The table of mounts is not asked once
                // more, while all wait who open a blob.
                stat.inode == renaming.inode && isOnFoldersDevice(stat) && isKnown(stat, at: renaming.former)
            }
            return stat.map { FileSignature($0) }
        } catch {
            try recover(renaming, from: error)
            return nil
        }
    }

    /// Some network's file systems do what they say they could not.
    ///
    /// - Throws: the error, where there may not be the former name.
    private func recover(_ renaming: FolderRenaming, from error: any Error) throws {
        guard let stat = try? FileStat(path: renaming.former.absolute(in: core.root)), stat.inode == renaming.inode
        else {
            throw error
        }
        warn(FolderError(error))
    }
}

extension FolderMounts {
    /// What stands at both names of what was about to be renamed. A new one is made durable first. Blocks.
    func sights(
        of renaming: FolderRenaming, files: [FolderPath: FileRecord]
    ) -> (former: NameSight, target: NameSight) {
        let former = sight(of: renaming.former, isOfFile: renaming.isOfFile, files)
        let targets = files.map { (renaming.target(of: $0.key) ?? $0.key, $0.value) }
        let target = sight(
            of: renaming.target, isOfFile: renaming.isOfFile, Dictionary(targets) { first, _ in first })
        let isDurable = (try? SystemCall.synchronizeDirectory(renaming.target.parent, root: root)) != nil
        return (former, isDurable ? target : .unknown)
    }

    private func sight(of path: FolderPath, isOfFile: Bool, _ files: [FolderPath: FileRecord]) -> NameSight {
        NameSight(of: path, isOfFile: isOfFile, on: self) {
            guard let stat = try? FileStat(path: path.absolute(in: root)) else { return nil }
            let isKnown = files.contains { path, record in
                let stat = try? FileStat(path: path.absolute(in: root))
                return stat.map { FileSignature($0).isUnchanged(since: record.signature) } ?? false
            }
            return (inode: stat.inode, isKnown: isKnown)
        }
    }
}
