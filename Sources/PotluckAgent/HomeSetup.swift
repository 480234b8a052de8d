import AlbumModel
import DiskIO
import Glibc
import PeerTransport
import PhotoStore
public import PotluckAPI

/// Puts a home into a gathering.
public enum HomeSetup {
    /// A person's settings, in the home.
    static let settingsName = "potluck.toml"
    /// The settings of the backup that the home was made of, which nothing reads.
    static let restoredSettingsName = "potluck-restored.toml"

    /// What a laptop is called that nobody named: its host name.
    public static var standardDeviceName: String { DeviceName.standard }

    /// Starts a gathering.
    ///
    /// - Parameter device: what this laptop is called; its host name where `nil`.
    public static func host(
        home: String, gathering: String, device: String?
    ) async throws(PotluckError) -> HostReport {
        let name = AlbumName.trimmed(AlbumName.composed(gathering))
        guard !name.isEmpty, name.utf8.count <= CatalogLimits.nameByteCountMax else {
            throw PotluckError(.usage, "A gathering needs a name of at most 1,000 letters.")
        }
        return try enter(home: home, device: device) { current throws(PotluckError) in
            throw PotluckError(
                .badSetting,
                "This home has a gathering already (phrase \(current.phrase.text)). Nothing was changed; for another gathering, choose another home with --home."
            )
        } begin: { () throws(PotluckError) in
            let new = try reading { try NewGathering() }
            let report = HostReport(
                gathering: name, phrase: new.phrase.text, link: new.phrase.link, recoveryCode: new.recoveryCode.text)
            return (
                Beginning(
                    identity: new.identity, phrase: new.phrase, secrets: new.secrets, gathering: name,
                    facts: new.facts), report
            )
        }
    }

    /// The invite phrase of a link; `nil` for what is none.
    public static func phrase(in link: String) -> String? { try? InvitePhrase(parsing: link).text }

    /// Joins the gathering that a phrase belongs to. The same phrase again is fine: a laptop that left takes part again by
    /// it, else it changes nothing.
    ///
    /// - Parameter again: in a home that has a gathering the phrase is its new one, which others may know and this home
    ///   does not; it is kept, and no agent runs. Without it such a phrase is taken only where other laptops said that the
    ///   phrase has changed.
    public static func join(
        home: String, phrase: String, device: String?, again: Bool = false
    ) async throws(PotluckError) -> InviteReport {
        let parsed = try invitePhrase(phrase)
        return try enter(home: home, device: device) { current throws(PotluckError) in
            let phrases = current.phrases
            let isMeant = again || phrases.news != nil || phrases.isBehind
            let facts = try phrases.facts(typing: parsed, isMeant: isMeant)
            guard !facts.isEmpty else { return try report(of: current) }
            let changed = try changing(home) { journal in
                try journal.setFacts(facts)
                return try Membership.load(journal)
            }
            return try report(of: changed ?? current)
        } begin: { () throws(PotluckError) in
            let secrets = try reading { try GatheringSecrets(parsed) }
            return (
                Beginning(identity: DeviceIdentity(), phrase: parsed, secrets: secrets),
                InviteReport(gathering: nil, phrase: parsed.text, link: parsed.link)
            )
        }
    }

    static func invitePhrase(_ text: String) throws(PotluckError) -> InvitePhrase {
        do {
            return try InvitePhrase(parsing: text)
        } catch {
            throw PotluckError(.usage, "\(error)")
        }
    }

    static var otherGatheringError: PotluckError {
        PotluckError(
            .badSetting,
            "This home is in another gathering, or its phrase has changed. Nothing was changed. If this is its new phrase, add --again; to be in two gatherings, give the second a home of its own with --home."
        )
    }

    /// The phrase of the home's gathering. Reads only: an agent may be running.
    public static func invite(home: String) async throws(PotluckError) -> InviteReport {
        guard hasGathering(home: home), let membership = try membership(home) else {
            throw noGathering(home: home)
        }
        try membership.phrases.checkInvites()
        return try report(of: membership)
    }

    private static func report(of membership: Membership) throws(PotluckError) -> InviteReport {
        try reading { try membership.inviteReport(gathering: nil) }
    }

    static func membership(_ home: String) throws(PotluckError) -> Membership? {
        let journal = try open(home)
        return try reading { try Membership.load(journal) }
    }

    public static func hasGathering(home: String) -> Bool {
        // A journal that nobody can look at may hold one: no other gathering, and no new key, is put into such a home.
        guard PathPresence(of: home + "/" + Journal.fileName, followsLink: true) != .absent else { return false }
        do {
            return try Journal(home: home).identity(.phrase) != nil
        } catch {
            // A journal that cannot be read is reported by whoever opens it next.
            return true
        }
    }

