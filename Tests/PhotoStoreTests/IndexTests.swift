import AlbumModel
import GRDB
import Glibc
import StoreProbe
import Testing

@testable import PhotoStore

private func album(_ number: UInt8, _ name: String) -> AlbumRow {
    AlbumRow(id: AlbumID(bytes: [number] + Samples.bytes(15, seed: 1))!, name: name, updated: 5, digest: [number])
}

private func photo(_ album: AlbumRow, _ number: Int, byteCount: UInt64 = 10) -> PhotoRow {
    PhotoRow(
        album: album.id, blob: Samples.blobID(Samples.bytes(8, seed: UInt64(number))), name: "\(number).jpg",
        mediaType: "image/jpeg",
        byteCount: byteCount,
        contributors: [2, 3].map { Person(DeviceID(bytes: Samples.bytes(32, seed: $0))!) },
        added: UInt64(number), modified: -3)
}

private let stamp = IndexStamp(foldLevel: 1, vector: [1, 2, 3])

private func fill(_ index: Index) throws {
    let beach = album(1, "Beach")
    try index.replaceAll(albums: [beach], photos: (0..<500).map { photo(beach, $0) }, stamp: stamp)
}

/// A new index says so; one that is opened again has its stamp and rows.
@Test func indexReopens() throws {
    let home = TemporaryHome()
    do {
        let index = try Index(home: home.path)
        #expect(index.wasRebuilt)
        #expect(try index.stamp() == nil)
        try fill(index)
    }
    let index = try Index(home: home.path)
    #expect(!index.wasRebuilt)
    #expect(try index.stamp() == stamp)
    #expect(try index.albums().map(\.photoCount) == [500])
}

/// Garbage, a damaged page, a cut-off file, another version, another program's database: each gives an empty index that
/// works, and says that it is new.
@Test(arguments: ["garbage", "page", "short", "version", "foreign", "gone"])
func indexIsMadeAnew(_ harm: String) throws {
    let home = TemporaryHome()
    let path: String
    do {
        let index = try Index(home: home.path)
        path = index.path
        try fill(index)
        switch harm {
        case "version": try index.file.write { try $0.execute(sql: "PRAGMA user_version = 9999") }
        case "foreign": try index.file.write { try $0.execute(sql: "PRAGMA application_id = 1") }
        default: break
        }
        try index.file.close()
    }
    switch harm {
    case "garbage": try overwrite(path, with: Samples.bytes(9000, seed: 4))
    // Beyond the first page, which holds the schema.
    case "page": try overwrite(path, with: Samples.bytes(40_000, seed: 4), at: 4096)
    case "short": #expect(truncate(path, 6000) == 0)
    case "gone": #expect(unlink(path) == 0)
    default: break
    }
    let index = try Index(home: home.path)
    #expect(index.wasRebuilt)
    #expect(try index.stamp() == nil)
    #expect(try index.albums().isEmpty)
    try fill(index)
    #expect(try index.albums().count == 1)
}

/// Sums count what is here by the blob table, each photo in each album.
@Test func indexListings() throws {
    let home = TemporaryHome()
    let index = try Index(home: home.path)
    let beach = album(1, "Beach")
    let hike = album(2, "Hike")
    let empty = album(3, "Empty")
    let photos = [
        photo(beach, 1, byteCount: 100), photo(beach, 2, byteCount: 20), photo(hike, 2, byteCount: 20),
        photo(hike, 3, byteCount: 3),
    ]
    try index.replaceAll(albums: [hike, empty, beach], photos: photos, stamp: stamp)
    try index.updateBlobs([BlobRow(id: photos[0].blob, byteCount: 100, seen: nil, pieceList: nil)])

    let albums = try index.albums()
    #expect(albums.map(\.album) == [beach, empty, hike])
    #expect(albums.map(\.photoCount) == [2, 0, 2])
    #expect(albums.map(\.byteCount) == [120, 0, 23])
    #expect(albums.map(\.hereCount) == [1, 0, 0])
    let listed = try index.photos(album: beach.id)
    #expect(listed.map(\.photo) == Array(photos[..<2]))
    #expect(listed.map(\.isHere) == [true, false])
}

