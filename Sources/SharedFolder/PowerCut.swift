import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import Logging
import NIOPosix
import PhotoStore
import Synchronization

/// Looks at what a power cut left of a file, and puts the file back.
struct PowerCut: Sendable {
    private static let chunkByteCount = 1 << 20

    let core: FolderCore

    func mend(_ path: FolderPath, _ record: FileRecord) async -> [FolderDirective] {
        core.queue.handle(.mended(path, record, await outcome(path, record)))
    }

    private func outcome(_ path: FolderPath, _ record: FileRecord) async -> FolderInput.Mending {
        do {
            return try await core.withTurns([.photo(record.photo.blob)]) {
                let verdict = try await core.pool.perform { try self.makeWay(path, record) }
                switch verdict {
                case .leave: return .done
                case .remove: return .gone
                case .wait: return .unknown
                case .place, .replace: break
                }
                try await PuttingBack(core: core).putBack(path, record)
                core.logger.info("a file that the disk had lost is there again")
                return .done
            }
        } catch {
            let error = FolderError(error)
            core.logger.warning("a lost file not put back", metadata: ["error.message": "\(error.message)"])
            return error.code == .unavailable ? .unavailable : .failed
        }
    }
}

extension PowerCut {
    /// Looks at what is left of a file, and removes it if it is damaged. Blocks.
    ///
    /// A store that cannot be read, and a file that cannot be removed, are no reason to forget the file: what stands there
    /// would be shared as a new photo.
    /// - Throws: ``FolderError/Code/blobGone`` where there are no right bytes.
    private func makeWay(_ path: FolderPath, _ record: FileRecord) throws(FolderError) -> Remains.Verdict {
        do {
            let (remains, seen) = try remains(path, record)
            let verdict = verdict(on: remains, path, record)
            if remains == .damaged, verdict == .replace || verdict == .remove {
                // To compare it took a while, in which a person may have put another file there.
                let now = try FileStat.find(path: path.absolute(in: core.root))
                guard now.map({ FileSignature($0) }) == seen else { return .wait }
                try Disk.remove(path.absolute(in: core.root))
            }
            return verdict
        } catch {
            let error = FolderError(error)
            if error.code == .blobGone { throw error }
            // Whole files tell by themselves.
            let own = try? core.blobs.stat(ofFileWith: record.photo.blob, at: core.root + "/" + path.text)
            return verdict(on: own == nil ? .unknown : .whole, path, record)
        }
    }

    private func verdict(on remains: Remains, _ path: FolderPath, _ record: FileRecord) -> Remains.Verdict {
        core.queue.read { $0.verdict(on: remains, at: path, record) }
    }

    /// Blocks.
    ///
    /// - Returns: what is left, and the file in which it was found.
    private func remains(_ path: FolderPath, _ record: FileRecord) throws -> (Remains, seen: FileSignature?) {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path.absolute(in: core.root), .read(followsLink: false))
        } catch {
            if SystemCall.isUnfit(error.errno, path.absolute(in: core.root)) { return (.other, nil) }
            var presence = core.presence()
            return (presence.isAbsent(path) ? .nothing : .unknown, nil)
        }
        if core.complaint(about: path) != nil { return (.unknown, nil) }
        guard let stat = try? FileStat(descriptor: file.number) else { return (.unknown, nil) }
        guard stat.isRegularFile else { return (.other, nil) }
        // Of what a program is just saving nobody can tell what it will be.
        if Descriptor.writer(of: file.number) == .open { return (.unknown, nil) }
        return (try remains(file, stat, path, record), FileSignature(stat))
    }

    private func remains(
        _ file: Descriptor, _ stat: FileStat, _ path: FolderPath, _ record: FileRecord
    ) throws -> Remains {
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
            // It became shorter just now.
            guard count > 0 else { return .unknown }
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
