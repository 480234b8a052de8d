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
            return try await core.withTurns([.photo(placement.blob)]) { try await placeInTurn(placement) }
        } catch {
            throw FolderError(error)
        }
    }

    private func placeInTurn(_ placement: Placement) async throws -> FolderPath? {
        let photo = PhotoKey(album: placement.album, blob: placement.blob)
        if !core.queue.read({ $0.state.isWanted(photo) }) { return nil }
        var (placing, next) = try await core.pool.perform { try self.begin(photo, placement) }
        while true {
            switch next {
            case .unwanted: return nil
            case .directoryUnfit: throw Self.unfit(placing.directory)
            case .exhausted:
                throw FolderError(.failed, "There is no free name for \(placement.name) in \(placing.directory).")
            case .place(let path, let intent):
                if try await place(placement, at: path, intent: intent) { return path }
            }
            next = core.queue.change { judge, _ in placing.next(&judge) }
        }
    }

    private static func unfit(_ directory: FolderPath) -> FolderError {
        FolderError(
            .unavailable, "The directory \(directory) is just getting another name, or is another album's by now.")
    }

    /// Blocks.
    private func begin(_ photo: PhotoKey, _ placement: Placement) throws -> (Placing, Placing.Try) {
        // First: what is no photo makes no directory.
        let type = try core.type(of: placement.blob, called: placement.name)
        // An empty directory stays once a name in it is reserved.
        return try core.directories.withLock { _ in
            var placing = Placing(
                photo, in: try directory(for: placement), name: placement.name, type: type,
                deviceName: placement.deviceName)
            let first = core.queue.change { judge, _ in placing.next(&judge) }
            return (placing, first)
        }
    }

    /// False if something stands there that is not ours.
    private func place(_ placement: Placement, at path: FolderPath, intent: [FactChange]) async throws -> Bool {
        let outcome: Result<Placing.Outcome, any Error>
        do {
            try await core.facts.commit(intent)
            outcome = .success(try await core.pool.perform { try self.attempt(placement, at: path) })
        } catch {
            outcome = .failure(error)
        }
        let photo = PhotoKey(album: placement.album, blob: placement.blob)
        let ended: Placing.Outcome
        switch outcome {
        case .success(let known): ended = known
        case .failure(let error):
            ended = .failed(isUnavailable: (error as? FolderError)?.code == .unavailable)
        }
        await DirectiveRunner(core: core).follow(.placed(path, photo, ended))
        return try outcome.get() != .taken
    }

    /// Blocks.
    ///
    /// - Throws: also where nobody can tell whether a file that is there is the photo: under another name it might be there
    ///   twice.
    private func attempt(_ placement: Placement, at path: FolderPath) throws -> Placing.Outcome {
        if let complaint = core.placingComplaint(in: path.parent) { throw FolderError(.unavailable, complaint) }
        let absolute = core.root + "/" + path.text
        do throws(BlobError) {
            let stat = try core.blobs.place(
                placement.blob, at: absolute, mayLink: placement.mayLink, modified: placement.modified)
            return .placed(FileSignature(stat))
        } catch {
            guard error.code == .destinationExists else { throw error }
        }
        do throws(BlobError) {
            let stat = try core.blobs.makeDurable(fileWith: placement.blob, at: absolute)
            return stat.map { .found(FileSignature($0)) } ?? .taken
        } catch {
            // What this program may not read is none of ours.
            guard SystemCall.isUnfit(error.errno, path.absolute(in: core.root)) else { throw error }
            return .taken
        }
    }
}

extension Materialiser {
    /// The album's directory: where its files are; else one of its name, whatever its case; else a new one. Blocks.
    private func directory(for placement: Placement) throws -> FolderPath {
        let (used, isUnfit) = core.queue.read { judge in
            let used = judge.state.directory(of: placement.album)
            return (used, used.map { judge.state.isBeingRenamed($0) } ?? false)
        }
        // Whether the folder is there is asked right before anything is put into it.
        if let used, !isUnfit, core.knownPlacingComplaint(in: used) == nil, isThere(used) { return used }
        if let complaint = core.placingComplaint(in: used ?? .root) { throw FolderError(.unavailable, complaint) }
        // It may have its new name by now, and would be made once more under the former one.
        if let used, isUnfit { throw Self.unfit(used) }
        if let used, try isOrMake(used) { return used }
        guard case .whole(let entries) = core.mounts.listing(of: .root) else {
            throw FolderError(.failed, "The folder \(core.root) cannot be listed.")
        }
        let paths = core.queue.read {
            Array($0.state.directories(for: placement.album, named: placement.albumName, beside: entries))
        }
        // The bare directory of a disk that is away is none.
        for path in paths where core.complaint(about: path) == nil {
            if try isOrMake(path) { return path }
        }
        throw FolderError(.failed, "There is no free name for a directory for \(placement.albumName).")
    }

    /// Nothing is made. False also where nobody can look: ``isOrMake(_:)`` tells why.
    private func isThere(_ path: FolderPath) -> Bool {
        (try? FileStat(path: path.absolute(in: core.root)).isDirectory) ?? false
    }

    /// False if something else than a directory has the name; a symbolic link to one is something else.
    private func isOrMake(_ path: FolderPath) throws -> Bool {
        let absolute = path.absolute(in: core.root)
        // Durably: else a power cut may take the directory back, and its photos would count as deleted by a person.
        return try Disk.makeDurableDirectory(absolute, in: core.root, mode: 0o755, toleratesUnsupported: true)
            || FileStat(path: absolute).isDirectory
    }
}

extension FolderCore {
    /// What a photo's bytes are, as they would be judged in a file of this name that a person drops. Blocks.
    func type(of blob: BlobID, called name: String) throws -> MediaType {
        guard let reader = try blobs.open(blob) else {
            throw FolderError(.blobGone, "The bytes of \(name) are not on this laptop any more.")
        }
        var head = [UInt8](repeating: 0, count: MediaContent.headByteCount)
        let count = try head.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) }
        switch MediaContent(head: Array(head[..<count]), byteCount: reader.byteCount, name: name) {
        case .media(let type): return type
        case .refused(let reason):
            throw FolderError(.noPhoto(reason: reason), "\(name) is kept, and not put into the folder: \(reason).")
        }
    }
}
