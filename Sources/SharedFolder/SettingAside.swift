import AlbumModel
import DiskIO
import FolderEngine
import Logging
import NIOPosix
import PhotoStore

/// Moves a damaged file to the quarantine: intent committed, file moved, directories synced, record dropped, in this order.
struct SettingAside: Sendable {
    typealias Outcome = FolderInput.SettingAside

    let core: FolderCore

    /// To be called in the blob's turn.
    ///
    /// - Returns: whether its path is free now.
    func run(_ path: FolderPath, _ record: FileRecord, intent: [FactChange]) async -> Bool {
        let outcome = await outcome(path, record, intent)
        await DirectiveRunner(core: core).follow(.setAside(path, record, outcome))
        return outcome == .moved
    }

    private func outcome(_ path: FolderPath, _ record: FileRecord, _ intent: [FactChange]) async -> Outcome {
        do {
            try await core.facts.commit(intent)
        } catch {
            warn(error)
            return .stayed
        }
        do {
            return try await core.pool.perform { try self.move(path, record) ? .moved : .stayed }
        } catch {
            warn(FolderError(error))
            return .unknown
        }
    }

    private func warn(_ error: FolderError) {
        core.logger.warning("a damaged file not set aside", metadata: ["error.message": "\(error.message)"])
    }

    /// False for a file that is a person's edit, or that cannot be moved. Blocks.
    private func move(_ path: FolderPath, _ record: FileRecord) throws(FolderError) -> Bool {
        guard let stat = try? FileStat(path: path.absolute(in: core.root)),
            FileSignature(stat).isSameFile(as: record.signature),
            let target = try? core.blobs.quarantinePath(for: record.photo.blob.hex),
            (try? Disk.rename(path.absolute(in: core.root), to: target)) != nil
        else { return false }
        // Else a power cut brings a file back that nothing is known of any more.
        if let slash = target.lastIndex(of: "/") { try SystemCall.synchronizeDirectory(String(target[..<slash])) }
        try SystemCall.synchronizeDirectory(path.parent, root: core.root)
        return true
    }
}
