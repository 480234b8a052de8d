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
        return [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
    }

    static func removeAll(in directory: String, prefix: String) throws {
        guard let list = opendir(directory) else {
            throw ProbeError(sentence: "cannot list \(directory): error \(errno)")
        }
        defer { closedir(list) }
        while let entry = readdir(list) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(prefix), unlink(directory + "/" + name) != 0 else { continue }
            throw ProbeError(sentence: "cannot remove \(name): error \(errno)")
        }
    }
}
