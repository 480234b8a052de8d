import AlbumModel
import FoundationEssentials
import PotluckAPI
import WebGallery

/// What the doors keep in the home.
enum EntranceDocument: String, Hashable, Sendable, CaseIterable {
    case doors, sessions, guests

    /// What there is, or a new one where there is none.
    ///
    /// - Throws: ``PotluckError`` where it cannot be read. Nothing takes its place: a new one would put everybody out.
    func read<Value: Decodable>(
        _ type: Value.Type, from store: any DocumentStore, or make: @Sendable () -> Value
    ) async throws -> Value {
        let bytes: [UInt8]?
        do {
            bytes = try await store.document(rawValue)
        } catch {
            throw PotluckError(
                .failed,
                "“\(rawValue)”, a document of the doors for browsers, cannot be read: \(error). Check the home's disk and permissions, then start the agent again."
            )
        }
        guard let bytes else { return make() }
        do {
            return try ReportJSON.value(Value.self, from: Data(bytes))
        } catch {
            throw PotluckError(
                .failed,
                "“\(rawValue)”, a document of the doors for browsers, is damaged. Move it out of the home and start the agent again; \(remedy)"
            )
        }
    }

    private var remedy: String {
        switch self {
        case .doors: "the doors then get new addresses, and guests need the new link."
        case .sessions: "everybody then opens the link once more."
        case .guests: "guests then come back under their names by the link; their photos stay."
        }
    }
}

/// Where the doors are, and what lets people in.
struct DoorsDocument: Codable, Sendable {
    /// 127.a.b.c, this home's own.
    var loopbackAddress: String
    /// `nil` before the first time.
    var loopbackPort: Int?
    var guestPort: Int?
    /// Whether the door for guests is to be open.
    var isOpen = false
    var link: GuestLink?
    /// Guests who have come by this link.
    var joinedCount = 0
    /// Of ``PersonalTokens``, in base64url.
    var key: String
    /// What is heeded of ``GuestStanding``.
    var epoch: UInt64 = 0
    var revoked: Set<GuestID> = []
    /// `nil` where an earlier version wrote it.
    var laptopsOut: Set<String>?

    private static let keyByteCount = 32

    /// Draws what is drawn once.
    init(using generator: inout some RandomNumberGenerator) {
        // Never 127.0.0.x, where everybody listens, and no part that could be taken for a network's or all of it.
        let parts = (0..<3).map { _ in UInt8.random(in: 1...254, using: &generator) }
        loopbackAddress = "127.\(parts[0]).\(parts[1]).\(parts[2])"
        key = Base64URL.text((0..<Self.keyByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// `nil` where it is not as it was drawn.
    var keyBytes: [UInt8]? {
        guard let bytes = Base64URL.bytes(key), bytes.count == Self.keyByteCount else { return nil }
        return bytes
    }
}

/// Guests who came in here, and what they added that waits for the owner's word.
struct GuestsDocument: Codable, Sendable {
    struct Guest: Codable, Sendable {
        var id: GuestID
        var name: String
        /// Milliseconds since 1970.
        var joined: Int64
        var seen: Int64
        /// Photos that this guest added here.
        var photos = 0
        /// What bounds a guest of another laptop, besides this laptop's link; `nil` for one who came by that link itself.
        var pass: Pass?
    }

    /// What a guest brought along from another laptop.
    struct Pass: Codable, Hashable, Sendable {
        var restrictions: GuestRestrictions
        /// When the other laptop said so, in milliseconds since 1970 by its clock.
        var issued: Int64
    }

    /// A photo that the wall does not show yet.
    struct Waiting: Codable, Hashable, Sendable {
        var album: String
        var photo: String
        var guest: GuestID
        /// The photo's.
        var name: String
    }

    /// Of those who were seen last; 2,000 with sessions of 16 each are more than any gathering has.
    static let guestCountMax = 2000
    /// What is more shows at once: an owner who taps ten thousand times is none.
    static let waitingCountMax = 10_000

    private(set) var guests: [Guest] = []
    private(set) var waiting: [Waiting] = []

    init() {}

    func guest(_ id: GuestID) -> Guest? { guests.first { $0.id == id } }

    mutating func put(_ guest: Guest) {
        guests.removeAll { $0.id == guest.id }
        if guests.count >= Self.guestCountMax,
            let oldest = guests.indices.min(by: { guests[$0].seen < guests[$1].seen })
        {
            guests.remove(at: oldest)
        }
        guests.append(guest)
    }

    mutating func change(_ id: GuestID, _ body: (inout Guest) -> Void) {
        if let index = guests.firstIndex(where: { $0.id == id }) { body(&guests[index]) }
    }

    /// Once, also where putting it into its album is tried again.
    mutating func wait(_ photo: Waiting) {
        guard !waiting.contains(photo) else { return }
        if waiting.count >= Self.waitingCountMax { waiting.removeFirst() }
        waiting.append(photo)
    }

    /// - Returns: Those that waited.
    mutating func release(_ isReleased: (Waiting) -> Bool) -> [Waiting] {
        let released = waiting.filter(isReleased)
        waiting.removeAll(where: isReleased)
        return released
    }
}
