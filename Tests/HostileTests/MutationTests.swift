import AlbumModel
import TestSupport
import Testing

@testable import WireFormat

extension HostileTests {
    /// How long each kind of mutation goes on: some thousand messages, of which most are read and some end a connection.
    private static let mutationTime = Duration.seconds(5)

    /// Frames and messages of every kind, changed at random, and changes of every kind that are signed after they were
    /// changed: nothing is trapped. `POTLUCK_SEEDS` shows again what a seed showed; how far one comes depends on the
    /// machine.
    @Test(arguments: TestSeeds.all(pinned: [1]))
    func mutationsTrapNothing(_ seed: UInt64) async throws {
        try await Reunion.run { reunion in
            var mutator = Mutator(seed: seed)
            try await reunion.endure("changed messages, seed \(seed)") {
                try await Self.sendMutations(to: reunion.vera, &mutator)
            }
            try await reunion.endure("changed changes, seed \(seed)") {
                try await Self.pushMutations(to: reunion.vera, &mutator)
            }
        }
    }

    private static func sendMutations(to laptop: Laptop, _ mutator: inout Mutator) async throws {
        let credentials = try Credentials()
        let samples = messages.map { $0.encoded() }
        let end = ContinuousClock.now + mutationTime
        var (member, connectionCount) = (try await Member.connect(to: laptop, as: credentials), 1)
        defer { member.close() }
        while ContinuousClock.now < end {
            if !member.raw.isOpen {
                try laptop.expectRunning()
                member = try await Member.connect(to: laptop, as: credentials)
                connectionCount += 1
            }
            let message = mutator.mutated(mutator.pick(samples))
            // Mostly the message alone, so that more is read of it.
            let frames = RawConnection.frames(ofMessage: message)
            // Until the kernel has it, which says whether the connection is still there.
            try? await member.raw.write(mutator.isOnce(in: 20) ? mutator.mutated(frames) : frames)
        }
        #expect(connectionCount > 1, "some of it was noticed")
    }

    /// Signed anew after they were changed, so that they reach the fold of every laptop.
    private static func pushMutations(to laptop: Laptop, _ mutator: inout Mutator) async throws {
        let attacker = try await Member.connect(to: laptop)
        var device = InventedDevice()
        let samples = changes(of: device)
        #expect(Set(samples.map(\.kind)) == Set(ChangeKind.known))
        let end = ContinuousClock.now + mutationTime
        while ContinuousClock.now < end {
            let changed = (0..<200).map { _ in
                let (kind, payload) = mutator.pick(samples)
                return Change.unknown(kind: kind, payload: mutator.mutated(payload))
            }
            try await attacker.push([device.sign(changed)])
        }
        #expect(attacker.raw.isOpen, "a change that cannot be read is nobody's fault")
    }

    // MARK: Samples

    private static let album = AlbumName.identifier("Mutations")
    private static let blob = BlobID(number: 1)