    /// What a person is told whose home has no gathering.
    public static func noGathering(home: String) -> PotluckError {
        do throws(DirectoryListingError) {
            guard try hasPhotos(home: home) else {
                return PotluckError(
                    .badSetting,
                    "There is no gathering in \(home) yet. Start one with `potluck host NAME`, or enter one with `potluck join PHRASE`."
                )
            }
        } catch {
            return PotluckError(
                .failed,
                "The home \(home) cannot be looked through now: \(error.message). Nothing was changed; see that its disk is there and sound, and try again."
            )
        }
        return PotluckError(
            .badSetting,
            "The journal of \(home) is gone, but its photos are there. Enter the gathering again with `potluck join PHRASE` (`potluck invite` on another laptop shows the phrase): the photos are used as they are."
        )
    }

    /// Whether blobs of an earlier time are in the home.
    private static func hasPhotos(home: String) throws(DirectoryListingError) -> Bool {
        let root = home + "/blobs"
        for prefix in try names(in: root) where try !names(in: root + "/" + prefix).isEmpty { return true }
        return false
    }

    /// Empty where there is no such directory.
    private static func names(in path: String) throws(DirectoryListingError) -> [String] {
        do {
            return try DirectoryListing(path: path, followsLink: true).entries.map(\.text).filter { !$0.hasPrefix(".") }
        } catch {
            guard error.isAbsent else { throw error }
            return []
        }
    }

    /// What a home that gets its first gathering keeps of it.
    private struct Beginning {
        var identity: DeviceIdentity
        var phrase: InvitePhrase
        var secrets: GatheringSecrets
        /// Where it is started.
        var gathering: String?
        var facts: [FactChange] = []
    }

    /// - Parameters:
    ///   - again: what is told of a home that has a gathering; throws where it may not stay in it.
    ///   - begin: what a home without one gets; all of it is made durable in one transaction.
    private static func enter<Report>(
        home: String, device: String?, _ again: (Membership) throws(PotluckError) -> Report,
        begin: () throws(PotluckError) -> (Beginning, Report)
    ) throws(PotluckError) -> Report {
        // A home that has a gathering is only read: its agent may be running. None runs in one that was left.
        if hasGathering(home: home), let current = try membership(home) {
            let report = try again(current)
            if try hasLeft(home: home) { try enterAgain(home) }
            return report
        }
        try makeHome(home)
        let lock = try HomeAccess.lock(home)
        defer { lock.release() }
        let journal = try open(home)
        // Once more, now that nobody else can write.
        if let current = try reading({ try Membership.load(journal) }) { return try again(current) }
        let name = try device.map { name throws(PotluckError) in try DeviceName.usable(name) } ?? DeviceName.standard
        let (beginning, report) = try begin()
        var values: [IdentityKey: [UInt8]] = [
            .deviceKey: beginning.identity.rawPrivateKey, .deviceName: Array(name.utf8),
            .phrase: Array(beginning.phrase.text.utf8), .secrets: beginning.secrets.bytes,
        ]
        if let gathering = beginning.gathering { values[.gatheringName] = Array(gathering.utf8) }
        try reading { try journal.setFacts(FactChange.identity(values) + beginning.facts) }
        return report
    }

    static func makeHome(_ home: String) throws(PotluckError) {
        try makeDirectories(home, named: "home")
    }

    /// Makes a directory, and those above it, for its owner alone.
    static func makeDirectories(_ directory: String, named word: String = "directory") throws(PotluckError) {
        var path = ""
        for part in directory.split(separator: "/") {
            path += "/" + part
            do throws(FileError) {
                try Disk.makeDirectory(path, mode: 0o700)
            } catch {
                // Of a file system that is read-only, that comes before that it is there.
                if error.errno == EROFS, PathPresence(of: path, followsLink: true) == .present { continue }
                throw PotluckError(.badSetting, "The \(word) \(directory) cannot be made: \(error.causeText).")
            }
        }
    }

    private static func open(_ home: String) throws(PotluckError) -> Journal {
        try reading { try Journal(home: home) }
    }

    /// How long a listing, which holds a home's lock for a moment, is waited for, in milliseconds.
    static let lockPatience = 5000

    /// Changes the journal of a home in which no agent runs. Blocks.
    static func changing<Value>(_ home: String, _ body: (Journal) throws -> Value) throws(PotluckError) -> Value {
        let lock = try HomeAccess.lock(home, waitMilliseconds: lockPatience)
        defer { lock.release() }
        return try reading { try body(Journal(home: home)) }
    }

    static func reading<Value>(_ body: () throws -> Value) throws(PotluckError) -> Value {
        do {
            return try body()
        } catch let error as PotluckError {
            throw error
        } catch {
            throw PotluckError(.failed, "The home cannot be used: \(error)")
        }
    }
}

/// Who may write in a home.
enum HomeAccess {
    static func lock(_ home: String, waitMilliseconds: Int = 0) throws(PotluckError) -> HomeLock {
        do {
            return try HomeLock.acquire(home: home, waitMilliseconds: waitMilliseconds)
        } catch .lockedByAgent(let pid) {
            throw PotluckError(
                .tryAgain,
                "Another potluck\(pid == 0 ? "" : " (process \(pid))") uses the home \(home). Stop it with `potluck down`, or choose another home with --home."
            )
        } catch {
            throw PotluckError(.badSetting, "\(error)")
        }
    }
}
