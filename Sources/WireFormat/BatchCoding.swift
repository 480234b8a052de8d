public import AlbumModel
import FoundationEssentials
import SwiftProtobuf

/// Why bytes are no message or no batch.
public enum WireError: Error, Hashable, Sendable {
    case notProtobuf
    case tooLong
    case emptyMessage
    case wrongByteCount(field: String)
    case outOfRange(field: String)
}

/// The numbers of the kinds of change on the wire.
enum ChangeKind {
    static let albumNamed: UInt32 = 1
    static let photoAdded: UInt32 = 2
    static let photoRemoved: UInt32 = 3
    static let photoNamed: UInt32 = 4
    static let deviceNamed: UInt32 = 5
    static let gatheringNamed: UInt32 = 6
    static let photoRead: UInt32 = 7
    static let photoCaptioned: UInt32 = 8
    static let photoTagged: UInt32 = 9
    static let photoUntagged: UInt32 = 10
    static let photoFavoured: UInt32 = 11
    static let photoUnfavoured: UInt32 = 12
    static let coverChosen: UInt32 = 13
    static let cameraClockSet: UInt32 = 14
    static let photoReplaced: UInt32 = 15
    static let photoCommented: UInt32 = 16
    static let photoUncommented: UInt32 = 17
    static let guestNamed: UInt32 = 18
    static let guestRevoked: UInt32 = 19
    static let guestEpochRaised: UInt32 = 20
    static let guestDoorMoved: UInt32 = 21

    /// Those that this version knows.
    static let known = albumNamed...guestDoorMoved
}

extension Batch {
    /// The bytes that are signed.
    public func encoded() -> [UInt8] {
        var part = Potluck_BatchPart()
        part.replica = .init(replica.bytes)
        part.firstSequence = firstSequence
        if let previous { part.previous = .init(previous.bytes) }
        part.clock = clock.microseconds
        part.changes = changes.map { $0.part() }
        if let proof {
            part.proof.publicKey = .init(proof.publicKey)
            part.proof.nonce = .init(proof.nonce)
            part.proof.membershipCode = .init(proof.membershipCode)
            if let succession = proof.succession {
                part.proof.formerKey = .init(succession.formerKey)
                part.proof.successionSignature = .init(succession.signature)
            }
            if let epoch = proof.epoch { part.proof.epoch = .init(epoch.bytes) }
        }
        return part.encodedBytes()
    }

    /// Reads the content of a batch. A change that cannot be read is kept as unknown: only the form of the batch counts.
    public init(decoding content: [UInt8]) throws(WireError) {
        guard content.count <= CatalogLimits.batchByteCountMax else { throw .tooLong }
        let part = try Potluck_BatchPart(decoding: content)
        guard !part.changes.isEmpty else { throw .emptyMessage }
        let (last, overflow) = part.firstSequence.addingReportingOverflow(UInt64(part.changes.count))
        guard part.firstSequence >= 1, !overflow, last < WireLimits.sequenceEnd else {
            throw .outOfRange(field: "sequence")
        }
        self.init(
            replica: try .decoding(part.replica, "replica"), firstSequence: part.firstSequence,
            previous: part.previous.isEmpty ? nil : try .decoding(part.previous, "previous"),
            clock: ClockReading(microseconds: part.clock),
            changes: part.changes.map { Change(kind: $0.kind, payload: Array($0.payload)) },
            proof: part.hasProof ? try ReplicaProof(part: part.proof) : nil)
    }
}

extension ReplicaProof {
    fileprivate init(part: Potluck_ReplicaProofPart) throws(WireError) {
        self.init(
            publicKey: Array(part.publicKey), nonce: Array(part.nonce), membershipCode: Array(part.membershipCode),
            epoch: part.epoch.isEmpty ? nil : try .decoding(part.epoch, "epoch"))
        guard !part.formerKey.isEmpty || !part.successionSignature.isEmpty else { return }
        succession = Succession(formerKey: Array(part.formerKey), signature: Array(part.successionSignature))
    }
}

extension Change {
    fileprivate func part() -> Potluck_ChangePart {
        switch self {
        case .albumNamed(let album, let name, let replaces):
            var part = Potluck_AlbumNamedPart()
            part.album = .init(album.bytes)
            part.name = name
            part.replaces = replaces.map(\.part)
            return .init(kind: ChangeKind.albumNamed, part)
        case .photoAdded(let addition):
            return .init(kind: ChangeKind.photoAdded, addition.part)
        case .photoRemoved(let album, let blob, let adds):
            var part = Potluck_PhotoRemovedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.adds = adds.map(\.part)
            return .init(kind: ChangeKind.photoRemoved, part)
        case .photoNamed(let album, let blob, let name, let replaces):
            var part = Potluck_PhotoNamedPart()
            part.album = .init(album.bytes)
            part.blob = .init(blob.bytes)
            part.name = name
            part.replaces = replaces.map(\.part)
            return .init(kind: ChangeKind.photoNamed, part)
        case .deviceNamed(let name):
            var part = Potluck_DeviceNamedPart()
            part.name = name
            return .init(kind: ChangeKind.deviceNamed, part)
        case .gatheringNamed(let name, let replaces):
            var part = Potluck_GatheringNamedPart()
            part.name = name
            part.replaces = replaces.map(\.part)
            return .init(kind: ChangeKind.gatheringNamed, part)
        case .photoRead, .photoCaptioned, .photoTagged, .photoUntagged, .photoFavoured, .photoUnfavoured,
            .coverChosen, .cameraClockSet, .photoReplaced:
            return wordsPart()
        case .photoCommented, .photoUncommented, .guestNamed, .guestRevoked, .guestEpochRaised,
            .guestDoorMoved:
            return guestsPart()
        case .unknown(let kind, let payload):
            var part = Potluck_ChangePart()
            part.kind = kind
            part.payload = .init(payload)
            return part
        }
    }

