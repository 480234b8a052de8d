import Foundation
import Glibc
import TestSupport
import Testing

/// One laptop of the lab, with a home and the folder in it.
struct Laptop: Sendable {
    let lab: Lab
    let number: Int
    /// Tells several homes of one laptop apart.
    var homeSuffix = ""

    var home: String { "\(lab.files)/home\(number)\(homeSuffix)" }
    var folder: String { "\(home)/Photos" }
    /// As the others reach it.
    var host: String { "10.77.0.\(number)" }

    // MARK: Commands

    /// `potluck` with these words and this home; how it ended is the caller's to judge.
    func potluck(_ words: String..., within limit: Duration = .seconds(60)) async throws -> Output {
        try await lab.execute(number, [Machine.binary!] + words + ["--home", home], within: limit)
    }

    /// Starts a gathering; returns its phrase.
    func startGathering(_ name: String, as device: String) async throws -> String {
        let invite = try await read(Invite.self, "host", name, "--as", device)
        return invite.phrase
    }

    func join(_ phrase: String, as device: String) async throws {
        _ = try await read(Invite.self, "join", phrase, "--as", device)
    }

    func albums() async throws -> [Listing.Album] { try await read(Listing.Albums.self, "albums").albums }
    func photos(_ album: String) async throws -> [Listing.Photo] {
        try await read(Listing.Photos.self, "photos", album).photos
    }
    func peers() async throws -> [Listing.Peer] { try await read(Listing.Peers.self, "peers").peers }
    func status() async throws -> Listing.Status { try await read(Listing.Status.self, "status", "--skipped") }

    /// What a command prints for scripts. One that ends with 75, as it does where an agent needs long to begin anew, says
    /// that it is to be given again, and is.
    func read<Report: Decodable>(_ type: Report.Type, _ words: String...) async throws -> Report {
        let words = [Machine.binary!] + words + ["--json", "--home", home]
        return try await eventually(words.joined(separator: " ")) { () -> Attempt<Report> in
            let output = try await lab.execute(number, words)
            if output.status == 75 { return .notYet(output.errors) }
            return .done(try JSONDecoder().decode(type, from: Data(output.succeeded(words).bytes)))
        }
    }

    /// The agent, once it serves; its disk fails it where `faults` say so.
    func up(_ options: String..., under faults: Faults? = nil) async throws -> Agent {
        let agent = try start(options, under: faults)
        try await served(by: agent)
        return agent
    }

    /// The agent, as soon as it is a process.
    func start(_ options: [String] = [], under faults: Faults? = nil) throws -> Agent {
        let path = "\(home).up"
        let words = (faults?.loading ?? []) + [Machine.binary!, "up", "--json", "--home", home] + options
        let agent = Agent(child: try lab.launch(number, words, output: path), log: "\(path).log")
        lab.note(agent)
        return agent
    }

    /// Waits until this agent, the last one that was started here, serves.
    func served(by agent: Agent) async throws {
        try await eventually("the agent of laptop \(number) serves", within: .seconds(60)) {
            try expectRunning(agent)
            let ready = FileManager.default.contents(atPath: "\(home).up")
            return .when(ready?.contains(UInt8(ascii: "\n")) == true, "no ready line")
        }
    }

    func expectRunning(_ agent: Agent) throws {
        if let status = agent.child.poll() { throw TestFailure("the agent of laptop \(number) ended with \(status)") }
    }

    /// `potluck events` until the lab ends.
    func events() throws -> EventLog {
        let path = "\(home).events"
        _ = try lab.launch(number, [Machine.binary!, "events", "--home", home], output: path)
        return EventLog(path: path)
    }

