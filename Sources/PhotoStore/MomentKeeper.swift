import AlbumModel
import GRDB

/// What photos of one moment have in common, hashed: photos without an equal key are strangers.
struct MomentKeys {
    /// One photo's.
    struct Pair {
        var family: Int64
        /// `nil` for a photo without a content identifier.
        var content: Int64?

        init(family: Int64, content: Int64?) {
            self.family = family
            self.content = content
        }

        init(_ photo: PhotoRow, album: Int64) {
            var source = KeyHash()
            withUnsafeBytes(of: album.bigEndian) { source.add($0) }
            photo.contributors[0].withUnsafeBytes { source.add($0) }
            family = source.key(of: MomentName(photo.name).family)
            let identifier = photo.details.contentIdentifier
            content = identifier.isEmpty ? nil : source.key(of: identifier)
        }
    }

    /// FNV-1a: a collision brings strangers together, and ``Moments`` tells them apart.
    private struct KeyHash {
        private var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ bytes: UnsafeRawBufferPointer) {
            for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }

        func key(of text: String) -> Int64 {
            var (text, whole) = (text, self)
            text.withUTF8 { whole.add(UnsafeRawBufferPointer($0)) }
            return Int64(bitPattern: whole.value)
        }
    }

    private(set) var families: Set<Int64> = []
    private(set) var contents: Set<Int64> = []

    init() {}

    mutating func insert(_ pair: Pair) {
        families.insert(pair.family)
        if let content = pair.content { contents.insert(content) }
    }

    /// Any of them, taken out.
    mutating func popFirst() -> (column: String, key: Int64)? {
        if let key = families.popFirst() { return ("family", key) }
        return contents.popFirst().map { ("content", $0) }
    }

    mutating func insert(column: String, _ key: Int64) -> Bool {
        column == "family" ? families.insert(key).inserted : contents.insert(key).inserted
    }
}

/// Finds again which photos belong together, looking only at those that may.
struct MomentKeeper {
    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// - Parameter keys: those that photos had and have that were written or removed.
    func regroup(_ keys: MomentKeys) throws {
        var waiting = try shared(keys)
        var done = MomentKeys()
        while let next = waiting.popFirst() {
            guard done.insert(column: next.column, next.key) else { continue }
            try settle(try connected(from: next, &done))
        }
    }

    /// Those that several photos have, or one that the index does not take for single.
    private func shared(_ keys: MomentKeys) throws -> MomentKeys {
        var shared = MomentKeys()
        for (column, keys) in [("family", keys.families), ("content", keys.contents)] where !keys.isEmpty {
            let sql = """
                SELECT \(column) FROM photo WHERE \(column) IN (SELECT value FROM json_each(?)) GROUP BY \(column)
                HAVING count(*) > 1 OR max(lead IS NOT NULL OR kind = \(PhotoKind.live.column))
                """
            let list = "[\(keys.map(String.init).joined(separator: ","))]"
            for key in try Int64.fetchAll(database.cachedStatement(sql: sql), arguments: [list]) {
                _ = shared.insert(column: column, key)
            }
        }
        return shared
    }

    private struct Member {
        var number: Int64
        var album: Int64
        var part: MomentPart
        var ownKind: PhotoKind
        var lead: Int64?
        var role: Int?
        var kind: Int
    }

    /// All photos that are connected with those of one key, over whatever they have in common with others.
    private func connected(
        from start: (column: String, key: Int64), _ done: inout MomentKeys
    ) throws -> [Member] {
        var members: [Int64: Member] = [:]
        var waiting = [start]
        while let (column, key) = waiting.popLast() {
            let rows = try Row.fetchAll(
                try database.cachedStatement(sql: Self.sql(column)), arguments: [key])
            for row in rows where members[row[0]] == nil {
                guard let member = Self.member(row) else { continue }
                members[member.number] = member
                let pair: (Int64, Int64?) = (row[13], row[14])
                if done.insert(column: "family", pair.0) { waiting.append(("family", pair.0)) }
                if let content = pair.1, done.insert(column: "content", content) {
                    waiting.append(("content", content))
                }
            }
        }
        return members.values.sorted { $0.number < $1.number }
    }

    private static func sql(_ column: String) -> String {
        """
        SELECT photo.number, photo.album, photo.blob, photo.name, device.id, photo.media_kind,
            photo.content_identifier, photo.taken, photo.taken_source, body.model, photo.media_type, photo.lead,
            photo.role, photo.family, photo.content, photo.kind
        FROM photo JOIN device ON device.number = photo.contributor LEFT JOIN body ON body.number = photo.body
        WHERE photo.\(column) = ?
        """
    }

    private static func member(_ row: Row) -> Member? {
        guard let blob = BlobID(bytes: row.bytes(2)), let contributor = DeviceID(bytes: row.bytes(4)) else {
            return nil
        }
        let kind = (row[5] as UInt32?).flatMap { MediaKind(rawValue: $0) }
        let taken = (row[8] as UInt32?).flatMap { CaptureTime.Source(rawValue: $0) }.map {
            CaptureTime(localMilliseconds: row[7], offsetMinutes: nil, source: $0)
        }
        let part = MomentPart(
            blob: blob, name: row[3], contributor: contributor, kind: kind,
            contentIdentifier: (row[6] as String?) ?? "", taken: taken, model: (row[9] as String?) ?? "")
        return Member(
            number: row[0], album: row[1], part: part, ownKind: PhotoKind(kind, mediaType: row[10]), lead: row[11],
            role: row[12], kind: row[15])
    }

    /// Writes what the photos are to each other, where it is not what the index says already.
    private func settle(_ members: [Member]) throws {
        for members in Dictionary(grouping: members, by: \.album).values {
            let memberOfBlob = Dictionary(uniqueKeysWithValues: members.map { ($0.part.blob, $0) })
            for moment in Moments.find(members.map(\.part)) {
                let lead = memberOfBlob[moment.lead]!
                let isLive = lead.ownKind == .photo && moment.companions.contains { $0.role == .video }
                try write(lead, lead: nil, role: nil, kind: isLive ? .live : lead.ownKind)
                for companion in moment.companions {
                    let member = memberOfBlob[companion.blob]!
                    try write(member, lead: lead.number, role: companion.role.column, kind: member.ownKind)
                }
            }
        }
    }

    private func write(_ member: Member, lead: Int64?, role: Int?, kind: PhotoKind) throws {
        guard (member.lead, member.role, member.kind) != (lead, role, kind.column) else { return }
        try database.cachedStatement(sql: "UPDATE photo SET lead = ?, role = ?, kind = ? WHERE number = ?")
            .execute(arguments: [lead, role, kind.column, member.number])
    }
}
