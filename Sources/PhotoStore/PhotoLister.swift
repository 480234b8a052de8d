import AlbumModel
import GRDB

/// Reads photos with everything that lists show of them.
struct PhotoLister {
    /// Above this many photos a table is read as a whole rather than asked for each.
    private static let askedCountMax = 1000

    /// The camera's clock as people said that it is to be corrected.
    static let taken = "photo.taken + ifnull(clock.seconds, 0) * 1000"
    /// As ``AlbumModel/AlbumOrder`` has it.
    static let local = "\(taken) + photo.is_instant * ifnull(album.usual_offset, 0) * 60000"

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// The photos of which `condition` is true, in the order of albums.
    ///
    /// - Parameter condition: SQL about `photo` and the tables of ``PhotoColumns/joins``.
    func listings(
        _ condition: String, _ arguments: StatementArguments
    ) throws -> [(number: Int64, listing: PhotoListing)] {
        let sql = """
            SELECT \(PhotoColumns.selected), blob.id IS NOT NULL, photo.kind, \(Self.taken), \(Self.local) AS local
            FROM photo \(PhotoColumns.joins) WHERE \(condition) ORDER BY local, photo.name, photo.blob, album.id
            """
        var listings: [(number: Int64, listing: PhotoListing)] = []
        let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
        while let row = try rows.next() {
            guard let (number, photo) = try PhotoColumns.photo(row) else { continue }
            listings.append((number, try Self.listing(photo, row)))
        }
        try addLists(to: &listings)
        return listings
    }

    /// The photos of these numbers, in their order.
    func listings(of numbers: [Int64]) throws -> [PhotoListing] {
        // A statement has at most a million bytes.
        let listings = try stride(from: 0, to: numbers.count, by: Self.askedCountMax).flatMap { start in
            let asked = numbers[start..<min(start + Self.askedCountMax, numbers.count)]
            return try self.listings("photo.number \(Numbers.among(asked))", [])
        }
        let listingOfNumber = Dictionary(uniqueKeysWithValues: listings.map { ($0.number, $0.listing) })
        return numbers.compactMap { listingOfNumber[$0] }
    }

    /// The photos of these numbers, all of one album, in its order.
    func listings(among numbers: Set<Int64>, of album: AlbumID) throws -> [PhotoListing] {
        guard numbers.count > Self.askedCountMax else {
            return try listings("photo.number \(Numbers.among(numbers))", []).map(\.listing)
        }
        return try listings(PhotoFilter.inAlbum, [Column.bytes(album.bytes)]).filter { numbers.contains($0.number) }
            .map(\.listing)
    }

    private static func listing(_ photo: PhotoRow, _ row: Row) throws -> PhotoListing {
        let column = PhotoColumns.selectedCount
        var taken = photo.details.taken ?? CaptureTime(modified: photo.modified)
        taken.localMilliseconds = try row.value(column + 2)
        return PhotoListing(
            photo: photo, isHere: try row.value(column), kind: PhotoKind(column: try row.value(column + 1)) ?? .photo,
            taken: taken, localMilliseconds: try row.value(column + 3), companions: [])
    }

    /// Tags, favours, further contributors and companions, each table read once.
    private func addLists(to listings: inout [(number: Int64, listing: PhotoListing)]) throws {
        guard !listings.isEmpty else { return }
        let places = Dictionary(uniqueKeysWithValues: listings.enumerated().map { ($1.number, $0) })
        let scope =
            listings.count <= Self.askedCountMax
            ? Numbers.among(listings.map(\.number)) : "IS NOT NULL"
        func each(_ sql: String, _ body: (inout PhotoListing, Row) throws -> Void) throws {
            let rows = try Row.fetchCursor(database, sql: sql)
            while let row = try rows.next() {
                if let place = places[try row.value(0)] { try body(&listings[place].listing, row) }
            }
        }
        try each("SELECT photo, tag FROM photo_tag WHERE photo \(scope) ORDER BY photo, key") {
            $0.photo.remarks.tags.append(try $1.value(1))
        }
        let favours = """
            SELECT photo, device.id FROM favour JOIN device ON device.number = favour.device
            WHERE photo \(scope) ORDER BY photo, device.id
            """
        try each(favours) { listing, row in
            if let device = DeviceID(bytes: try row.bytes(1)) { listing.photo.remarks.favouredBy.append(device) }
        }
        let others = """
            SELECT photo, device.id, guest.id FROM also_by JOIN device ON device.number = also_by.device
            LEFT JOIN guest ON guest.number = also_by.guest
            WHERE photo \(scope) ORDER BY photo, rank
            """
        try each(others) { listing, row in
            guard let device = DeviceID(bytes: try row.bytes(1)) else { return }
            listing.photo.contributors.append(Person(device, guest: GuestID(bytes: try row.bytes(2))))
        }
        let companions = """
            SELECT photo.lead, photo.blob, photo.name, photo.role, photo.byte_count, blob.id IS NOT NULL
            FROM photo LEFT JOIN blob ON blob.id = photo.blob WHERE photo.lead \(scope)
            ORDER BY photo.lead, photo.name, photo.blob
            """
        try each(companions) { listing, row in
            guard let blob = BlobID(bytes: try row.bytes(1)), let role = Moment.Role(column: try row.value(3)) else {
                return
            }
            listing.companions.append(
                .init(
                    blob: blob, name: try row.value(2), role: role, byteCount: try row.unsigned(4),
                    isHere: try row.value(5)))
        }
    }
}
