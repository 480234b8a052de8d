import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Puts a photo's file back where its record says that it was. Nothing is replaced.
struct PuttingBack: Sendable {
    let core: FolderCore

    /// What took the file's name is kept beside it. To be called in the blob's turn.
    func putBack(_ path: FolderPath, _ record: FileRecord) async throws {
        do {
            try await core.facts.commit(core.queue.change { judge, _ in judge.reserveAgain(path, record) })
        } catch {
            // Else whatever people put there would be taken for this file from now on.
            await DirectiveRunner(core: core).follow(.putBack(path, record, nil))
            throw error
        }
        let signature: Result<FileSignature, any Error>
        do {
            signature = .success(try await core.pool.perform { try self.placeAgain(path, record) })
        } catch {
            signature = .failure(error)
        }
        await DirectiveRunner(core: core).follow(.putBack(path, record, try? signature.get()))
        _ = try signature.get()
    }
}

extension PuttingBack {
    /// The same in the blob's turn, unless it is not wanted any more: false then.
    func bringBack(_ path: FolderPath, _ record: FileRecord, for reason: BringBackReason) async throws -> Bool {
        try await core.withTurns([.photo(record.photo.blob)]) {
            let isWanted = core.queue.read { $0.wantsBack(path, record, for: reason) }
            if isWanted { try await putBack(path, record) }
            return isWanted
        }
    }

    /// Puts the good copy in the place of a damaged file that a person deleted.
    func replaceDamaged(_ path: FolderPath, _ record: FileRecord) async -> FolderInput.BringingBack {
        do {
            return try await bringBack(path, record, for: .damage) ? .done : .unwanted
        } catch {
            let error = FolderError(error)
            core.logger.warning("a damaged file not replaced", metadata: ["error.message": "\(error.message)"])
            return error.code == .unavailable ? .unavailable : .failed
        }
    }
}

extension PuttingBack {
    /// Blocks.
    private func placeAgain(_ path: FolderPath, _ record: FileRecord) throws -> FileSignature {
        if let complaint = core.placingComplaint(in: path.parent) { throw FolderError(.unavailable, complaint) }
        try makeDirectories(path.parent)
        let inTheWay = try fileInTheWay(of: path, record.photo.blob)
        switch try inTheWay.verdict(isPhotoHeld: core.blobs.open(record.photo.blob) != nil) {
        case .keep(let signature): return signature
        case .leave: throw FolderError(.blobGone, "The photo that was \(path) is not on this laptop any more.")
        case .moveAside: try moveAside(path)
        case .place: break
        }
        return FileSignature(
            try core.blobs.place(
                record.photo.blob, at: core.root + "/" + path.text, mayLink: false,
                modified: record.signature.modified))
    }

    private func fileInTheWay(of path: FolderPath, _ blob: BlobID) throws -> FileInTheWay {
        guard let there = try FileStat.find(path: path.absolute(in: core.root)) else { return .nothing }
        guard there.isRegularFile else { return .other }
        let own = try core.blobs.stat(ofFileWith: blob, at: core.root + "/" + path.text)
        return own.map { .photo(FileSignature($0)) } ?? .other
    }

    private func makeDirectories(_ directory: FolderPath) throws {
        var made = FolderPath.root
        for component in directory.components {
            let parent = made
            made = made.appending(component)
            let (path, parentPath) = (made.absolute(in: core.root), parent.absolute(in: core.root))
            if try Disk.makeDurableDirectory(path, in: parentPath, mode: 0o755, toleratesUnsupported: true) { continue }
            let text = core.root + "/" + made.text
            let stat = try? FileStat(path: path)
            guard stat?.isDirectory == true else { throw FolderError(.failed, "\(text) is in the way of a directory.") }
        }
    }

    private func moveAside(_ path: FolderPath) throws {
        for aside in DiskName.pathsBeside(path) {
            do throws(FileError) {
                return try Disk.renameWithoutReplacing(
                    path.absolute(in: core.root), to: aside.absolute(in: core.root), claimingBy: .look)
            } catch {
                guard error.errno == EEXIST else { throw error }
            }
        }
        throw FolderError(.failed, "There is no free name for \(path), which took a photo's name.")
    }
}