    /// Bytes that came in by the cable since the lab began.
    func receivedByteCount() async throws -> Int {
        let text = try await lab("received", "\(number)").text
        return try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    // MARK: Files

    /// Where the home keeps a blob that is whole.
    func path(ofBlob id: String) -> String { "\(home)/blobs/\(id.prefix(2))/\(id.dropFirst(2))" }

    /// The size of a blob that is whole in the home; `nil` if it is not there.
    func byteCount(ofBlob id: String) -> Int? {
        // No file, no size: it is on its way.
        try? FileManager.default.attributesOfItem(atPath: path(ofBlob: id))[.size] as? Int
    }

    /// Gives the laptop a machine ID of its own; the lab's laptops share the machine's.
    ///
    /// In the laptop's mount namespace alone: bound over the file, in a copy of /etc where the machine has none.
    func setMachineID(_ id: String) async throws {
        let script = """
            echo \(id) >/run/machine-id
            if [ ! -e /etc/machine-id ]; then
                cp -a /etc /run/etc 2>/dev/null
                : >/run/etc/machine-id
                mount --bind /run/etc /etc
            fi
            mount --bind /run/machine-id /etc/machine-id
            """
        try await shell(script)
    }

    /// Makes this laptop's home a copy of another one's, as `cp -a` does; no agent may run in either.
    func copyHome(of other: Laptop) async throws {
        try await lab.here("rm", "-rf", home)
        try await lab.here("cp", "-a", other.home, home)
    }

    /// Deletes what begins with `name` in the home; no agent may run in it.
    func deleteFromHome(_ name: String) throws {
        for entry in try FileManager.default.contentsOfDirectory(atPath: home) where entry.hasPrefix(name) {
            try FileManager.default.removeItem(atPath: "\(home)/\(entry)")
        }
    }

    /// Copies files into an album's folder, as a person does: one after the other, written in place.
    func drop(_ files: [String], into album: String) throws {
        let directory = "\(folder)/\(album)"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for file in files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
            // A program that is started just now must not get the file too: what a writer has open is not finished.
            let path = "\(directory)/\((file as NSString).lastPathComponent)"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw TestFailure("\(path) cannot be written") }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
            try handle.write(contentsOf: bytes)
            try handle.close()
        }
    }

    /// The photos in an album's folder and in the folders there, by what they contain.
    func fileHashes(_ album: String) async throws -> Set<String> {
        let files = try await entries(of: "\(folder)/\(album)").filter {
            !$0.contains("/.") && !$0.hasPrefix(".") && $0.contains(".")
        }
        return try await Set(hashes(files.map { "\(folder)/\(album)/\($0)" }).values)
    }

    /// All that is below a directory as this laptop sees it, with the disks that only it has; nothing where it is not there.
    func entries(of directory: String) async throws -> Set<String> {
        let words = ["find", directory, "-mindepth", "1", "-printf", "%P\\n"]
        return Set(try await lab.execute(number, words).text.split(separator: "\n").map(String.init))
    }

    /// The SHA-256 of each file, as this laptop sees it.
    func hashes(_ paths: [String]) async throws -> [String: String] {
        guard !paths.isEmpty else { return [:] }
        return try await lab.execute(number, ["sha256sum", "--"] + paths).hashes
    }

    /// A script of the shell on this laptop; what it printed.
    @discardableResult
    func shell(_ script: String) async throws -> String {
        let words = ["sh", "-c", script]
        return try await lab.execute(number, words).succeeded(words).text
    }
}

extension Lab {
    /// Makes sample photos, of `byteCount` bytes each, and returns where they are.
    func makePhotos(
        _ name: String, count: Int, byteCount: Int, called pattern: String = "IMG_%04d.JPG", pixels: String = "320x240"
    ) async throws -> [String] {
        let directory = "\(files)/\(name)"
        try await here(
            "\(Machine.root)/Scripts/make-photos", directory, "--count", "\(count)", "--bytes", "\(byteCount)",
            "--seed", name, "--name", pattern, "--pixels", pixels)
        return (1...count).map { "\(directory)/\(String(format: pattern, $0))" }
    }

    /// What came in by the cables of these laptops so far.
    func receivedByteCount(_ laptops: [Laptop]) async throws -> Int {
        var sum = 0
        for laptop in laptops { sum += try await laptop.receivedByteCount() }
        return sum
    }

    /// The SHA-256 of each file.
    func hashes(_ paths: [String]) async throws -> [String: String] {
        guard !paths.isEmpty else { return [:] }
        return try await Output.of(["sha256sum", "--"] + paths, environment: Machine.variables).hashes
    }

    /// Waits until each laptop lists exactly these photos per album, has all of them as files of the same bytes, misses
    /// nothing, and has the same digests as the others.
    ///
    /// - Parameter limit: for all but the reading of photos, which has ``readingPatience``.
    func converge(
        _ laptops: [Laptop], to expected: [String: [String]], within limit: Duration = .seconds(55)
    ) async throws {
        var wanted: [String: Set<String>] = [:]
        for (album, paths) in expected { wanted[album] = Set(try await hashes(paths).values) }
        let digests = try await eventually("all laptops have everything", within: limit) {
            try await distinctDigests(of: laptops, with: wanted)
        }
        guard digests.count > 1 else { return }
        // What is read in photos goes into the manifests. Of some there is no small picture.
        func haveSameDigests() async throws -> Attempt<Void> {
            switch try await distinctDigests(of: laptops, with: wanted) {
            case .done(let digests): .when(digests.count == 1, "digests differ: \(digests)")
            case .notYet(let reason): .notYet(reason)
            }
        }
        try await eventually("all photos are read", within: Self.readingPatience) { () -> Attempt<Void> in
            if case .done = try await haveSameDigests() { return .done(()) }
            return try await haveRead(laptops)
        }
        try await eventually("all laptops have the same digests", within: limit, haveSameDigests)
    }