    fileprivate init(kind: UInt32, payload: [UInt8]) {
        do throws(WireError) {
            self = try Self.known(kind, payload)
        } catch {
            self = .unknown(kind: kind, payload: payload)
        }
    }

    private static func known(_ kind: UInt32, _ payload: [UInt8]) throws(WireError) -> Change {
        switch kind {
        case ChangeKind.albumNamed:
            let part = try Potluck_AlbumNamedPart(decoding: payload)
            return .albumNamed(
                try .decoding(part.album, "album"), name: part.name, replaces: try Dot.decoding(part.replaces))
        case ChangeKind.photoAdded:
            return .photoAdded(try PhotoAddition(part: Potluck_PhotoAddedPart(decoding: payload)))
        case ChangeKind.photoRemoved:
            let part = try Potluck_PhotoRemovedPart(decoding: payload)
            return .photoRemoved(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"),
                adds: try Dot.decoding(part.adds))
        case ChangeKind.photoNamed:
            let part = try Potluck_PhotoNamedPart(decoding: payload)
            return .photoNamed(
                try .decoding(part.album, "album"), try .decoding(part.blob, "blob"), name: part.name,
                replaces: try Dot.decoding(part.replaces))
        case ChangeKind.deviceNamed:
            return .deviceNamed(try Potluck_DeviceNamedPart(decoding: payload).name)
        case ChangeKind.gatheringNamed:
            let part = try Potluck_GatheringNamedPart(decoding: payload)
            return .gatheringNamed(part.name, replaces: try Dot.decoding(part.replaces))
        default:
            if let change = try knownWords(kind, payload) { return change }
            return try knownOfGuests(kind, payload) ?? .unknown(kind: kind, payload: payload)
        }
    }
}

extension PhotoAddition {
    fileprivate var part: Potluck_PhotoAddedPart {
        var part = Potluck_PhotoAddedPart()
        part.album = .init(album.bytes)
        part.blob = .init(blob.bytes)
        part.byteCount = byteCount
        if let pieceListHash { part.pieceListHash = .init(pieceListHash.bytes) }
        part.name = name
        part.mediaType = mediaType
        part.modified = modified
        if let guest { part.guest = .init(guest.bytes) }
        return part
    }

    fileprivate init(part: Potluck_PhotoAddedPart) throws(WireError) {
        self.init(
            album: try .decoding(part.album, "album"), blob: try .decoding(part.blob, "blob"),
            byteCount: part.byteCount,
            pieceListHash: part.pieceListHash.isEmpty ? nil : try .decoding(part.pieceListHash, "piece list"),
            name: part.name, mediaType: part.mediaType, modified: part.modified,
            guest: try .decoding(guest: part.guest))
    }
}

extension Dot {
    var part: Potluck_DotPart {
        var part = Potluck_DotPart()
        part.replica = .init(replica.bytes)
        part.sequence = sequence
        part.branch = branch
        return part
    }

    static func decoding(_ parts: [Potluck_DotPart]) throws(WireError) -> [Dot] {
        var dots: [Dot] = []
        for part in parts {
            dots.append(
                Dot(
                    replica: try .decoding(part.replica, "replica"), sequence: part.sequence, branch: part.branch))
        }
        return dots
    }
}

extension Potluck_ChangePart {
    init(kind: UInt32, _ payload: some SwiftProtobuf.Message) {
        self.init()
        self.kind = kind
        self.payload = .init(payload.encodedBytes())
    }
}

extension SwiftProtobuf.Message {
    func encodedBytes() -> [UInt8] {
        // Fails only for required fields, which proto3 does not have.
        guard let bytes: [UInt8] = try? serializedBytes() else { preconditionFailure("proto3 messages always encode") }
        return bytes
    }

    init(decoding bytes: [UInt8]) throws(WireError) {
        do {
            try self.init(serializedBytes: bytes)
        } catch {
            throw .notProtobuf
        }
    }
}

extension ByteIdentifier {
    static func decoding(_ bytes: some Collection<UInt8>, _ field: String) throws(WireError) -> Self {
        guard let identifier = Self(bytes: bytes) else { throw .wrongByteCount(field: field) }
        return identifier
    }
}
