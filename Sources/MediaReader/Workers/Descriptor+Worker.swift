import CSandbox
import DiskIO

/// Files that workers are handed, and those that they fill.
extension Descriptor {
    /// An empty file in memory.
    static func memory(_ name: String) throws(WorkerFailure) -> Descriptor {
        let number = csandbox_memory_file(name)
        guard number >= 0 else { throw .impossible("there is no memory (\(FileError.last("make", name).causeText))") }
        return Descriptor(owning: number, path: name)
    }

    /// A file in memory with this text.
    static func memory(_ name: String, holding text: String) throws(WorkerFailure) -> Descriptor {
        let file = try memory(name)
        do throws(FileError) {
            try file.write(Array(text.utf8), at: 0)
        } catch {
            throw .impossible("there is no memory (\(error.causeText))")
        }
        return file
    }

    /// A regular file, to read. Blocks.
    static func file(_ path: String) throws(WorkerFailure) -> Descriptor {
        let file: Descriptor
        do throws(FileError) {
            file = try Descriptor(opening: path, .read(followsLink: true))
        } catch {
            throw .impossible("it cannot be opened (\(error.causeText))")
        }
        guard let stat = try? FileStat(descriptor: file.number), stat.isRegularFile else {
            throw .impossible("it is no file")
        }
        return file
    }

    /// A new file of the reader's own, to read and write. Blocks.
    static func newFile(_ path: String, mode: UInt32 = 0o600) throws(MediaError) -> Descriptor {
        do throws(FileError) {
            return try Descriptor(opening: path, .make(mode: mode))
        } catch {
            throw MediaError(.impossible, "\(path) cannot be written: \(error.causeText).")
        }
    }

    /// Makes a file with this content; leaves nothing there after an error. Blocks.
    static func write(_ bytes: [UInt8], to path: String) throws(MediaError) {
        let file = try newFile(path)
        do throws(FileError) {
            try file.write(bytes, at: 0)
        } catch {
            // The first error says why.
            try? Disk.remove(path)
            throw MediaError(.impossible, "\(path) cannot be written: \(error.causeText).")
        }
    }

    /// Of a file of the reader's own; 0 where it cannot be told.
    var byteCount: UInt64 { (try? FileStat(descriptor: number))?.byteCount ?? 0 }

    /// All that is there and can be read, up to so many bytes. Blocks.
    func contents(byteCountMax: UInt64) -> [UInt8] {
        (try? bytes(atMost: Int(min(byteCount, byteCountMax)))) ?? []
    }

    /// Makes its content that of another file. Blocks.
    func copy(_ other: Descriptor) throws(WorkerFailure) {
        do throws(FileError) {
            try replaceContents(with: other)
        } catch {
            throw .impossible("it cannot be copied (\(error.causeText))")
        }
    }

    /// Takes its bytes away. Where that fails, the next writer's copy says so.
    func empty() { try? truncate(to: 0) }
}
