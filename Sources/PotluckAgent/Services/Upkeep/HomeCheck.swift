import AlbumModel
import DiskIO
import NIOPosix
import PhotoStore
import PotluckAPI
import SharedFolder
import SyncEngine

/// Compares the parts of a home with each other, all but the bytes of its blobs.
struct HomeCheck: Sendable {
    private static let findingCountMax = 1000

    let home: any CheckedHome
    let repair: Bool
    let pool: NIOThreadPool

    /// In the order in which they depend on each other: journal, index, store, folder.
    func run(_ report: inout VerifyReport) async throws {
        let engine = await home.engine
        let journal = try await pool.perform { [home] in
            var check = JournalCheck(journal: home.journal, home: home.path)
            try check.checkFile()
            try check.checkBatches(engine.log, home.signing)
            return check
        }
        report.batches = journal.batches
        report.findings += journal.findings
        report.findings += try await index()
        report.findings += try await store(engine)
        report.unneeded = unneeded(engine)
        guard let folder = await home.folder, let root = home.folderRoot else { return }
        try await look(at: folder, in: root, &report)
    }

    // MARK: Index

    private func index() async throws -> [VerifyReport.Finding] {
        guard let fault = try await indexFault() else { return [] }
        let message = "The index, from which listings are made, \(fault.sentence)."
        guard repair, fault.kind == .indexStale else {
            let remedy =
                fault.kind == .indexStale
                ? "`potluck verify --repair` makes it anew; no photo is concerned."
                : "It is only a cache: stop the agent, delete index.sqlite, index.sqlite-wal and index.sqlite-shm in the home, and start it again; no photo is concerned."
            return [VerifyReport.Finding(fault.kind, message: message, remedy: remedy)]
        }
        try await home.rebuildIndex()
        return [VerifyReport.Finding(fault.kind, message: message, remedy: "It was made anew.", mended: true)]
    }

    /// An index that follows a change just now is compared again.
    private func indexFault() async throws -> (kind: VerifyReport.Kind, sentence: String)? {
        let complaints = try await pool.perform { [home] in try home.index.complaints() }
        if let complaint = complaints.first { return (.indexDamaged, "is damaged: \(complaint)") }
        for _ in 0..<5 {
            // In this order: what comes in between makes the index newer, which the last look finds.
            let engine = await home.engine
            await home.indexIsComplete()
            let isRight = try await pool.perform { [home] in try Self.isRight(home.index, engine) }
            if isRight { return nil }
            let isSettled = await home.engine.log.vector == engine.log.vector
            if isSettled { return (.indexStale, "does not say what the journal says") }
        }
        // So much is added that the two are never level: nothing speaks against it.
        return nil
    }

    private static func isRight(_ index: Index, _ engine: Engine) throws -> Bool {
        let catalog = engine.catalog
        guard try index.stamp() == IndexStamp(catalog: catalog, log: engine.log) else { return false }
        let expected = catalog.albums.keys.sorted().compactMap { catalog.albumRow($0) }
        let rows = try index.albums().map(\.album).sorted { $0.id < $1.id }
        let counts = try index.photoCounts()
        return rows == expected && rows.allSatisfy { counts[$0.id] == catalog.albums[$0.id]?.liveCount }
    }

    // MARK: Store

    /// Own photos without bytes, and files that are none of the store's.
    private func store(_ engine: Engine) async throws -> [VerifyReport.Finding] {
        let strays = try await pool.perform { [home] in try home.blobs.strays() }
        var findings = strays.prefix(Self.findingCountMax).map { path in
            VerifyReport.Finding(
                .storeStray, name: path, message: "\(path) in the home is no photo of Potluck's making.",
                remedy: "Move it elsewhere if you need it; nothing here does.")
        }
        let lost = engine.wantedPhotos.filter { blob in
            engine.catalog.liveAdds(of: blob).contains { engine.catalog.isOwn(author: $0.author, of: engine.device) }
        }
        for blob in lost.sorted().prefix(Self.findingCountMax) {
            findings.append(try await finding(ofLost: blob, engine))
        }
        return findings
    }

    private func finding(ofLost blob: BlobID, _ engine: Engine) async throws -> VerifyReport.Finding {
        let (album, name, _) = home.name(of: blob, engine)
        var finding = VerifyReport.Finding(
            .photoLost, photo: blob.hex, album: album, name: name,
            message: "\(name ?? "A photo"), which this laptop added, is not in its store.", remedy: "")
        if repair {
            (finding.remedy, finding.mended) = try await home.replace(blob, inode: 0)
        } else {
            (finding.remedy, finding.mended) = home.source(of: blob, engine)
        }
        return finding
    }

    /// What no album names, live or removed, and nothing that is left out.
    private func unneeded(_ engine: Engine) -> StatusReport.Amount {
        let held = home.blobs.held().filter {
            !engine.catalog.contains($0.key) && !engine.log.leftOut.contains($0.key)
        }
        return StatusReport.Amount(photos: held.count, bytes: held.values.clampedSum)
    }

    // MARK: Folder

    private func look(at folder: any FolderFiles, in root: String, _ report: inout VerifyReport) async throws {
        let files = folder.files()
        let held = home.blobs.held()
        let complaint = try await pool.perform { SharedFolder.complaint(root: root, journal: home.journal) }
        if let complaint {
            report.findings.append(
                VerifyReport.Finding(
                    .folderUnavailable, name: root, message: complaint,
                    remedy: "Nothing is lost by that: the photos are in the store."))
            return
        }
        report.folderFiles = files.count
        let findings = try await pool.perform {
            files.lazy.compactMap { Self.finding($0, root: root, byteCount: held[$0.blob]) }
                .prefix(Self.findingCountMax).map { $0 }
        }
        report.findings += findings
    }

    /// What a person did is judged by the agent when it looks through the folder; here it is only said.
    private static func finding(_ file: FolderFile, root: String, byteCount: UInt64?) -> VerifyReport.Finding? {
        let remedy = "The agent decides about it when it looks through the folder; `potluck status` tells."
        let found: FileStat?
        do {
            found = try FileStat.find(path: "\(root)/\(file.path)")
        } catch {
            return VerifyReport.Finding(
                .fileUnreadable, photo: file.blob.hex, name: file.path,
                message: "\(file.path) in the folder cannot be looked at now. \(error)",
                remedy: "Nothing is lost by that: the photo is in the store. See that the disk is there and sound.")
        }
        guard let stat = found else {
            return VerifyReport.Finding(
                .fileMissing, photo: file.blob.hex, name: file.path, message: "\(file.path) is not in the folder.",
                remedy: remedy, mended: true)
        }
        guard let byteCount, stat.byteCount != byteCount else { return nil }
        return VerifyReport.Finding(
            .fileChanged, photo: file.blob.hex, name: file.path,
            message: "\(file.path) in the folder is not the photo that it was.", remedy: remedy, mended: true)
    }
}
