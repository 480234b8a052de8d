import AlbumModel
import DiskIO
import Glibc
import Logging
import NIOPosix
import PhotoStore
public import PotluckAPI
import SharedFolder
import SyncEngine

/// `potluck verify` in a home in which no agent runs.
public enum OfflineVerify {
    /// Takes the home's lock and looks through it.
    ///
    /// - Parameter home: the home's absolute path.
    /// - Throws: ``PotluckError``; `CancellationError` where the task was cancelled: the next look goes on from there.
    public static func run(
        home path: String, _ order: VerifyOrder, progress: @Sendable (VerifyProgress) async -> Void
    ) async throws -> VerifyReport {
        if let report = try await damagedJournal(path) { return report }
        let pool = NIOThreadPool.singleton
        let home = try await pool.perform { try OpenHome(home: path, waitMilliseconds: 5000) }
        defer { home.lock.release() }
        let root = try await pool.perform { try home.journal.folder(home: path) }
        let checked = IdleHome(
            path: path, home: home, engine: home.engine(replica: nil, port: 0), folderRoot: root,
            shared: try await folder(root, home))
        // It is made slow for the benefit of others, as the shared pool must not be.
        let thread = NIOThreadPool.started(1)
        do {
            let report = try await Upkeep(home: checked, pool: thread).verify(order, progress: progress)
            try await thread.shutdownGracefully()
            return report
        } catch {
            // It fails only for a pool that was shut down before.
            try? await thread.shutdownGracefully()
            throw error
        }
    }

    /// A journal that SQLite cannot read is not opened any further.
    private static func damagedJournal(_ path: String) async throws -> VerifyReport? {
        guard PathPresence(of: path + "/" + Journal.fileName, followsLink: true) == .present else { return nil }
        return try await NIOThreadPool.singleton.perform {
            let lock = try HomeAccess.lock(path, waitMilliseconds: 5000)
            defer { lock.release() }
            do {
                var check = JournalCheck(journal: try Journal(home: path), home: path)
                try check.checkFile()
                return check.findings.isEmpty ? nil : VerifyReport(findings: check.findings)
            } catch let error as StoreError where error.code == .damaged {
                return VerifyReport(findings: [
                    .init(.journalDamaged, message: error.message, remedy: JournalCheck.remedy(home: path))
                ])
            }
        }
    }

    private static func folder(_ root: String?, _ home: OpenHome) async throws -> SharedFolder? {
        guard let root else { return nil }
        let isNamed = try await NIOThreadPool.singleton.perform { try SharedFolder.isNamed(in: home.journal) }
        guard isNamed else { return nil }
        return try await OfflineListings.folder(root, home)
    }
}
