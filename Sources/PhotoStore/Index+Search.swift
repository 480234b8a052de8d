public import AlbumModel
import GRDB

extension Index {
    /// Words of one search that are looked at; further ones are left out.
    public static let searchWordCountMax = 16

    /// Entries that pass a filter, in the order of albums: by time taken, then by name. The words of companions do
    /// not count, those of leads do.
    public func photos(matching filter: PhotoFilter) throws(StoreError) -> [PhotoListing] {
        let (condition, arguments) = filter.sql
        return try file.read { database in
            try PhotoLister(database).listings(condition, arguments).map(\.listing)
        }
    }

    /// Tags with the number of photos that have them, the most frequent first, then by key. Of the ways in which
    /// people wrote a tag the most frequent one is shown.
    ///
    /// - Parameter album: `nil` for all.
    public func tags(album: AlbumID? = nil) throws(StoreError) -> [TagListing] {
        try file.read { database in
            let inAlbum = "WHERE photo IN (SELECT number FROM photo WHERE \(PhotoFilter.inAlbum))"
            let sql = """
                SELECT key, tag, count(*) FROM photo_tag \(album == nil ? "" : inAlbum) GROUP BY key, tag
                ORDER BY key, count(*) DESC, tag
                """
            let arguments: StatementArguments = album.map { [Column.bytes($0.bytes)] } ?? []
            var tags: [(key: String, listing: TagListing)] = []
            for row in try Row.fetchAll(database, sql: sql, arguments: arguments) {
                let (key, count) = (try row.value(0, String.self), try row.value(2, Int.self))
                if let last = tags.last, last.key.utf8.elementsEqual(key.utf8) {
                    // Another way to write it, and not a more frequent one.
                    tags[tags.count - 1].listing.photoCount += count
                } else {
                    tags.append((key, TagListing(tag: try row.value(1), photoCount: count)))
                }
            }
            // Stable, so that equal counts stay in the order of the keys.
            return tags.enumerated().sorted {
                ($1.element.listing.photoCount, $0.offset) < ($0.element.listing.photoCount, $1.offset)
            }.map(\.element.listing)
        }
    }

    /// Entries with all of the words, the best first: in a file name, a caption, a tag, the name of the album, of a
    /// contributor's device, or of a camera or lens. A word matches what begins with it; case and accents do not count.
    ///
    /// - Parameters:
    ///   - text: words with white space between; nothing in it is syntax.
    ///   - album: `nil` for all.
    ///   - limit: the most entries to return.
    public func search(_ text: String, album: AlbumID? = nil, limit: Int = 500) throws(StoreError) -> [PhotoListing] {
        let words = SearchWords.split(text)
        guard !words.isEmpty else { return [] }
        return try file.read { database in
            let query = try words.map { try SearchWords.clause($0, database) }.joined(separator: " AND ")
            // A tag is chosen, a caption is written; the name of a file rarely says much. Rounded, since the score of
            // equally good ones depends, in the last digit, on the order in which its parts are added up.
            let sql = """
                WITH hit AS MATERIALIZED (
                    SELECT rowid AS number, round(bm25(photo_words, 1, 4, 8, 2), 9) AS score FROM photo_words
                    WHERE photo_words MATCH ?)
                SELECT ifnull(photo.lead, photo.number) AS entry, min(hit.score) AS best
                FROM hit JOIN photo ON photo.number = hit.number JOIN album ON album.number = photo.album
                \(album == nil ? "" : "WHERE \(PhotoFilter.inAlbum)")
                GROUP BY entry ORDER BY best, max(photo.added) DESC, min(photo.blob), album.id LIMIT ?
                """
            let scope: [(any DatabaseValueConvertible)?] = album.map { [Column.bytes($0.bytes)] } ?? []
            let arguments = StatementArguments([query] + scope + [limit])
            return try PhotoLister(database).listings(of: Int64.fetchAll(database, sql: sql, arguments: arguments))
        }
    }
}

/// A person's words as a query of SQLite's full-text search.
enum SearchWords {
    /// Folded; those with a letter or a digit: punctuation alone matches nothing and is left out.
    static func split(_ text: String) -> [String] {
        let words = PlainText.folded(text).split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).map(String.init)
        return Array(words.filter { $0.contains { $0.isLetter || $0.isNumber } }.prefix(Index.searchWordCountMax))
    }

    /// The photos that have the word, or come from something that has it in its name.
    static func clause(_ word: String, _ database: Database) throws -> String {
        let quoted = "\"" + word.replacing("\"", with: "\"\"") + "\" *"
        let rows = try Int64.fetchAll(
            database, sql: "SELECT rowid FROM source_words WHERE source_words MATCH ? ORDER BY rowid",
            arguments: [quoted])
        let sources = rows.map { "\"\(IndexSource.word(rowID: $0))\"" }
        let own = "({name caption tags} : \(quoted))"
        return sources.isEmpty ? own : "(\(own) OR (sources : (\(sources.joined(separator: " OR ")))))"
    }
}

extension PhotoFilter {
    static let inAlbum = "photo.album = (SELECT number FROM album WHERE id = ?)"

    /// A condition and what its question marks stand for.
    fileprivate var sql: (condition: String, arguments: StatementArguments) {
        var conditions = ["photo.lead IS NULL"]
        var arguments = StatementArguments()
        func add(_ condition: String, _ values: StatementArguments) {
            conditions.append(condition)
            arguments += values
        }
        if let album { add(Self.inAlbum, [Column.bytes(album.bytes)]) }
        if let tag { add("photo.number IN (SELECT photo FROM photo_tag WHERE key = ?)", [TagName.key(tag)]) }
        if let device {
            let numbered = "(SELECT number FROM device WHERE id = ?)"
            let id = Column.bytes(device.bytes)
            add(
                """
                (photo.contributor = \(numbered)
                    OR photo.number IN (SELECT photo FROM also_by WHERE also_by.device = \(numbered)))
                """, [id, id])
        }
        if let takenFrom { add("\(PhotoLister.local) >= ?", [takenFrom]) }
        if let takenBefore { add("\(PhotoLister.local) < ?", [takenBefore]) }
        if let camera {
            add("body.make || ' ' || body.model LIKE ? ESCAPE '\\'", ["%\(Self.escaped(camera))%"])
        }
        if let mediaType {
            let pattern = Self.escaped(mediaType) + (mediaType.hasSuffix("/") ? "%" : "")
            add("photo.media_type LIKE ? ESCAPE '\\'", [pattern])
        }
        if !kinds.isEmpty {
            let columns = kinds.map { Int64($0.column) }.sorted()
            add("photo.kind \(Numbers.among(columns))", [])
        }
        if !favouritesOf.isEmpty {
            let marks = favouritesOf.map { _ in "?" }.joined(separator: ",")
            add(
                """
                photo.number IN (SELECT photo FROM favour JOIN device ON device.number = favour.device
                    WHERE device.id IN (\(marks)))
                """, StatementArguments(favouritesOf.map { Column.bytes($0.bytes) }))
        }
        return (conditions.joined(separator: " AND "), arguments)
    }

    /// What LIKE takes by its letters.
    private static func escaped(_ text: String) -> String {
        ["\\", "%", "_"].reduce(text) { $0.replacing($1, with: "\\" + $1) }
    }
}