    /// One of each kind.
    private static var messages: [Message] {
        let (device, head) = (InventedDevice(), Head(sequence: 9, branch: 7))
        let entries = [device.replica: [head], ReplicaID(number: 2): [head, Head(sequence: 3, branch: 1)]]
        let presence = Presence(
            branches: [.init(replica: device.replica, head: head, runs: [1...3, 5...9])], others: [blob])
        let statement = device.summary(presence.encoded())
        let batch = SignedBatch(content: randomBytes(200), signature: randomBytes(64))
        let pieces = PieceList(hashes: (1...3).map { BlobID(number: $0) })
        let difference = SummaryDifference(
            device: 1, base: 2, number: 3, pieces: [.init(copied: 0..<4, added: [1, 2])], signature: randomBytes(64))
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: randomBytes(16), port: 9, foldLevel: 2, needsLink: true,
            known: PresencePosition(run: randomBytes(16), counter: 3), vectorBase: randomBytes(16),
            takesDifferences: true, addressesNumber: 4, summaryNumber: 5)
        return [
            .hello(hello), .vector(VersionVector(heads: entries)), .vectorReply(entries), .announced(entries),
            .vectorDifference(VectorDifference(base: randomBytes(16), changed: entries)), .graft, .prune,
            .batches(BatchPage(batches: [batch], pieceLists: [blob: pieces], page: 1)),
            .chainSample(device.replica, points: [head]), .presence(presence, counter: 1),
            .presenceChanged(PresenceChange(held: [blob], lost: [BlobID(number: 2)], counter: 2)),
            .partHeld(PartHeld(blob: blob, pieces: [true, false, true], coming: [false, true, false])),
            .request(PieceRequest(number: 1, blob: blob, piece: 0, byteCount: 100, blobClass: .original)),
            .refused(number: 1, isPassing: true), .cancelled(number: 1), .pieceListRequest(blob),
            .pieceList(blob, pieces), .ping(1), .pong(1),
            .digests([AlbumDigest(album: album, digest: randomBytes(32))], vectorHash: randomBytes(32)),
            .catalogDigest(root: randomBytes(32), vectorHash: randomBytes(32)), .acknowledged(page: 1),
            .addresses([statement]), .summaries([statement]), .summaryDifferences([difference]),
            .summaryVersions(SummaryVersions(numbers: [1: 2, 3: 4], isWhole: true)),
            .fetching(FetchingNotice(leftOut: [album], isPaused: true)), .farewell(.full), .rulings([statement]),
            .seeds([RulingID(content: randomBytes(8)): Seed(bytes: randomBytes(32))!]),
        ]
    }

    /// Payloads of all kinds of change, about an album and photos of the attacker's own.
    private static func changes(of device: InventedDevice) -> [(kind: UInt32, payload: [UInt8])] {
        let dot = Dot(replica: device.replica, sequence: 1, branch: 0)
        let facts = PhotoFacts(
            readerVersion: 1, kind: .photo, size: PixelSize(width: 40, height: 30),
            taken: CaptureTime(localMilliseconds: 1_600_000_000_000, offsetMinutes: 60, source: .exif),
            gpsMilliseconds: 1_600_000_000_000,
            camera: Camera(make: "Maker", model: "Model", lens: "Lens", serial: "1"),
            place: Place(latitudeMicrodegrees: 1, longitudeMicrodegrees: 2, altitudeCentimetres: 3),
            durationMilliseconds: 5, contentIdentifier: "a", burstIdentifier: "b", movingPart: 1..<9)
        let camera = CameraKey(contributor: device.id, make: "Maker", model: "Model", serial: "1")
        let other = PhotoKey(album: album, blob: BlobID(number: 2))
        let all: [Change] = [
            .albumNamed(album, name: "Mutations", replaces: [dot]),
            .photoAdded(Nonsense.addition(album, blob, name: "a.jpg")), .photoRemoved(album, blob, adds: [dot]),
            .photoNamed(album, blob, name: "b.jpg", replaces: [dot]), .deviceNamed("Device"),
            .gatheringNamed("Gathering", replaces: [dot]), .photoRead(album, blob, facts),
            .photoCaptioned(album, blob, "Caption", replaces: [dot]), .photoTagged(album, blob, "tag"),
            .photoUntagged(album, blob, "tag", adds: [dot]), .photoFavoured(album, blob),
            .photoUnfavoured(album, blob, adds: [dot]), .coverChosen(album, blob, replaces: [dot]),
            .cameraClockSet(album, camera, seconds: 60, replaces: [dot]),
            .photoReplaced(PhotoKey(album: album, blob: blob), by: other),
        ]
        let guest = GuestID(number: 1)
        var addition = Nonsense.addition(album, blob, name: "a.jpg")
        addition.guest = guest
        let allOfGuests: [Change] = [
            .photoAdded(addition), .photoFavoured(album, blob, guest: guest),
            .photoUnfavoured(album, blob, adds: [dot], guest: guest),
            .photoCommented(album, blob, "Comment", guest: guest), .photoCommented(album, blob, "Comment", guest: nil),
            .photoUncommented(album, blob, comments: [dot]), .guestNamed(guest, name: "Guest"), .guestRevoked(guest),
            .guestEpochRaised(7), .guestDoorMoved(port: 4712),
        ]
        return (all + allOfGuests).compactMap { change in
            let batch = Batch(
                replica: device.replica, firstSequence: 1, previous: nil, clock: .zero, changes: [change], proof: nil)
            return payload(in: batch.encoded())
        }
    }

    /// Of the only change of a batch: its kind, and its bytes as they are. There are no longer ones than these here.
    private static func payload(in content: [UInt8]) -> (kind: UInt32, payload: [UInt8])? {
        // Field 5 of a batch, fields 1 and 2 of a change, each with a length or number below 2^14.
        var place = content.startIndex
        func number() -> Int {
            var (value, shift) = (0, 0)
            while content[place] > 0x7F {
                value |= Int(content[place] & 0x7F) << shift
                shift += 7
                place += 1
            }
            defer { place += 1 }
            return value | Int(content[place]) << shift
        }
        while place < content.endIndex {
            let tag = number()
            switch tag & 7 {
            case 0: _ = number()
            case 2 where tag >> 3 == 5:
                _ = number()
                guard number() == 1 << 3 else { return nil }
                let kind = UInt32(number())
                guard number() == 2 << 3 | 2 else { return nil }
                let count = number()
                return (kind, Array(content[place..<place + count]))
            case 2: place += number()
            default: return nil
            }
        }
        return nil
    }
}