/// A kept answer is given again for its own origin alone, while the index is there, of this version and as it was written.
@Test func answersAreKept() throws {
    let home = TemporaryHome()
    func kept(_ origin: [UInt8] = [1, 2]) -> [UInt8]? { Index.keptAnswer(home: home.path, origin: origin) }
    #expect(kept() == nil)
    #expect(access(home.path + "/index.sqlite", F_OK) != 0)
    let answer = Array("The answer.".utf8)
    func keep() throws { try Index(home: home.path).keep(answer: answer, origin: [1, 2]) }
    try keep()
    #expect(kept() == answer && kept([1]) == nil && kept([1, 3]) == nil)
    for sql in [
        "PRAGMA user_version = 4", "PRAGMA application_id = 4", "DROP TABLE kept_answer", "DELETE FROM kept_answer",
        "UPDATE kept_answer SET answer = CAST('The answer!' AS BLOB)", "UPDATE kept_answer SET hash = 7",
        "UPDATE kept_answer SET origin = x'0103'",
    ] {
        // One of another schema is made anew.
        for suffix in ["", "-wal", "-shm"] { unlink(home.path + "/index.sqlite" + suffix) }
        try keep()
        #expect(kept() == answer, "\(sql)")
        try Index(home: home.path).file.write { try $0.execute(sql: sql) }
        #expect(kept() == nil && kept([1, 3]) == nil, "\(sql)")
    }
    for suffix in ["", "-wal", "-shm"] { unlink(home.path + "/index.sqlite" + suffix) }
    try keep()
    let index = try Index(home: home.path)
    try index.apply(albums: [album(1, "Beach")], photos: [], stamp: stamp)
    #expect(kept() == answer)
    try fill(index)
    #expect(kept() == nil)
}

/// A change of a few rows leaves the others, takes the removed ones, and moves the stamp in the same transaction.
@Test func indexApplies() throws {
    let home = TemporaryHome()
    let index = try Index(home: home.path)
    let beach = album(1, "Beach")
    let hike = album(2, "Hike")
    try index.replaceAll(
        albums: [beach, hike], photos: [photo(beach, 1), photo(beach, 2), photo(hike, 3)], stamp: stamp)
    let next = IndexStamp(foldLevel: 1, vector: [4])
    try index.apply(
        albums: [album(1, "Sea")], photos: [photo(beach, 4)],
        removedPhotos: [(beach.id, photo(beach, 1).blob), (hike.id, photo(hike, 3).blob)], stamp: next)
    #expect(try index.albums().map(\.album.name) == ["Hike", "Sea"])
    #expect(try index.photos(album: beach.id).map(\.photo.name) == ["2.jpg", "4.jpg"])
    #expect(try index.photos(album: hike.id).isEmpty)
    #expect(try index.stamp() == next)
}

/// What an index that somebody prepared has in its columns ends a listing with an error, and nothing else.
@Test(arguments: [
    "UPDATE photo SET width = 1099511627776, height = 1", "UPDATE photo SET byte_count = 'many'",
    "UPDATE photo SET blob = 'name' WHERE number = 1", "UPDATE album SET updated = 'then'",
    "UPDATE album SET digest = 7", "INSERT INTO blob (id, byte_count) VALUES (zeroblob(32), 'many')",
])
func oddColumnsAreErrors(sql: String) throws {
    let home = TemporaryHome()
    let index = try Index(home: home.path)
    try fill(index)
    try index.file.write { try $0.execute(sql: sql) }
    let error = #expect(throws: StoreError.self) {
        _ = try index.albums()
        _ = try index.photos(album: album(1, "Beach").id)
        _ = try index.blobs()
    }
    #expect(error?.code == .damaged)
}
