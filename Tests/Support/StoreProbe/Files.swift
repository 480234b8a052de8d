import DiskIO
import Glibc

/// What prepares homes, and does by hand what the store has no call for.
enum Files {
    static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw ProbeError(sentence: "cannot make \(path): error \(errno)") }
        defer { close(file) }
        guard bytes.withUnsafeBytes({ Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
            throw ProbeError(sentence: "cannot write \(path): error \(errno)")
        }
    }

    /// At most the first 4 KiB.
    static func bytes(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw ProbeError(sentence: "cannot open \(path): error \(errno)") }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw ProbeError(sentence: "cannot read \(path): error \(errno)") }
        return Array(bytes.prefix(count))
    }

    static func removeAll(in directory: String, prefix: String) throws {
        let entries: [DirectoryListing.Entry]
        do throws(DirectoryListingError) {
            entries = try DirectoryListing(path: directory).entries
        } catch {
            throw ProbeError(sentence: error.message)
        }
        for name in entries.map(\.text) where name.hasPrefix(prefix) {
            guard unlink(directory + "/" + name) == 0 else {
                throw ProbeError(sentence: "cannot remove \(name): error \(errno)")
            }
        }
    }
}
