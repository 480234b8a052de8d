import AlbumModel
import Foundation
import PeerTransport
import PotluckAPI
import PotluckAgent
import PotluckClient
import Synchronization
import TestSupport
import Testing

/// Three laptops of one gathering in a row: Anna and Ben reach each other through Vera alone, who is attacked.
final class Reunion: Sendable {
    static let album = "Beach"
    /// Of no ruling that anybody has. It fails only where there is no memory for it.
    static let phrase: InvitePhrase = {
        var random = SystemRandomNumberGenerator()
        return try! InvitePhrase(seed: Seed(drawnFrom: &random), ruling: RulingID(content: []))
    }()
    /// It fails only where there is no memory for it.
    static let secrets = try! GatheringSecrets(phrase)

    let anna: Laptop
    let vera: Laptop
    let ben: Laptop
    /// Of members that harm nobody: one asks now and then, one pings all the time.
    let bystander: Credentials
    let pinger: Credentials
    private let directory: String

    private struct State {
        var dropCount = 0
        /// Of all photos that were dropped.
        var contents: [BlobID: [UInt8]] = [:]
        var guests: [Laptop] = []
        /// Lines of a laptop's log that were judged.
        var judged: [String: Int] = [:]
    }

    private let state = Mutex(State())

    var row: [Laptop] { [anna, vera, ben] }
    var everybody: [Laptop] { row + state.withLock { $0.guests } }

