import AlbumModel
import FoundationEssentials
import Glibc
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckAgent

/// What a home makes of being copied, restored, or left without its journal.
@Suite(.timeLimit(.minutes(1))) struct HomeLivesTests {
    private static let here = JournalPlace(machine: "here", device: 1, inode: 10)

    private func withHome(_ body: (String) async throws -> Void) async throws {
        let home = "/tmp/potluck-lives-\(UInt64.random(in: 0...UInt64.max))"
        defer {
            // A leftover in /tmp is no reason to fail.
            try? FileManager.default.removeItem(atPath: home)
        }
        _ = try await HomeSetup.host(home: home, gathering: "Lives", device: "Anna")
        try await body(home)
    }

    /// A machine's ID that is there and cannot be read is not taken from elsewhere: by another one the home would count as a
    /// copy.
    @Test func machinesAreKnownOrNot() async throws {
        try await withHome { home in
            let (absent, empty, id) = (home + "/absent", home + "/empty", home + "/id")
            try Data().write(to: URL(filePath: empty))
            try Data("here\n".utf8).write(to: URL(filePath: id))
            #expect(JournalPlace.machineID(in: [absent, empty, id]) == "here")
            #expect(JournalPlace.machineID(in: [absent]).isEmpty)
            let loop = home + "/loop"
            try #require(symlink(loop, loop) == 0)
            for unreadable in ["/proc/self/mem", loop] {
                #expect(JournalPlace.machineID(in: [unreadable, id]).isEmpty)
            }
        }
    }

    /// Where the journal is now, against where it was, and what that means.
    @Test func placesAreJudged() {
        func judge(_ now: JournalPlace, runsTwice: Bool = false) -> HomeLife {
            HomeLife.judge(last: Self.here, now: now, runsTwice: runsTwice)
        }
        #expect(HomeLife.judge(last: nil, now: Self.here, runsTwice: false) == .first)
        #expect(judge(Self.here) == .goesOn)
        #expect(judge(JournalPlace(machine: "here", device: 2, inode: 10)) == .renumbered)
        #expect(judge(JournalPlace(machine: "here", device: 1, inode: 11)) == .restored)
        #expect(judge(JournalPlace(machine: "there", device: 1, inode: 10)) == .copied)
        // A machine without an ID is no other machine.
        #expect(judge(JournalPlace(machine: "", device: 1, inode: 11)) == .restored)
        #expect(judge(Self.here, runsTwice: true) == .copied)
        #expect(JournalPlace(bytes: Self.here.bytes) == Self.here)
        let nameless = JournalPlace(machine: "", device: 1, inode: 2)
        #expect(JournalPlace(bytes: nameless.bytes) == nameless)
    }

    /// A restored home keeps its key and begins a new replica; a copied one takes another key as well, and keeps the
    /// former for its word; neither goes on with the old replica, however often it starts.
    @Test func newLivesAreNoted() async throws {
        try await withHome { home in
            let journal = try Journal(home: home)
            func begin(_ place: JournalPlace, name: String = "Copy") throws -> HomeLife {
                try HomeLife.begin(journal, now: place, runsTwice: false, name: name)
            }
            let key = try journal.identity(.deviceKey)
            #expect(try begin(Self.here) == .first)
            try journal.setIdentity([.replica: [1]])
            #expect(try begin(Self.here) == .goesOn)
            #expect(try journal.identity(.replica) == [1])

            let restored = JournalPlace(machine: "here", device: 1, inode: 11)
            #expect(try begin(restored) == .restored)
            #expect(try journal.identity(.replica) == nil)
            #expect(try journal.identity(.deviceKey) == key)
            #expect(try begin(restored) == .goesOn)

            try journal.setIdentity([.replica: [1]])
            #expect(try begin(JournalPlace(machine: "there", device: 1, inode: 11)) == .copied)
            let membership = try #require(try Membership.load(journal))
            #expect(try journal.identity(.replica) == nil)
            #expect(membership.identity.rawPrivateKey != key)
            #expect(membership.former?.rawPrivateKey == key)
            #expect(membership.deviceName == "Copy")

            // A copy of it, before it said anything, goes on from the first.
            #expect(try begin(JournalPlace(machine: "elsewhere", device: 1, inode: 11), name: "Third") == .copied)
            let third = try #require(try Membership.load(journal))
            #expect(third.former?.rawPrivateKey == key)
            #expect(third.identity.rawPrivateKey != membership.identity.rawPrivateKey)
        }
    }

    /// The first batch of a copied home carries the former key's word, which every device can check.
    @Test func firstBatchCarriesTheWord() async throws {
        try await withHome { home in
            let original = try OpenHome(home: home, waitMilliseconds: 5000, for: .run(runsTwice: false))
            let former = original.membership.identity.deviceID
            original.lock.release()
            let copy = try OpenHome(home: home, waitMilliseconds: 5000, for: .run(runsTwice: true))
            defer { copy.lock.release() }
            #expect(copy.life == .copied)
            #expect(copy.life?.sentence != nil)
            var engine = copy.engine(replica: try copy.replicaToContinue(), port: 1)
            var random = SystemRandomNumberGenerator()
            let directives = engine.handle(
                .contribute(token: 1, .deviceName("Copy")), now: MonotonicInstant(nanoseconds: 1), wall: 1,
                using: &random)
            var stored: [AcceptedBatch] = []
            for case .store(let batches, _) in directives { stored += batches }
            let first = try #require(stored.first)
            let proof = try #require(first.batch.proof)
            let succession = try #require(proof.succession)
            #expect(succession.formerDevice == former)
            let message = Succession.message(publicKey: copy.membership.identity.publicKeyDER, nonce: proof.nonce)
            let isRight = DeviceIdentity.verify(
                signature: succession.signature, bytes: message, publicKeyDER: succession.formerKey)
            #expect(isRight)
        }
    }

    /// A home whose journal is gone says so, and what to do, where photos are left.
    @Test func lostJournalIsTold() async throws {
        try await withHome { home in
            for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
                // Which of them there are is SQLite's affair.
                try? FileManager.default.removeItem(atPath: "\(home)/\(name)")
            }
            #expect(HomeSetup.noGathering(home: home).message.contains("no gathering"))
            try FileManager.default.createDirectory(atPath: "\(home)/blobs/ab", withIntermediateDirectories: true)
            #expect(HomeSetup.noGathering(home: home).message.contains("no gathering"))
            try Data([1]).write(to: URL(filePath: "\(home)/blobs/ab/cd"))
            let error = HomeSetup.noGathering(home: home)
            #expect(error.status == .badSetting)
            #expect(error.message.contains("potluck join"))
            #expect(error.message.contains("journal"))
        }
    }
}
