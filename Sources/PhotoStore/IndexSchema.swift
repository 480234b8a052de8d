/// The tables of the index.
enum IndexSchema {
    /// Counts up with every change of the schema, of what a column means, or of how words are folded.
    static let version: Int32 = 5

    /// Devices, guests, cameras and lenses have numbers of their own, which photos name. `photo.lead` is the photo that this
    /// one belongs to; `family` and `content` are hashes of what photos of one moment have in common.
    static let sql = """
        CREATE TABLE stamp (
            only INTEGER PRIMARY KEY CHECK (only = 1), fold_level INTEGER NOT NULL, vector BLOB NOT NULL);
        CREATE TABLE kept_answer (
            only INTEGER PRIMARY KEY CHECK (only = 1), origin BLOB NOT NULL, answer BLOB NOT NULL, hash BLOB NOT NULL);
        CREATE TABLE album (
            number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, name TEXT NOT NULL, updated INTEGER NOT NULL,
            digest BLOB NOT NULL, cover BLOB, usual_offset INTEGER);
        CREATE TABLE device (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);
        CREATE TABLE guest (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE);
        CREATE TABLE body (
            number INTEGER PRIMARY KEY, make TEXT NOT NULL, model TEXT NOT NULL, serial TEXT NOT NULL,
            UNIQUE (make, model, serial));
        CREATE TABLE lens (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE camera_clock (
            album INTEGER NOT NULL, device INTEGER NOT NULL, body INTEGER NOT NULL, seconds INTEGER NOT NULL,
            PRIMARY KEY (album, device, body)) WITHOUT ROWID;

        CREATE TABLE photo (
            number INTEGER PRIMARY KEY, album INTEGER NOT NULL, blob BLOB NOT NULL, name TEXT NOT NULL,
            media_type TEXT NOT NULL, byte_count INTEGER NOT NULL, contributor INTEGER NOT NULL, guest INTEGER,
            added INTEGER NOT NULL, modified INTEGER NOT NULL, media_kind INTEGER, kind INTEGER NOT NULL,
            width INTEGER, height INTEGER, taken INTEGER NOT NULL, taken_offset INTEGER, taken_source INTEGER,
            is_instant INTEGER NOT NULL, body INTEGER, lens INTEGER, latitude INTEGER, longitude INTEGER,
            altitude INTEGER, duration INTEGER, content_identifier TEXT, thumbnail BLOB,
            thumbnail_byte_count INTEGER, thumbnail_width INTEGER, thumbnail_height INTEGER, thumbnail_type INTEGER,
            problem TEXT, caption TEXT, family INTEGER NOT NULL, content INTEGER, lead INTEGER, role INTEGER,
            UNIQUE (album, blob));
        CREATE INDEX photo_family ON photo (family);
        CREATE INDEX photo_content ON photo (content) WHERE content IS NOT NULL;
        CREATE INDEX photo_lead ON photo (lead) WHERE lead IS NOT NULL;
        CREATE TABLE also_by (
            photo INTEGER NOT NULL, rank INTEGER NOT NULL, device INTEGER NOT NULL, guest INTEGER,
            PRIMARY KEY (photo, rank)) WITHOUT ROWID;
        CREATE TABLE photo_tag (
            photo INTEGER NOT NULL, key TEXT NOT NULL, tag TEXT NOT NULL, PRIMARY KEY (photo, key)) WITHOUT ROWID;
        CREATE INDEX photo_tag_key ON photo_tag (key);
        CREATE TABLE favour (
            photo INTEGER NOT NULL, device INTEGER NOT NULL, PRIMARY KEY (photo, device)) WITHOUT ROWID;

        CREATE TABLE blob (
            id BLOB PRIMARY KEY, byte_count INTEGER NOT NULL,
            inode INTEGER, seen_byte_count INTEGER, modified INTEGER, changed INTEGER) WITHOUT ROWID;
        CREATE TABLE piece_list (blob BLOB PRIMARY KEY, hashes BLOB NOT NULL);

        CREATE VIRTUAL TABLE photo_words USING fts5(
            name, caption, tags, sources, content = '', tokenize = 'unicode61 remove_diacritics 2');
        CREATE VIRTUAL TABLE source_words USING fts5(words, tokenize = 'unicode61 remove_diacritics 2');
        -- What photo_words holds of a photo. It keeps no copy, and has to be told what is taken out of it.
        CREATE VIEW photo_text AS SELECT
            number, name, ifnull(caption, '') AS caption,
            ifnull((SELECT group_concat(tag, ' ') FROM photo_tag WHERE photo = photo.number), '') AS tags,
            'a' || album || ' d' || contributor || ifnull(' g' || guest, '')
                || ifnull((
                    SELECT group_concat(' d' || device || ifnull(' g' || guest, ''), '')
                    FROM also_by WHERE photo = photo.number), '')
                || ifnull(' b' || body, '') || ifnull(' l' || lens, '') AS sources
            FROM photo;
        """

    /// Everything that is made from the fold, and nothing of the blob store's.
    static let emptying = """
        DELETE FROM photo; DELETE FROM also_by; DELETE FROM photo_tag; DELETE FROM favour; DELETE FROM camera_clock;
        DELETE FROM album; DELETE FROM device; DELETE FROM guest; DELETE FROM body; DELETE FROM lens;
        DELETE FROM source_words;
        INSERT INTO photo_words (photo_words) VALUES ('delete-all'); DELETE FROM stamp;
        DELETE FROM kept_answer;
        """
}

/// What a photo comes from: a word in `photo_words` names it by kind and number, and `source_words` knows its names. So an
/// album or a device that gets another name changes one row.
enum IndexSource: Int64, CaseIterable {
    case device = 0
    case body = 1
    case lens = 2
    case guest = 3
    case album = 4

    private static let count = Int64(allCases.count)

    private var letter: String {
        switch self {
        case .device: "d"
        case .body: "b"
        case .lens: "l"
        case .guest: "g"
        case .album: "a"
        }
    }

    /// Of its row in `source_words`.
    func rowID(_ number: Int64) -> Int64 { number * Self.count + rawValue }

    /// The word that photos have.
    static func word(rowID: Int64) -> String {
        (IndexSource(rawValue: rowID % count)?.letter ?? "") + "\(rowID / count)"
    }
}
