import DiskIO
import Glibc

/// Reads a file here and there through one window, so that stepping over small parts costs few system calls. It widens
/// while it moves straight on, so that stepping over large parts does not read them.
///
/// Blocks. Used on one thread.
struct FileBytes {
    /// The widest window.
    static let windowByteCount = 256 << 10
    /// The window after a step to somewhere else.
    private static let firstByteCount = 4 << 10

    let byteCount: UInt64
    private let descriptor: Int32
    private var window: [UInt8] = []
    private var start: UInt64 = 0
    /// How many bytes the window had room for.
    private var room = firstByteCount

    /// `descriptor` stays the caller's, and open while this is used.
    init(descriptor: Int32, byteCount: UInt64) {
        self.descriptor = descriptor
        self.byteCount = byteCount
    }

    /// Exactly `count` bytes (at most a window's); `nil` where the file ends before, or cannot be read.
    mutating func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
        guard count <= Self.windowByteCount, move(to: offset, count: count) else { return nil }
        let low = Int(offset - start)
        return Array(window[low..<low + count])
    }

    mutating func byte(at offset: UInt64) -> UInt8? {
        move(to: offset, count: 1) ? window[Int(offset - start)] : nil
    }

    mutating func bigEndian(at offset: UInt64, byteCount: Int) -> UInt64? {
        bytes(at: offset, count: byteCount)?.reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func littleEndian(at offset: UInt64, byteCount: Int) -> UInt64? {
        bytes(at: offset, count: byteCount)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Where `byte` stands next, from `offset` on; `nil` if it does not.
    mutating func find(_ byte: UInt8, from offset: UInt64) -> UInt64? {
        var position = offset
        while move(to: position, count: 1) {
            let low = Int(position - start)
            let found: Int? = window.withUnsafeBytes { bytes in
                guard let hit = memchr(bytes.baseAddress! + low, Int32(byte), bytes.count - low) else { return nil }
                return UnsafeRawPointer(hit) - bytes.baseAddress!
            }
            if let found { return start + UInt64(found) }
            position = start + UInt64(window.count)
        }
        return nil
    }

    /// Brings the window over the bytes asked for; false where the file ends before.
    private mutating func move(to offset: UInt64, count: Int) -> Bool {
        if offset >= start, offset - start <= UInt64(window.count), UInt64(window.count) - (offset - start) >= count {
            return true
        }
        guard offset <= byteCount, byteCount - offset >= UInt64(count) else { return false }
        let goesOn = offset >= start && offset - start <= UInt64(window.count)
        room = max(count, goesOn ? min(2 * room, Self.windowByteCount) : Self.firstByteCount)
        let wanted = Int(min(UInt64(room), byteCount - offset))
        // A file that cannot be read ends there.
        window = (try? Descriptor.bytes(descriptor, path: "a file", at: offset, atMost: wanted)) ?? []
        start = offset
        return window.count >= count
    }
}
