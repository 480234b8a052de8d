import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Puts received photos into the folder: intent committed, file placed, state recorded, in this order.
///
/// So whatever the moment of a crash, a file that this program placed is known as its own afterwards. A member's word
/// about a photo is not asked: the bytes say what it is.
struct Materialiser: Sendable {
    let core: FolderCore

    /// The path at which the photo is now; `nil` if it has a file in its album already, or had one that a person
    /// deleted.
    func place(_ placement: Placement) async throws(FolderError) -> FolderPath? {
        do {
            return try await core.turns.withTurn(placement.blob) { try await placeInTurn(placement) }
        } catch {
            throw FolderError(error)
        }
    }

    private func placeInTurn(_ placement: Placement) async throws -> FolderPath? {
        let photo = PhotoKey(album: placement.album, blob: placement.blob)
        let isUnwanted = core.state.withLock { !$0.paths(of: photo).isEmpty || $0.gone[photo] != nil }
        if isUnwanted { return nil }
        let (type, directory) = try await core.pool.perform {
            // First: what is no photo makes no directory.
            (try self.type(of: placement), try self.directory(for: placement))
        }
        let names = DiskName.candidates(
            name: placement.name, type: type, deviceName: placement.deviceName, blob: placement.blob,
            directory: directory.text)
        for name in names {
            let path = directory.appending(name.utf8)
            let reservation = core.queue.read { judge in
                core.state.withLock { judge.reserve(path, for: photo, in: &$0) }
            }
            switch reservation {
            case .unwanted: return nil
            case .taken: continue
            case .reserved(let intent):
                if try await place(placement, at: path, intent: intent) { return path }
            }
        }
        throw FolderError(.failed, "There is no free name for \(placement.name) in \(directory).")
    }

    /// False if something stands there that is not ours.
    private func place(_ placement: Placement, at path: FolderPath, intent: [FactChange]) async throws -> Bool {
        do {
            try await core.facts.commit(intent)
            let stat = try await core.pool.perform { [core] in
                if let complaint = core.placingComplaint(in: path.parent) { throw FolderError(.unavailable, complaint) }
                return try core.blobs.place(
                    placement.blob, at: core.root + "/" + path.text, mayLink: placement.mayLink,
                    modified: placement.modified)
            }
            let photo = PhotoKey(album: placement.album, blob: placement.blob)
            let record = FileRecord(photo: photo, signature: FileSignature(stat), origin: .placed)
            await end(path, recording: record)
            return true
        } catch let error as BlobError where error.code == .destinationExists {
            // A crash between an import and its record leaves the photo itself there: it needs no second file.
            let adopted: FileRecord?
            do {
                adopted = try await adopt(placement, at: path)
            } catch {
                await end(path, recording: nil)
                throw error
            }
            await end(path, recording: adopted)
            return adopted != nil
        } catch {
            await end(path, recording: nil)
            if (error as? FolderError)?.code == .unavailable { core.queue.rescan() }
            throw error
        }
    }

    /// - Throws: where nobody can tell whether the file is the photo: under another name it might be there twice.
    private func adopt(_ placement: Placement, at path: FolderPath) async throws -> FileRecord? {
        let stat = try await core.pool.perform { [core] () throws -> FileStat? in
            do {
                return try core.blobs.makeDurable(fileWith: placement.blob, at: core.root + "/" + path.text)
            } catch let error as BlobError where SystemCall.isUnfit(error.errno, path.absolute(in: core.root)) {
                // What this program may not read is none of ours.
                return nil
            }
        }
        guard let stat else { return nil }
        let photo = PhotoKey(album: placement.album, blob: placement.blob)
        return FileRecord(photo: photo, signature: FileSignature(stat), origin: .adopted)
    }

    /// Turns an intent into a file's state, or drops it.
    private func end(_ path: FolderPath, recording record: FileRecord?) async {
        await DirectiveRunner(core: core).follow(.placed(path, record))
    }
}

extension Materialiser {
    /// What the photo's bytes are, as they would be judged in a file that a person drops. Blocks.
    private func type(of placement: Placement) throws -> MediaType {
        guard let reader = try core.blobs.open(placement.blob) else {
            throw FolderError(.blobGone, "The bytes of \(placement.name) are not on this laptop any more.")
        }
        var head = [UInt8](repeating: 0, count: MediaContent.headByteCount)
        let count = try head.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) }
        switch MediaContent(head: Array(head[..<count]), byteCount: reader.byteCount, name: placement.name) {
        case .media(let type): return type
        case .refused(let reason):
            throw FolderError(
                .noPhoto(reason: reason), "\(placement.name) is kept, and not put into the folder: \(reason).")
        }
    }

    /// The album's directory: where its files are; else one of its name, whatever its case; else a new one. Blocks.
    private func directory(for placement: Placement) throws -> FolderPath {
        let used = core.state.withLock { $0.directory(of: placement.album) }
        if let complaint = core.placingComplaint(in: used ?? .root) { throw FolderError(.unavailable, complaint) }
        if let used, try isOrMake(used) { return used }
        for wanted in DiskName.directoryCandidates(placement.albumName, album: placement.album) {
            let path = try existing(wanted) ?? FolderPath(wanted)
            // The bare directory of a disk that is away.
            if core.complaint(about: path) != nil { continue }
            if core.state.withLock({ $0.isForeign(path, to: placement.album) }) { continue }
            if try isOrMake(path) { return path }
        }
        throw FolderError(.failed, "There is no free name for a directory for \(placement.albumName).")
    }

    /// False if something else than a directory has the name; a symbolic link to one is something else.
    private func isOrMake(_ path: FolderPath) throws -> Bool {
        let absolute = path.absolute(in: core.root)
        // Durably: else a power cut may take the directory back, and its photos would count as deleted by a person.
        return try Disk.makeDurableDirectory(absolute, in: core.root, mode: 0o755, toleratesUnsupported: true)
            || FileStat(path: absolute).isDirectory
    }

    /// A directory of this name but for case and normalisation; an exact match goes before others.
    private func existing(_ name: String) throws -> FolderPath? {
        if (try? FileStat(path: FolderPath(name).absolute(in: core.root))) != nil { return nil }
        let folded = DiskName.folded(name)
        let matches = try core.list(.root).entries.filter { entry in
            guard entry.kind == .directory, let text = String(validating: entry.name, as: UTF8.self) else {
                return false
            }
            return DiskName.folded(text) == folded
        }
        return matches.map { FolderPath(bytes: $0.name) }.min()
    }
}
