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
            photo.contributors[0].device.withUnsafeBytes { source.add($0) }
            photo.contributors[0].guest?.withUnsafeBytes { source.add($0) }
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

    /// What some photos have in common.
    struct Key: Hashable, Comparable {
        /// The raw values are the columns of the index.
        enum Column: String {
            case family, content
        }

        var column: Column
        var value: Int64

        static func < (left: Key, right: Key) -> Bool {
            (left.column.rawValue, left.value) < (right.column.rawValue, right.value)
        }
    }

    /// How many photos have a key or had it, of those that were written or removed.
    private(set) var counts: [Key: Int] = [:]
    /// Photos that were there before they were written, and the keys that they have.
    private(set) var rewritten: [(number: Int64, keys: [Key])] = []

    init() {}

    mutating func insert(_ pair: Pair) {
        for key in pair.keys { counts[key, default: 0] += 1 }
    }

    mutating func rewrite(_ number: Int64, _ pair: Pair) { rewritten.append((number, pair.keys)) }
}

extension MomentKeys.Pair {
    var keys: [MomentKeys.Key] {
        let family = MomentKeys.Key(column: .family, value: family)
        return content.map { [family, MomentKeys.Key(column: .content, value: $0)] } ?? [family]
    }
}

/// Finds again which photos belong together, looking only at those that may.
///
/// One photo more must not cost a look at all others that are called alike: a key that many photos have connects none,
/// and photos that many are connected with stand alone.
struct MomentKeeper {
    /// More photos than these with one key are connected by others only. A moment has a handful.
    static let keyCountMax = 100
    /// More photos than these that are connected with each other stand alone.
    static let memberCountMax = 400

    private let database: Database

    init(_ database: Database) {
        self.database = database
    }

    /// What is known of keys and photos while they are regrouped.
    private struct Progress {
        var done: Set<MomentKeys.Key> = []
        /// Keys of too many photos.
        var crowded: Set<MomentKeys.Key> = []
        var settled: Set<Int64> = []
    }

    /// - Parameter keys: those that photos had and have that were written or removed.
    func regroup(_ keys: MomentKeys) throws {
        var progress = Progress()
        for (key, count) in try shared(keys) {
            if count <= Self.keyCountMax {
                guard progress.done.insert(key).inserted else { continue }
                try settle(try connected(from: [key], [], &progress), &progress)
            } else {
                progress.crowded.insert(key)
                // It connected them until now.
                for number in try newlyCrowded(key, touchedCount: keys.counts[key] ?? 0) {
                    try settle(number, &progress)
                }
            }
        }
        for (number, keys) in keys.rewritten where keys.contains(where: { progress.crowded.contains($0) }) {
            try settle(number, &progress)
        }
    }

