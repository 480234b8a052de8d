import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Puts back what a power cut, or a disk that was pulled out, took of files that a person had just made.
///
/// Their photos are durable in the store. To be run before the folder is looked through: what is missing then, or holds
/// other bytes, is a person's doing.
struct PowerCut: Sendable {
    private static let chunkByteCount = 1 << 20

    private enum Outcome {
        case asItWas
        case mended
        /// Nobody can tell what is there.
        case unknown
    }

    let core: FolderCore

    /// - Parameter paths: Files that the disk may have lost.
    /// - Returns: the files of which nobody can tell what they are; their records stay, and nothing of them may be judged.
    func mend(_ paths: [FolderPath]) async -> [FolderPath] {
        var mendedCount = 0
        var unknown: [FolderPath] = []
        for path in paths {
            if let record = core.state.withLock({ $0.files[path] }) {
                let outcome = await mend(path, record)
                // The next scan asks again.
                if outcome == .unknown {
                    unknown.append(path)
                    continue
                }
                if outcome == .mended { mendedCount += 1 }
            }
            await core.commit(core.state.withLock { $0.fresh.clear(path) })
        }
        if mendedCount > 0 {
            core.logger.notice(
                "files that the disk had lost are there again", metadata: ["file.count": "\(mendedCount)"])
        }
        return unknown
    }

    private func mend(_ path: FolderPath, _ record: FileRecord) async -> Outcome {
        do {
            return try await core.turns.withTurn(record.photo.blob) {
                switch try await core.pool.perform({ try self.makeWay(path, record) }) {
                case .unknown: return .unknown
                case .whole, .other: return .asItWas
                case .damaged, .nothing: break
                }
                try await PuttingBack(core: core).putBack(path, record)
                return .mended
            }
        } catch {
            let error = FolderError(error)
            // Its disk went away meanwhile. While files are adopted nothing is placed, and records mean nothing.
            if error.code == .unavailable, !core.isAdopting { return .unknown }
            // Without its record nobody takes it for deleted: the photo is placed like any that has no file.
            core.logger.warning("a lost file not put back", metadata: ["error.message": "\(error.message)"])
            await core.commit(core.state.withLock { $0.drop(path) })
            return .asItWas
        }
    }
}

extension PowerCut {
    /// Looks at what is left of a file, and removes it if it is damaged. Blocks.
    ///
    /// A store that cannot be read, and a file that cannot be removed, are no reason to forget the file: what stands there
    /// would be shared as a new photo.
    /// - Throws: ``FolderError/Code/blobGone`` where there are no right bytes.
    private func makeWay(_ path: FolderPath, _ record: FileRecord) throws(FolderError) -> Remains {
        do {
            let remains = try remains(path, record)
            if remains == .damaged { try Disk.remove(path.absolute(in: core.root)) }
            return remains
        } catch {
            let error = FolderError(error)
            if error.code == .blobGone { throw error }
            // Whole files tell by themselves.
            let own = try? core.blobs.stat(ofFileWith: record.photo.blob, at: core.root + "/" + path.text)
            return own == nil ? .unknown : .whole
        }
    }

    /// Blocks.
    private func remains(_ path: FolderPath, _ record: FileRecord) throws -> Remains {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path.absolute(in: core.root), .read(followsLink: false))
        } catch {
            if SystemCall.isUnfit(error.errno, path.absolute(in: core.root)) { return .other }
            var presence = core.presence()
            return presence.isAbsent(path) ? .nothing : .unknown
        }
        if core.complaint(about: path) != nil { return .unknown }
        guard let stat = try? FileStat(descriptor: file.number) else { return .unknown }
        guard stat.isRegularFile else { return .other }
        guard let blob = try core.blobs.open(record.photo.blob) else {
            throw FolderError(.blobGone, "The photo that was \(path) is not on this laptop any more.")
        }
        var comparison = RemainsComparison(byteCount: stat.byteCount, photoByteCount: blob.byteCount)
        let own = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkByteCount, alignment: 4096)
        let right = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkByteCount, alignment: 4096)
        defer {
            own.deallocate()
            right.deallocate()
        }
        var offset: UInt64 = 0
        while offset < stat.byteCount, comparison.mayBeRemains {
            // What the disk does not give may be whole: nothing is taken from it.
            guard let count = try? file.read(at: offset, into: own) else { return .unknown }
            guard count > 0 else { return .damaged }
            guard try blob.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: right[..<count])) == count
            else { return .other }
            if memcmp(own.baseAddress!, right.baseAddress!, count) != 0 {
                comparison.differs(own[..<count], right[..<count])
            }
            offset += UInt64(count)
        }
        return comparison.remains
    }
}
