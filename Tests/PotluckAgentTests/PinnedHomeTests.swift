import AlbumModel
import FoundationEssentials
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import Testing
import WireFormat

@testable import PotluckAgent

/// Homes of earlier versions, kept as they were written, open and say what they said then; the README.md of each tells
/// what is in it.
@Suite(.timeLimit(.minutes(1))) struct PinnedHomeTests {
    /// In the order in which they were made. A new one only joins the others.
    private static let homes = ["home-first", "home-1", "home-words"]

    private static func directory(_ home: String) -> String {
        #filePath.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/Pinned/" + home
    }

    private struct Expected: Decodable {
        struct Album: Decodable {
            var id, name, digest: String
            var photos, here, digestLevel: Int
            var bytes: UInt64
            var cover: String?
            var photoList: [Photo]
        }
        struct Photo: Decodable, Hashable {
            var id, name, type: String
            var file, by: String?
            var bytes: UInt64
            var contributors: [String]
            var here: Bool
            /// `nil` in homes of versions that knew of none, as the next ones.
            var caption, thumbnail: String?
            var tags, favourites: [String]?
        }
        struct Peer: Decodable, Hashable {
            var id: String
            var name: String?
            var lastSeen: Instant?
        }
        /// `nil` in the oldest file, for the place that it had.
        var folder: String?
        var albums: [Album]
        var peers: [Peer]
        var blobs: Int
        var unknownKinds: [UInt32]
    }

    private static func expected(_ home: String) throws -> Expected {
        let data = try Data(contentsOf: URL(filePath: "\(directory(home))/expected.json"))
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Expected.self, from: data)
    }

    /// Opening a home writes in it, so it is done in a copy.
    private func withCopy(of pinned: String, _ body: (String) async throws -> Void) async throws {
        let home = "/tmp/potluck-pinned-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: home)
        }
        try FileManager.default.copyItem(atPath: Self.directory(pinned), toPath: home)
        try await body(home)
    }

    /// Albums, digests, photos and devices are those that the version which wrote them listed.
    @Test(arguments: homes) func listsWhatItListed(_ pinned: String) async throws {
        let expected = try Self.expected(pinned)
        try await withCopy(of: pinned) { home in
            let listings = try await OfflineListings(home: home)
            let albums = try await listings.albums().albums
            #expect(albums.map(\.id).sorted() == expected.albums.map(\.id).sorted())
            for wanted in expected.albums {
                let album = try #require(albums.first { $0.id == wanted.id })
                #expect(album.name == wanted.name)
                #expect(album.photos == wanted.photos)
                #expect(album.bytes == wanted.bytes)
                #expect(album.here == wanted.here)
                #expect(album.cover == wanted.cover)
                if album.digestLevel == wanted.digestLevel { #expect(album.digest == wanted.digest) }
                let hasWords = wanted.photoList.contains { $0.tags != nil }
                let photos = try await listings.photos(album: wanted.id).photos.map { photo in
                    Expected.Photo(
                        id: photo.id, name: photo.name, type: photo.type, file: photo.file, by: photo.by,
                        bytes: photo.bytes, contributors: photo.contributors, here: photo.here,
                        caption: photo.caption, thumbnail: photo.thumbnail, tags: hasWords ? photo.tags : nil,
                        favourites: hasWords ? photo.favourites : nil)
                }
                #expect(photos.sorted { $0.id < $1.id } == wanted.photoList.sorted { $0.id < $1.id })
            }
            // These gatherings have no founding, so that nobody in them is host, or is told not to be one.
            let hosts = try await listings.hosts()
            #expect(hosts.founding != .known && hosts.hosts.isEmpty)
            #expect(try await listings.peers().peers.allSatisfy { $0.isHost == nil })
            let peers = try await listings.peers().peers.map {
                Expected.Peer(id: $0.id, name: $0.name, lastSeen: $0.lastSeen)
            }
            #expect(Set(peers) == Set(expected.peers))
        }
    }

    /// An agent that begins in it finds who this laptop is, its photos, and what it knew of the other one; that it is a
    /// copy, it notices.
    @Test(arguments: homes.dropFirst()) func agentFindsItsFacts(_ pinned: String) async throws {
        let expected = try Self.expected(pinned)
        try await withCopy(of: pinned) { home in
            let journal = try Journal(home: home)
            let replica = try #require(try journal.identity(.replica).flatMap { ReplicaID(bytes: $0) })
            let device = try #require(try Membership.load(journal)).identity.deviceID
            // The other one's agent was told where to listen.
            if pinned == "home-first" { #expect(try journal.identityText(.port) != nil) }
            #expect(try journal.identityText(.folder) == expected.folder ?? "/tmp/potluck-pinned/Photos")

            let opened = try OpenHome(home: home, waitMilliseconds: 0, for: .run(runsTwice: false))
            defer { opened.lock.release() }
            #expect(opened.life == .copied || opened.life == .restored)
            #expect(opened.fold.log.author(of: replica) == device)
            #expect(try GatheringSecrets(opened.membership.phrase) == opened.membership.secrets)
            #expect(opened.blobs.held().count == expected.blobs)
            for blob in opened.blobs.held().keys {
                let reader = try opened.blobs.open(blob)
                #expect(reader != nil)
            }
            let seen = expected.peers.filter { $0.lastSeen != nil }.map(\.id)
            #expect(opened.lastSeen.keys.map(\.hex) == seen)
            #expect(try opened.addresses().map(\.0.hex) == seen)
            #expect(try opened.addresses().allSatisfy { !$0.1.isEmpty })
            for peer in seen { #expect(opened.holdings.devices.contains { $0.hex == peer }) }
        }
    }

    /// An agent that begins in the very first version's home finds who this laptop is, and every photo, each with the
    /// bytes of its name. That version noted neither its port nor its replica, so another one begins.
    @Test func agentGoesOnFromTheFirstHome() async throws {
        let expected = try Self.expected("home-first")
        try await withCopy(of: "home-first") { home in
            let opened = try OpenHome(home: home, waitMilliseconds: 0, for: .run(runsTwice: false))
            defer { opened.lock.release() }
            #expect(opened.life != .goesOn)
            #expect(try opened.replicaToContinue() == nil)
            #expect(opened.membership.gatheringName == "First reunion")
            #expect(try GatheringSecrets(opened.membership.phrase) == opened.membership.secrets)
            #expect(try opened.journal.identityText(.folder) == expected.folder)
            let photos = Set(expected.albums.flatMap { $0.photoList.map(\.id) })
            #expect(Set(opened.blobs.held().keys.map(\.hex)) == photos)
            for blob in opened.blobs.held().keys {
                let reader = try opened.blobs.open(blob)
                #expect(reader != nil)
            }
            #expect(try opened.addresses().map(\.0.hex) == expected.peers.map(\.id))
        }
    }

    /// What was signed then is right by today's rules, and changes of unknown kinds are kept as they came.
    @Test(arguments: homes) func signaturesHold(_ pinned: String) async throws {
        let expected = try Self.expected(pinned)
        try await withCopy(of: pinned) { home in
            let opened = try OpenHome(home: home, waitMilliseconds: 0)
            defer { opened.lock.release() }
            let signing = opened.membership.signing
            var kinds: Set<UInt32> = []
            try opened.journal.forEachBatch { row in
                let batch = try Batch(decoding: row.batch.content)
                #expect(BatchSignature.batchID(row.batch.content) == row.id)
                let author = try #require(opened.fold.log.author(of: batch.replica))
                let key = try #require(opened.fold.log.publicKey(of: author))
                #expect(signing.isSignature(row.batch.signature, over: BatchSignature.message(row.id), by: key))
                if let proof = batch.proof {
                    #expect(BatchSignature.replicaID(publicKey: key, nonce: proof.nonce) == batch.replica)
                    #expect(
                        signing.membershipCode(publicKey: key, nonce: proof.nonce, epoch: proof.epoch)
                            == proof.membershipCode)
                }
                for case .unknown(let kind, _) in batch.changes { kinds.insert(kind) }
            }
            #expect(kinds.isSuperset(of: expected.unknownKinds))
        }
    }
}