    /// Those that several photos have, or one that the index does not take for single; and how many have each, of many
    /// only that they are too many.
    private func shared(_ keys: MomentKeys) throws -> [(key: MomentKeys.Key, count: Int)] {
        var shared: [(key: MomentKeys.Key, count: Int)] = []
        for (column, keys) in Dictionary(grouping: keys.counts.keys, by: \.column) {
            let same = "photo.\(column.rawValue) = json_each.value"
            let sql = """
                SELECT value, (
                    SELECT count(*) FROM (SELECT 1 FROM photo WHERE \(same) LIMIT \(Self.keyCountMax + 1))) AS n
                FROM json_each(?) WHERE n > 1 OR (n = 1 AND EXISTS (
                    SELECT 1 FROM photo WHERE \(same) AND (lead IS NOT NULL OR kind = \(PhotoKind.live.column))))
                """
            let list = "[\(keys.map { String($0.value) }.joined(separator: ","))]"
            for row in try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [list]) {
                shared.append((MomentKeys.Key(column: column, value: try row.value(0)), try row.value(1)))
            }
        }
        return shared.sorted { $0.key < $1.key }
    }

    /// All photos of a key that too many have, if it may have been fewer before; else none.
    private func newlyCrowded(_ key: MomentKeys.Key, touchedCount: Int) throws -> [Int64] {
        let countMax = Self.keyCountMax + touchedCount
        let sql = "SELECT number FROM photo WHERE \(key.column.rawValue) = ? LIMIT ?"
        let numbers = try Int64.fetchAll(
            database.cachedStatement(sql: sql), arguments: [key.value, countMax + 1])
        return numbers.count <= countMax ? numbers : []
    }

    private struct Member {
        var number: Int64
        var album: Int64
        var part: MomentPart
        var ownKind: PhotoKind
        var lead: Int64?
        var role: Int?
        var kind: Int
        var keys: [MomentKeys.Key]
    }

    /// All photos that are connected with those of some keys, over whatever they have in common with others; of too many
    /// connected ones some.
    private func connected(
        from keys: [MomentKeys.Key], _ start: [Member], _ progress: inout Progress
    ) throws -> [Member] {
        var members = Dictionary(uniqueKeysWithValues: start.map { ($0.number, $0) })
        var waiting = keys
        var next = 0
        while next < waiting.count, members.count <= Self.memberCountMax {
            let key = waiting[next]
            next += 1
            guard let found = try find(key, &progress) else { continue }
            for member in found where members[member.number] == nil {
                members[member.number] = member
                waiting += member.keys.filter { progress.done.insert($0).inserted }
            }
        }
        // They have not been looked at.
        progress.done.subtract(waiting[next...])
        return members.values.sorted { $0.number < $1.number }
    }

    /// The photos of a key; `nil` where they are too many.
    private func find(_ key: MomentKeys.Key, _ progress: inout Progress) throws -> [Member]? {
        guard !progress.crowded.contains(key) else { return nil }
        let members = try members(key.column.rawValue, key.value)
        guard members.count > Self.keyCountMax else { return members }
        progress.crowded.insert(key)
        return nil
    }

    private func members(_ column: String, _ value: Int64) throws -> [Member] {
        let sql = """
            SELECT photo.number, photo.album, photo.blob, photo.name, device.id, photo.media_kind,
                photo.content_identifier, photo.taken, photo.taken_source, body.model, photo.media_type, photo.lead,
                photo.role, photo.family, photo.content, photo.kind, guest.id
            FROM photo JOIN device ON device.number = photo.contributor
            LEFT JOIN guest ON guest.number = photo.guest LEFT JOIN body ON body.number = photo.body
            WHERE photo.\(column) = ? LIMIT \(Self.keyCountMax + 1)
            """
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [value]).compactMap {
            try Self.member($0)
        }
    }

    private static func member(_ row: Row) throws -> Member? {
        guard let blob = BlobID(bytes: try row.bytes(2)), let contributor = DeviceID(bytes: try row.bytes(4)) else {
            return nil
        }
        let kind = try row.value(5, UInt32?.self).flatMap { MediaKind(rawValue: $0) }
        let taken = try row.value(8, UInt32?.self).flatMap { CaptureTime.Source(rawValue: $0) }.map {
            CaptureTime(localMilliseconds: try row.value(7), offsetMinutes: nil, source: $0)
        }
        let part = MomentPart(
            blob: blob, name: try row.value(3),
            contributor: Person(contributor, guest: GuestID(bytes: try row.bytes(16))), kind: kind,
            contentIdentifier: try row.value(6, String?.self) ?? "", taken: taken,
            model: try row.value(9, String?.self) ?? "")
        return Member(
            number: try row.value(0), album: try row.value(1), part: part,
            ownKind: PhotoKind(kind, mediaType: try row.value(10)), lead: try row.value(11), role: try row.value(12),
            kind: try row.value(15),
            keys: MomentKeys.Pair(family: try row.value(13), content: try row.value(14)).keys)
    }

    /// One photo and those that are connected with it.
    private func settle(_ number: Int64, _ progress: inout Progress) throws {
        guard !progress.settled.contains(number), let member = try members("number", number).first else { return }
        try settle(try connected(from: member.keys, [member], &progress), &progress)
    }

    /// Writes what the photos are to each other, where it is not what the index says already.
    private func settle(_ members: [Member], _ progress: inout Progress) throws {
        progress.settled.formUnion(members.map(\.number))
        guard members.count <= Self.memberCountMax else { return try separate(members) }
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

    /// None of them belongs to another one, or another one to them.
    private func separate(_ members: [Member]) throws {
        for member in members {
            try write(member, lead: nil, role: nil, kind: member.ownKind)
            try release(from: member.number)
        }
    }

    /// What belonged to a photo stands alone: else no list would show it.
    ///
    /// - Returns: the keys of each, which connect it with what belonged to it alone, like the sidecar of a video.
    @discardableResult
    func release(from lead: Int64) throws -> [MomentKeys.Pair] {
        let sql = "UPDATE photo SET lead = NULL, role = NULL WHERE lead = ? RETURNING family, content"
        return try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [lead]).map {
            MomentKeys.Pair(family: try $0.value(0), content: try $0.value(1))
        }
    }

    private func write(_ member: Member, lead: Int64?, role: Int?, kind: PhotoKind) throws {
        guard (member.lead, member.role, member.kind) != (lead, role, kind.column) else { return }
        if member.lead == nil, lead != nil { try release(from: member.number) }
        try database.cachedStatement(sql: "UPDATE photo SET lead = ?, role = ?, kind = ? WHERE number = ?")
            .execute(arguments: [lead, role, kind.column, member.number])
    }
}