    private init() throws {
        var template = Array((NSTemporaryDirectory() + "/potluck-hostile-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw TestFailure("no temporary directory") }
        directory = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        (bystander, pinger) = (try Credentials(), try Credentials())
        anna = try Laptop(name: "Anna", directory: directory)
        // The others do not listen where she sees them: what she knows of one leads nobody there, so the row stays one.
        vera = try Laptop(name: "Vera", directory: directory, host: "127.0.0.1")
        ben = try Laptop(name: "Ben", directory: directory)
    }

    /// Starts the laptops, does `body` to them, shows that they are unharmed, and ends all that runs, whatever came of it.
    ///
    /// - Parameter isJudged: otherwise nothing is shown.
    static func run(isJudged: Bool = true, _ body: (Reunion) async throws -> Void) async throws {
        let reunion = try Reunion()
        var failure: (any Error)?
        do {
            try await reunion.begin()
            try await body(reunion)
            if isJudged { try await reunion.expectUnharmed() }
        } catch {
            failure = TestFailure("\(error)\(reunion.lastWords())")
        }
        // In a task of its own: a test that is stopped cleans up as well.
        await Task { for laptop in reunion.everybody { await laptop.kill() } }.value
        try FileManager.default.removeItem(atPath: reunion.directory)
        if let failure { throw failure }
    }

    private func begin() async throws {
        try await each(row) { try await $0.join(Self.phrase.text) }
        try await start(row)
        _ = try await drop(from: anna, to: ben)
        try passOverLog()
    }

    /// Vera first: the others dial her.
    func start(_ laptops: [Laptop]) async throws {
        for laptop in laptops where laptop === vera { _ = try await laptop.up(dialling: []) }
        try await each(laptops.filter { $0 !== vera }) { _ = try await $0.up(dialling: [self.vera]) }
        try await expectConnected(laptops.filter { $0 !== vera })
    }

    func expectConnected(_ laptops: [Laptop]) async throws {
        let names = Set(laptops.map(\.name))
        try await eventually("\(names.sorted()) are connected with Vera") {
            let here = try await vera.control.peers().peers.filter(\.connected).compactMap(\.name)
            return .when(names.isSubset(of: here), "with her are \(here)")
        }
    }

    /// A laptop that comes later.
    func welcome(_ name: String) async throws -> Laptop {
        let laptop = try Laptop(name: name, directory: directory)
        try await laptop.join(Self.phrase.text)
        state.withLock { $0.guests.append(laptop) }
        try await start([laptop])
        return laptop
    }

    func each(_ laptops: [Laptop], _ body: @escaping @Sendable (Laptop) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for laptop in laptops { group.addTask { try await body(laptop) } }
            try await group.waitForAll()
        }
    }

    // MARK: Photos

    /// Content that nobody has dropped yet, and its number.
    func makePhoto(byteCount: Int = 20_000) -> (number: Int, bytes: [UInt8]) {
        let number = state.withLock { state in
            state.dropCount += 1
            return state.dropCount
        }
        return (number, SamplePhoto.jpeg(number, byteCount: byteCount))
    }

    /// Drops a new photo into one laptop's folder; returns how long it took to the other's.
    func drop(from sender: Laptop, to receiver: Laptop) async throws -> Duration {
        try await drop(makePhoto(), from: sender, to: receiver)
    }

    func drop(
        _ photo: (number: Int, bytes: [UInt8]), from sender: Laptop, to receiver: Laptop,
        within limit: Duration = .seconds(30)
    ) async throws -> Duration {
        let path = "\(Self.album)/\(sender.name)-\(photo.number).jpg"
        let begin = ContinuousClock.now
        state.withLock { state in
            state.contents[blobID(photo.bytes)] = photo.bytes
            // One at a time: each lies beside the folder for a moment, under the same name.
            FolderHands(root: sender.folder).drop(photo.bytes, at: path)
        }
        try await eventually("\(path) is in the folder of \(receiver.name)", within: limit) {
            for laptop in everybody { try laptop.expectRunning() }
            return .when(FolderHands(root: receiver.folder).exists(path), "it is not there")
        }
        return .now - begin
    }

    /// The album, and the first photo in it, which was dropped before anything else.
    func target() async throws -> PhotoKey {
        let album = try await anna.control.albums().albums.first { $0.name == Self.album }
        guard let album = album.flatMap({ AlbumID(hex: $0.id) }) else { throw TestFailure("no album was made") }
        return PhotoKey(album: album, blob: blobID(SamplePhoto.jpeg(1, byteCount: 20_000)))
    }

    /// Waits until these laptops list every photo that was dropped, and have it in their folders.
    func expectAllPhotos(on laptops: [Laptop], within limit: Duration = .seconds(20)) async throws {
        let contents = state.withLock { $0.contents }
        for laptop in laptops {
            try await eventually("all photos are on the laptop of \(laptop.name)", within: limit) {
                let listed = try await laptop.photos(in: Self.album)
                let files = Dictionary(listed.map { ($0.id, $0.here ? $0.file : nil) }) { first, _ in first }
                let missing = contents.filter { blob, bytes in
                    guard let file = files[blob.hex] ?? nil else { return true }
                    return FileManager.default.contents(atPath: "\(laptop.folder)/\(file)") != Data(bytes)
                }
                return .when(missing.isEmpty, "\(missing.count) of \(contents.count) are missing")
            }
        }
    }

    // MARK: What is promised

    /// Of everyone: little memory, no link lost between those who keep to the rules, all photos, and a quick next start,
    /// after which all is as before.
    private func expectUnharmed() async throws {
        try await expectAllPhotos(on: everybody)
        for laptop in everybody { try expectLittleMemory(of: laptop) }
        try await expectNobodyCutOff()

        for (name, duration) in try await restart() {
            #expect(duration <= Promise.startMax, "the next start of \(name)")
        }
        _ = try await drop(from: anna, to: ben)
        // Where both dialled each other one of two links was closed.
        try passOverLog()
        _ = try await drop(from: ben, to: anna)
        try await expectAllPhotos(on: everybody)
        for laptop in everybody { try expectLittleMemory(of: laptop) }
        try await expectNobodyCutOff()
    }

    /// Stops everybody, and starts them one after the other; returns how long each took.
    func restart() async throws -> [String: Duration] {
        try await each(everybody) { try await $0.down() }
        var durations: [String: Duration] = [:]
        for laptop in [vera] + everybody.filter({ $0 !== vera }) {
            durations[laptop.name] = try await laptop.up(dialling: laptop === vera ? [] : [vera])
        }
        try await expectConnected(everybody.filter { $0 !== vera })
        return durations
    }

    func expectLittleMemory(of laptop: Laptop, after what: String = "all that") throws {
        try laptop.expectRunning()
        let byteCount = try laptop.memoryByteCount
        #expect(byteCount < Promise.memoryByteCountMax, "memory of \(laptop.name) after \(what)")
    }

    /// What the logs say until now is not to be judged.
    func passOverLog() throws {
        for laptop in everybody {
            let count = try laptop.log.count
            state.withLock { $0.judged[laptop.name] = count }
        }
    }

    /// The logs tell of no link that was lost between two of these laptops.
    func expectNobodyCutOff() async throws {
        var ids: [String: String] = [:]
        for laptop in everybody {
            let status = try await laptop.control.status(skipped: false, all: false)
            ids[status.device.id] = laptop.name
        }
        for laptop in everybody {
            let log = try laptop.log
            let judged = log.dropFirst(state.withLock { $0.judged[laptop.name] } ?? 0)
            func names(_ words: String, in lines: some Sequence<Substring>) -> [String] {
                lines.filter { $0.contains(words) }.flatMap { line in ids.filter { line.contains($0.key) }.values }
            }
            #expect(!names("peer connected", in: log).isEmpty, "\(laptop.name) logs whom it meets")
            let lost = names("peer lost", in: judged)
            #expect(lost.isEmpty, "whom \(laptop.name) lost")
        }
    }

    private func lastWords() -> String {
        everybody.map { laptop in
            "\n-- \(laptop.name)\n" + ((try? laptop.log.suffix(15).joined(separator: "\n")) ?? "")
        }.joined()
    }
}
