import AlbumModel
import GRDB

/// The blob store's memory: which blobs are here, and what is known of their files and pieces.
extension Index {
    /// All rows, without piece lists.
    func blobs() throws(StoreError) -> [BlobRow] {
        try file.read { database in
            let rows = try PreparedStatement(
                database, sql: "SELECT id, byte_count, inode, seen_byte_count, modified, changed FROM blob")
            var blobs: [BlobRow] = []
            try rows.forEach { row in
                guard let id = BlobID(bytes: try row.bytes(0)) else { return }
                var seen: FileMark?
                if !row.isNull(2) {
                    seen = FileMark(
                        inode: try row.unsigned(2), byteCount: try row.unsigned(3), modified: try row.integer(4),
                        changed: try row.integer(5))
                }
                blobs.append(BlobRow(id: id, byteCount: try row.unsigned(1), seen: seen, pieceList: nil))
            }
            return blobs
        }
    }

    func blobCount() throws(StoreError) -> Int {
        try file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM blob") ?? 0 }
    }

    /// Adds, changes and removes rows in one transaction.
    func updateBlobs(_ rows: [BlobRow], removing removed: [BlobID] = []) throws(StoreError) {
        guard !rows.isEmpty || !removed.isEmpty else { return }
        try file.write { database in
            for id in removed {
                try database.execute(sql: "DELETE FROM blob WHERE id = ?", arguments: [Column.bytes(id.bytes)])
                try database.execute(sql: "DELETE FROM piece_list WHERE blob = ?", arguments: [Column.bytes(id.bytes)])
            }
            let insert = try PreparedStatement(
                database,
                sql: """
                    INSERT OR REPLACE INTO blob (id, byte_count, inode, seen_byte_count, modified, changed)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """)
            for row in rows {
                insert.bind(row.id).bind(row.byteCount).bind(row.seen?.inode).bind(row.seen?.byteCount)
                    .bind(row.seen?.modified).bind(row.seen?.changed)
                try insert.run()
                guard let list = row.pieceList else { continue }
                try database.execute(
                    sql: "INSERT OR REPLACE INTO piece_list (blob, hashes) VALUES (?, ?)",
                    arguments: [Column.bytes(row.id.bytes), Column.bytes(list.hashes.flatMap(\.bytes))])
            }
        }
    }

    /// `nil` where none is kept.
    func pieceList(_ id: BlobID) throws(StoreError) -> PieceList? {
        try file.read { database in
            let sql = "SELECT hashes FROM piece_list WHERE blob = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [Column.bytes(id.bytes)]) else {
                return nil
            }
            let bytes = try row.bytes(0)
            let hashes = stride(from: 0, to: bytes.count, by: BlobID.byteCount).compactMap { start in
                BlobID(bytes: bytes[start..<min(start + BlobID.byteCount, bytes.count)])
            }
            return PieceList(hashes: hashes)
        }
    }
}