    /// How long photos may wait to be read: only processors that are idle read, and these tests keep them busy.
    static let readingPatience = Duration.seconds(240)

    /// Whether each of these has the small picture of every photo that it lists.
    func haveRead(_ laptops: [Laptop]) async throws -> Attempt<Void> {
        for laptop in laptops {
            let unread = try await laptop.photosWithoutPicture().count
            guard unread == 0 else { return .notYet("laptop \(laptop.number) has no small picture of \(unread)") }
        }
        return .done(())
    }

    /// The different digests of the albums, once each laptop has exactly these photos, by album.
    private func distinctDigests(
        of laptops: [Laptop], with wanted: [String: Set<String>]
    ) async throws -> Attempt<Set<[String]>> {
        var digests: Set<[String]> = []
        for laptop in laptops {
            let albums = try await laptop.albums().sorted { $0.name < $1.name }
            guard albums.map(\.name) == wanted.keys.sorted(), albums.allSatisfy({ $0.here == $0.photos }) else {
                let seen = albums.map { "\($0.name) \($0.here)/\($0.photos)" }
                return .notYet("laptop \(laptop.number) lists \(seen)")
            }
            for (album, hashes) in wanted {
                let photos = try await laptop.photos(album)
                guard Set(photos.map(\.id)) == hashes, photos.count == hashes.count,
                    photos.allSatisfy({ $0.here && $0.file != nil })
                else {
                    let absent = photos.filter { !$0.here || $0.file == nil }.map(\.name)
                    return .notYet("laptop \(laptop.number) has \(photos.count) photos in \(album), absent \(absent)")
                }
                let found = try await laptop.fileHashes(album)
                guard found == hashes else {
                    return .notYet("laptop \(laptop.number) has \(found.count) files in \(album)")
                }
            }
            let missing = try await laptop.status().missing
            guard missing.photos == 0, missing.bytes == 0 else {
                return .notYet("laptop \(laptop.number) misses \(missing.photos)")
            }
            digests.insert(albums.map { "\($0.digestLevel) \($0.digest)" })
        }
        return .done(digests)
    }

    /// Waits until each of these is connected to all others of them.
    func connect(_ laptops: [Laptop], within limit: Duration = .seconds(45)) async throws {
        try await eventually("all laptops are connected", within: limit) { () -> Attempt<Void> in
            for laptop in laptops {
                let connected = try await laptop.peers().count(where: \.connected)
                guard connected >= laptops.count - 1 else {
                    return .notYet("laptop \(laptop.number) is connected to \(connected)")
                }
            }
            return .done(())
        }
    }
}

extension Output {
    /// What sha256sum prints, by path.
    fileprivate var hashes: [String: String] {
        let lines = text.split(separator: "\n").map { line in (String(line.dropFirst(66)), String(line.prefix(64))) }
        return Dictionary(lines) { first, _ in first }
    }
}

/// A running agent.
struct Agent: Sendable {
    let child: ChildProcess
    let log: String

    /// As a power cut ends it.
    func kill() async throws {
        child.signal(SIGKILL)
        _ = try await child.end(within: .seconds(30))
    }

    func stop() async throws {
        child.signal(SIGTERM)
        let status = try await child.end(within: .seconds(30))
        let words = try messages().split(separator: "\n").suffix(5)
        #expect(status == 0, "an agent that is told to stop ends well: \(words.joined(separator: "; "))")
    }

    /// What it has printed on standard error so far.
    func messages() throws -> String { try String(contentsOfFile: log, encoding: .utf8) }
}

/// What `potluck events` has printed so far.
struct EventLog {
    struct Event: Decodable {
        var event: String
        var name: String?
        var photo: String?
        var file: String?
    }

    let path: String

    func all() throws -> [Event] {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        // A line is whole once it has ended.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        return try lines.map { try JSONDecoder().decode(Event.self, from: Data($0.utf8)) }
    }

    func kinds() throws -> [String] { try all().map { "\($0.event) \($0.name ?? "")" } }
    func count(_ kind: String, name: String) throws -> Int { try all().count { $0.event == kind && $0.name == name } }
}
