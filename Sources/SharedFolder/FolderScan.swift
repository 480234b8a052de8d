import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Asks the disk what a look through the whole folder needs to know.
struct FolderScan: Sendable {
    /// Files of another file system's directory that are looked at, to know it again.
    private static let fileCountMax = 1000
    /// Of these, so many are read.
    private static let readCountMax = 3

    let core: FolderCore

    func survey() async -> [FolderDirective] {
        await answer {
            let complaint = core.folder.complaint()
            return .surveyed(complaint: complaint, complaint == nil ? core.mounts.table() : nil)
        }
    }

    func recognise(_ files: [FolderPath: [FolderPath: FileRecord]], _ table: MountTable?) async -> [FolderDirective] {
        await answer { .recognised(Set(files.filter { isKnownAgain($0.key, by: $0.value) }.keys), table) }
    }

    func recognise(_ renaming: FolderRenaming, _ files: [FolderPath: FileRecord]) async -> [FolderDirective] {
        await answer {
            let (former, target) = core.mounts.sights(of: renaming, files: files)
            // Asked last: a disk that went away while we looked has taken both along.
            let isThere = core.folder.complaint() == nil
            return .renamingRecognised(
                renaming, former: isThere ? former : .unknown, target: isThere ? target : .unknown)
        }
    }

    func list(_ directory: FolderPath) async -> [FolderDirective] {
        await answer {
            if directory == .root { core.watcher.resetComplaint() }
            // First watched, then listed: what comes in between is seen twice rather than never.
            core.watcher.watch(directory)
            return .listed(directory, core.mounts.listing(of: directory))
        }
    }

    func sight(_ paths: [FolderPath]) async -> [FolderDirective] {
        await answer { .sighted(Dictionary(uniqueKeysWithValues: paths.map { ($0, sight(of: $0)) })) }
    }

    private func answer(_ body: @escaping @Sendable () -> FolderInput) async -> [FolderDirective] {
        // It fails only if the pool has stopped: the agent's end.
        core.queue.handle((try? await core.pool.perform(body)) ?? .scanInterrupted)
    }

    private func sight(of path: FolderPath) -> FolderInput.EntrySight {
        if let place = HidingPlace(at: path, in: core.root) {
            // A failing disk left it there. Where it cannot be brought back, the next scan tries again.
            _ = core.hiding.withLock { _ in try? place.settle(nil) }
            return .own
        }
        if OwnNames.folder.isOwn(path) { return .own }
        do throws(FileError) {
            return .present(FileSignature(try FileStat(path: path.absolute(in: core.root))))
        } catch {
            return error.isAbsent ? .absent : .failed(error.errno ?? EIO)
        }
    }

    /// Whether a directory holds most files as they are known there, or none is known there. Some are no proof: cameras
    /// write one photo to two cards. Blocks.
    private func isKnownAgain(_ directory: FolderPath, by files: [FolderPath: FileRecord]) -> Bool {
        if files.isEmpty { return true }
        // Those on another disk that is mounted in it come and go with that one.
        let inner = core.mounts.known.identities.keys.filter { $0.isBelow(directory) }
        let own = inner.isEmpty ? files : files.filter { file in !inner.contains { file.key.isWithin($0) } }
        let known = (own.isEmpty ? files : own).sorted { $0.key < $1.key }.prefix(Self.fileCountMax)
        let present = known.compactMap { path, record in
            let stat = try? FileStat(path: path.absolute(in: core.root))
            return stat.map { (path: path, record: record, now: FileSignature($0)) }
        }
        func areMost(_ count: Int) -> Bool { count * 2 > known.count }
        if areMost(present.count { $0.now.isUnchanged(since: $0.record.signature) }) { return true }
        // All times of a card may be others, as where it was mounted for another time zone.
        let alike = present.filter { $0.now.byteCount == $0.record.signature.byteCount }
        return areMost(alike.count)
            && alike.prefix(Self.readCountMax).allSatisfy { file in
                // What cannot be read is no proof.
                let path = core.root + "/" + file.path.text
                let stat = try? core.blobs.stat(ofFileWith: file.record.photo.blob, at: path)
                return (stat ?? nil) != nil
            }
    }
}

extension FolderCore {
    /// Looks at files, and at the marker behind them; `nil` if the pool has stopped.
    func answer(_ check: FolderCheck) async -> FolderCheck.Answer? {
        try? await pool.perform { [self] in
            var presence = presence()
            var answer = FolderCheck.Answer.none
            for path in check.paths {
                answer.sights[path] = sight(path, isCompared: check.compared.contains(path), &presence)
            }
            answer.complaint = folder.complaint()
            if answer.sights.values.contains(.unknown) { answer.away = mounts.away() }
            return answer
        }
    }

    /// Blocks.
    private func sight(
        _ path: FolderPath, isCompared: Bool, _ presence: inout DiskPresence<FolderMounts>
    ) -> PendingChanges.Sight {
        guard isCompared else { return PendingChanges.Sight(presence.answer(path)) }
        let stat: FileStat
        do throws(FileError) {
            stat = try FileStat(path: path.absolute(in: root))
        } catch {
            return error.isAbsent && presence.answer(path) == .absent ? .absent : .unknown
        }
        if complaint(about: path) != nil { return .unknown }
        return .present(FileSignature(stat))
    }

    /// Tells the host what cannot be looked at, if that changed.
    func tellGaps() async {
        let gaps = queue.read { $0.gaps }
        let root = root
        let sentence = gaps.sentence(root: root) { directory in
            queue.read { $0.state.files.keys.count { $0.isWithin(directory) } }
        }
        let isNews = toldGaps.withLock { told in
            defer { told = sentence }
            return told != sentence
        }
        if isNews { await host.report(.unreachable(sentence)) }
    }
}
