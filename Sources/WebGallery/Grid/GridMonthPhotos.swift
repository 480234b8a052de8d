import AlbumModel
import Crypto

/// The photos of one month in the grid's order, and what the grid's header says of them.
struct GridMonthPhotos: Sendable {
    /// One line of the header: what has to be known to estimate a section's height.
    struct Day: Hashable, Sendable {
        /// Counts from 1; 0 without a date.
        var day: Int
        var count: Int
        var aspectThousandths: Int
    }

    /// Of a version's 256 bits: 72, in 12 characters. Chance makes two states of a month alike once in 10^21.
    static let versionByteCount = 9
    /// A row has at most 93: brackets and commas, 43 and 16 characters in quotes, five digits of a ratio, two of a day,
    /// three of flags, ten of seconds.
    static let rowByteCountMax = 96
    /// Bytes of a thumbnail's ID that make the 16 characters by which its address changes.
    private static let thumbnailByteCount = 12

    private(set) var entries: [GridEntry]
    private(set) var days: [Day] = []
    /// Equal for months that look alike to a person without favourites.
    private(set) var digest: [UInt8] = []

    /// - Parameter entries: All of one month, in the grid's order.
    init(_ entries: [GridEntry]) {
        self.entries = entries
        refresh()
    }

    /// Puts entries in and takes photos out, and computes anew what follows from them once.
    mutating func change(removing removed: Set<BlobID>, adding added: [GridEntry]) {
        if !removed.isEmpty { entries.removeAll { removed.contains($0.photo) } }
        if added.count == 1 {
            entries.insert(added[0], at: position(of: added[0]))
        } else if !added.isEmpty {
            entries += added
            entries.sort(by: GridEntry.precedes)
        }
        refresh()
    }

    /// Where it stands, or would stand.
    private func position(of entry: GridEntry) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if GridEntry.precedes(entries[middle], entry) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func refresh() {
        days = []
        for entry in entries {
            if days.last?.day != entry.day { days.append(Day(day: entry.day, count: 0, aspectThousandths: 0)) }
            days[days.count - 1].count += 1
            days[days.count - 1].aspectThousandths += entry.aspectThousandths
        }
        var json = JSONWriter(reservingCapacity: entries.count * Self.rowByteCountMax)
        writeRows(mine: [], to: &json)
        digest = Array(SHA256.hash(data: json.bytes))
    }

    /// The version as a person with these favourites sees it; what only another person's favourites change is no new
    /// version for this one.
    func version(mine: [BlobID]) -> String {
        guard !mine.isEmpty else { return Base64URL.text(digest.prefix(Self.versionByteCount)) }
        var hash = SHA256()
        hash.update(data: digest)
        for photo in mine.sorted() { photo.withUnsafeBytes { hash.update(bufferPointer: $0) } }
        return Base64URL.text(Array(hash.finalize()).prefix(Self.versionByteCount))
    }

    /// `[["<id>","<thumbnail>",1333,14,0],…]`.
    func writeRows(mine: Set<BlobID>, to json: inout JSONWriter) {
        json.raw("[")
        var isFirst = true
        for entry in entries {
            json.raw(isFirst ? "[" : ",[")
            isFirst = false
            entry.photo.withUnsafeBytes { json.base64url($0) }
            if let thumbnail = entry.thumbnail {
                json.raw(",")
                thumbnail.withUnsafeBytes {
                    json.base64url(UnsafeRawBufferPointer(rebasing: $0[..<Self.thumbnailByteCount]))
                }
                json.raw(",")
            } else {
                json.raw(",\"\",")
            }
            json.integer(entry.aspectThousandths)
            json.raw(",")
            json.integer(entry.day)
            json.raw(",")
            json.integer(entry.flags(isMine: !mine.isEmpty && mine.contains(entry.photo)))
            if let seconds = entry.seconds {
                json.raw(",")
                json.integer(Int(seconds))
            }
            json.raw("]")
        }
        json.raw("]")
    }
}
