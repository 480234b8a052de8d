import FolderEngine

/// Whether a TIFF file, or a RAW file built like one, holds all that its directories point to.
enum TIFFLength {
    /// More directories, or more strips in one, than a camera writes: the rest is not looked at.
    private static let directoryCountMax = 64
    private static let stripCountMax: UInt64 = 65_536

    static func isShort(_ file: inout FileBytes) -> Bool {
        guard let header = file.bytes(at: 0, count: 8) else { return true }
        // BigTIFF has other words; no camera writes it.
        guard let order = TIFFByteOrder(header), order.word16(header, at: 2) != 43,
            let first = order.word32(header, at: 4)
        else { return false }
        var walk = Walk(order: order)
        walk.waiting = [UInt64(first)]
        while let offset = walk.waiting.popLast(), walk.seen.count < directoryCountMax {
            if walk.seen.insert(offset).inserted, walk.isShort(directory: offset, in: &file) { return true }
        }
        return false
    }

    private struct Walk {
        let order: TIFFByteOrder
        var waiting: [UInt64] = []
        var seen: Set<UInt64> = []

        /// An entry of a directory: where its values are, how many, and how wide each is.
        struct Entry {
            var values: UInt64
            var count: UInt64
            var width: Int
        }

        init(order: TIFFByteOrder) {
            self.order = order
        }

        mutating func isShort(directory offset: UInt64, in file: inout FileBytes) -> Bool {
            guard let head = file.bytes(at: offset, count: 2), let count = order.word16(head, at: 0),
                let body = file.bytes(at: offset + 2, count: count * 12)
            else { return true }
            var entries: [Int: Entry] = [:]
            for index in 0..<count {
                let tag = order.word16(body, at: index * 12) ?? 0
                guard let entry = entry(body, at: index * 12, directory: offset) else { continue }
                if entry.values + entry.count * UInt64(entry.width) > file.byteCount { return true }
                entries[tag] = entry
            }
            // Offsets and byte counts: of strips, of tiles, of an embedded JPEG.
            for (start, length) in [(0x111, 0x117), (0x144, 0x145), (0x201, 0x202)] {
                if let starts = entries[start], let lengths = entries[length],
                    isBeyondEnd(starts: starts, lengths: lengths, in: &file)
                {
                    return true
                }
            }
            if let children = entries[0x14A] {
                for index in 0..<min(children.count, 16) {
                    if let child = value(children, index, in: &file) { waiting.append(child) }
                }
            }
            if let next = file.bytes(at: offset + 2 + UInt64(count * 12), count: 4).flatMap({ order.word32($0, at: 0) }
            ),
                next != 0
            {
                waiting.append(UInt64(next))
            }
            return false
        }

        private func entry(_ body: [UInt8], at offset: Int, directory: UInt64) -> Entry? {
            guard let kind = order.word16(body, at: offset + 2), let count = order.word32(body, at: offset + 4),
                let pointer = order.word32(body, at: offset + 8)
            else { return nil }
            let widths = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4]
            guard kind < widths.count, widths[kind] > 0 else { return nil }
            let isInline = UInt64(count) * UInt64(widths[kind]) <= 4
            let values = isInline ? directory + 2 + UInt64(offset) + 8 : UInt64(pointer)
            return Entry(values: values, count: UInt64(count), width: widths[kind])
        }

        private func isBeyondEnd(starts: Entry, lengths: Entry, in file: inout FileBytes) -> Bool {
            for index in 0..<min(starts.count, lengths.count, stripCountMax) {
                guard let start = value(starts, index, in: &file), let length = value(lengths, index, in: &file)
                else { return true }
                if start + length > file.byteCount { return true }
            }
            return false
        }

        private func value(_ entry: Entry, _ index: UInt64, in file: inout FileBytes) -> UInt64? {
            guard entry.width == 2 || entry.width == 4,
                let bytes = file.bytes(at: entry.values + index * UInt64(entry.width), count: entry.width)
            else { return nil }
            return entry.width == 2
                ? order.word16(bytes, at: 0).map { UInt64($0) } : order.word32(bytes, at: 0).map { UInt64($0) }
        }
    }
}
