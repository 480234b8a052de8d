import DiskIO
import FolderEngine
import Glibc

extension MountTable {
    static let path = "/proc/self/mountinfo"

    /// The directories below a folder at which something is mounted; `nil` if the system does not tell.
    static func points(below root: String) -> Set<FolderPath>? {
        guard let resolved = realpath(root, nil) else { return nil }
        defer { free(resolved) }
        let real = Array(UnsafeBufferPointer(start: resolved, count: strlen(resolved))).map { UInt8(bitPattern: $0) }
        return text().map { points(below: real, in: $0) }
    }

    /// - Parameter text: as proc_pid_mountinfo(5) describes it: the fifth field of a line is the directory.
    static func points(below root: [UInt8], in text: [UInt8]) -> Set<FolderPath> {
        let front = root == [slash] ? root : root + [slash]
        var points: Set<FolderPath> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count > 4 else { continue }
            let directory = unescaped(fields[4])
            guard directory.count > front.count, directory.starts(with: front) else { continue }
            points.insert(FolderPath(bytes: Array(directory.dropFirst(front.count))))
        }
        return points
    }

    private static let slash = UInt8(ascii: "/")

    /// Spaces and their like stand there as a backslash and three octal digits.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = field
        while let first = rest.popFirst() {
            let digits = rest.prefix(3)
            guard first == UInt8(ascii: "\\"), digits.count == 3, digits.allSatisfy({ (48...55).contains($0) }) else {
                bytes.append(first)
                continue
            }
            bytes.append(UInt8(truncatingIfNeeded: digits.reduce(0) { $0 * 8 + Int($1 - 48) }))
            rest = rest.dropFirst(3)
        }
        return bytes
    }

    private static func text() -> [UInt8]? {
        try? Disk.contents(ofStream: path)
    }
}
