import AlbumModel
import FoundationEssentials
import Testing

@testable import WireFormat

/// Changes about guests, and what versions that know none make of them.
@Suite struct GuestsCodingTests {
    private static let album = AlbumID(bytes: [UInt8](repeating: 4, count: 16))!
    private static let blob = BlobID(bytes: [UInt8](repeating: 7, count: 32))!
    private static let replica = ReplicaID(bytes: [UInt8](repeating: 3, count: 16))!
    private static let guest = GuestID(bytes: [UInt8](repeating: 8, count: 16))!
    private static let dots = [Dot(replica: replica, sequence: 4, branch: 99)]

    private static func addition(_ guest: GuestID?) -> Change {
        .photoAdded(
            PhotoAddition(
                album: album, blob: blob, byteCount: 9, pieceListHash: nil, name: "b.png", mediaType: "image/png",
                modified: -5, guest: guest))
    }

    static let samples: [Change] = [
        addition(guest), .photoFavoured(album, blob, guest: guest),
        .photoUnfavoured(album, blob, adds: dots, guest: guest), .photoCommented(album, blob, "Été", guest: guest),
        .photoCommented(album, blob, "Sea", guest: nil), .photoUncommented(album, blob, comments: dots),
        .guestNamed(guest, name: "Lena"), .guestRevoked(guest), .guestEpochRaised(7),
    ]

    static let batch = Batch(
        replica: replica, firstSequence: 1, previous: nil, clock: ClockReading(microseconds: 123), changes: samples,
        proof: nil)

    private static func coded(_ change: Change) throws -> Change {
        var batch = batch
        batch.changes = [change]
        return try #require(try Batch(decoding: batch.encoded()).changes.first)
    }

    @Test(arguments: samples) func changesRoundTrip(change: Change) throws {
        #expect(CatalogLimits.isValid(change))
        #expect(try Self.coded(change) == change)
    }

    /// Without a guest the bytes are those of before; with one, an addition or a favour has a further field at its end,
    /// which a version that does not know it skips.
    @Test func guestsAreAFurtherField() throws {
        func payload(_ change: Change) throws -> [UInt8] {
            var batch = Self.batch
            batch.changes = [change]
            return Array(try Potluck_BatchPart(decoding: batch.encoded()).changes[0].payload)
        }
        func added(_ field: UInt8) -> [UInt8] { [field << 3 | 2, 16] + Self.guest.bytes }
        #expect(try payload(Self.addition(Self.guest)) == payload(Self.addition(nil)) + added(8))
        let favour = Change.photoFavoured(Self.album, Self.blob)
        #expect(try payload(.photoFavoured(Self.album, Self.blob, guest: Self.guest)) == payload(favour) + added(3))
        let withdrawal = Change.photoUnfavoured(Self.album, Self.blob, adds: Self.dots)
        let ofGuest = Change.photoUnfavoured(Self.album, Self.blob, adds: Self.dots, guest: Self.guest)
        #expect(try payload(ofGuest) == payload(withdrawal) + added(4))
    }

    /// A guest's ID of another length is none that this version understands: the change is kept as it is.
    @Test func oddGuestsAreKept() throws {
        var part = Potluck_GuestRevokedPart()
        part.guest = .init([1, 2, 3])
        let odd = Change.unknown(kind: ChangeKind.guestRevoked, payload: part.encodedBytes())
        let coded = try Self.coded(odd)
        #expect(coded == odd)
    }
}
