public import AlbumModel
import Crypto

/// The grid of one album, or of one search: its photos by month, and the two listings from which pages draw it.
///
/// A value without I/O. A change costs the work of the months that it touches, the listings that of what they hold.
public struct GridIndex: Sendable {
    /// A listing as the API sends it.
    public struct Listing: Hashable, Sendable {
        public var json: [UInt8]
        /// Another one whenever a byte of the listing is.
        public var entityTag: EntityTag
    }

    /// An album as the header names it.
    public struct Album: Hashable, Sendable {
        /// Hexadecimal digits, or `all`.
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    private var months: [GridMonth: GridMonthPhotos] = [:]
    /// The months that have photos, in the grid's order.
    private var order: [GridMonth] = []
    private var monthByPhoto: [BlobID: GridMonth] = [:]

    /// - Parameter entries: In any order; of several for one photo the last counts.
    public init(_ entries: some Collection<GridEntry> = []) {
        var byMonth: [GridMonth: [GridEntry]] = [:]
        monthByPhoto.reserveCapacity(entries.count)
        var repeated: Set<BlobID> = []
        for entry in entries where monthByPhoto.updateValue(entry.month, forKey: entry.photo) != nil {
            repeated.insert(entry.photo)
        }
        var last: [BlobID: GridEntry] = [:]
        for entry in entries {
            if repeated.isEmpty || !repeated.contains(entry.photo) {
                byMonth[entry.month, default: []].append(entry)
            } else {
                last[entry.photo] = entry
            }
        }
        for entry in last.values { byMonth[entry.month, default: []].append(entry) }
        for (month, entries) in byMonth { months[month] = GridMonthPhotos(entries.sorted(by: GridEntry.precedes)) }
        order = months.keys.sorted()
    }

    public var count: Int { monthByPhoto.count }

    public func contains(_ photo: BlobID) -> Bool { monthByPhoto[photo] != nil }

    /// All photos in the grid's order.
    public var photos: some Sequence<GridEntry> { order.lazy.flatMap { [months] in months[$0]?.entries ?? [] } }

    /// The newest first.
    public func photos(of month: GridMonth) -> [BlobID] { months[month]?.entries.map(\.photo) ?? [] }

    /// Photos of a page of the plain list, in the grid's order.
    public func photos(from start: Int, count: Int) -> [GridEntry] {
        var found: [GridEntry] = []
        var skipped = 0
        for month in order where found.count < count {
            guard let entries = months[month]?.entries else { continue }
            let first = min(max(0, start - skipped), entries.count)
            found += entries[first...].prefix(count - found.count)
            skipped += entries.count
        }
        return found
    }

    // MARK: Changes

    /// Puts entries in, each in place of the one that its photo had, and takes photos out.
    public mutating func change(putting entries: [GridEntry] = [], removing photos: some Sequence<BlobID> = []) {
        var (removed, added): ([GridMonth: Set<BlobID>], [GridMonth: [GridEntry]]) = ([:], [:])
        for photo in photos {
            guard let month = monthByPhoto.removeValue(forKey: photo) else { continue }
            removed[month, default: []].insert(photo)
        }
        let last = Dictionary(entries.map { ($0.photo, $0) }) { $1 }
        for (photo, entry) in last {
            if let month = monthByPhoto.updateValue(entry.month, forKey: photo) {
                removed[month, default: []].insert(photo)
            }
            added[entry.month, default: []].append(entry)
        }
        for month in Set(removed.keys).union(added.keys) {
            let news = added[month] ?? []
            // Taken out while it changes: a second owner would make it a copy.
            guard var photos = months.removeValue(forKey: month) else {
                months[month] = GridMonthPhotos(news.sorted(by: GridEntry.precedes))
                continue
            }
            photos.change(removing: removed[month] ?? [], adding: news)
            if !photos.entries.isEmpty { months[month] = photos }
        }
        if order.count != months.count || !order.allSatisfy({ months[$0] != nil }) { order = months.keys.sorted() }
    }

    // MARK: Listings

    /// The header: for each month its days with counts and summed ratios, enough to estimate every section's height.
    ///
    /// - Parameter mine: The favourites of the person who looks, in any album.
    public func header(of album: Album, mine: Set<BlobID> = []) -> Listing {
        let mineByMonth = Dictionary(grouping: mine.filter { monthByPhoto[$0] != nil }) { monthByPhoto[$0] ?? .undated }
        var json = JSONWriter(reservingCapacity: 128 + order.count * 512)
        json.raw("{\"album\":{\"id\":")
        json.string(album.id)
        json.raw(",\"name\":")
        json.string(album.name)
        json.raw("},\"count\":")
        json.integer(count)
        json.raw(",\"months\":[")
        for (index, month) in order.enumerated() {
            guard let photos = months[month] else { continue }
            json.raw(index == 0 ? "{\"month\":" : ",{\"month\":")
            json.string(month.text)
            json.raw(",\"version\":")
            json.string(photos.version(mine: mineByMonth[month] ?? []))
            json.raw(",\"days\":")
            Self.write(photos.days, to: &json)
            json.raw("}")
        }
        json.raw("]}")
        return Listing(json: json.bytes, entityTag: EntityTag(hashing: json.bytes))
    }

    private static func write(_ days: [GridMonthPhotos.Day], to json: inout JSONWriter) {
        json.raw("[")
        for (index, day) in days.enumerated() {
            json.raw(index == 0 ? "[" : ",[")
            json.integer(day.day)
            json.raw(",")
            json.integer(day.count)
            json.raw(",")
            json.thousandths(day.aspectThousandths)
            json.raw("]")
        }
        json.raw("]")
    }

    /// The photos of one month; `nil` where there are none.
    ///
    /// - Parameter mine: The favourites of the person who looks, in any album.
    public func listing(of month: GridMonth, mine: Set<BlobID> = []) -> Listing? {
        guard let photos = months[month] else { return nil }
        let own = mine.filter { monthByPhoto[$0] == month }
        let version = photos.version(mine: Array(own))
        var json = JSONWriter(reservingCapacity: 64 + photos.entries.count * GridMonthPhotos.rowByteCountMax)
        json.raw("{\"month\":")
        json.string(month.text)
        json.raw(",\"version\":")
        json.string(version)
        json.raw(",\"photos\":")
        photos.writeRows(mine: own, to: &json)
        json.raw("}")
        return Listing(json: json.bytes, entityTag: EntityTag(opaque: version))
    }
}
