import AlbumModel
import DiskIO
import FoundationEssentials
import Glibc
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// Backups that somebody has prepared: everything that can stand in every place of one, and numbers and names that no
/// backup has. Nothing outside may change, nothing may wait, and what is wrong is said.
@Suite(.slow, .timeLimit(.minutes(5))) struct PreparedBackupTests {
    enum Place: String, CaseIterable, Sendable {
        case manifest, newManifest, journal, journalLog, nextJournal, nextLog, blobs, prefix, blob, staging, part,
            settings

        func name(_ blob: BlobID) -> String {
            switch self {
            case .manifest: BackupManifest.fileName
            case .newManifest: BackupManifest.fileName + OpenDirectory.temporaryEnding
            case .journal: "journal-1.sqlite"
            case .journalLog: "journal-1.sqlite-wal"
            case .nextJournal: "journal-2.sqlite"
            case .nextLog: "journal-2.sqlite-wal"
            case .blobs: "blobs"
            case .prefix: "blobs/\(blob.hex.prefix(2))"
            case .blob: "blobs/\(blob.hex.prefix(2))/\(blob.hex.dropFirst(2))"
            case .staging: "staging"
            case .part: "staging/\(blob.hex).part"
            case .settings: HomeSetup.settingsName
            }
        }

        func isFit(_ odd: OddFile) -> Bool { [.blobs, .prefix, .staging].contains(self) && odd == .directory }

        /// Whether making the backup anew has something to say: a plain file of a name that is its own makes way, and the
        /// journal of before, with what lies beside it, is not used.
        func troublesBackup(_ odd: OddFile) -> Bool {
            switch self {
            case .journal, .journalLog: false
            case .manifest, .blobs, .prefix, .staging: true
            case .newManifest, .nextJournal, .nextLog, .blob, .part, .settings: odd != .hugeFile
            }
        }

        /// Whether restoring it has: what no restore reads is nothing to it.
        var troublesRestore: Bool { [.manifest, .journal, .blobs, .prefix, .blob, .settings].contains(self) }
    }

    /// A home with one photo and settings, its backup, a tree that nobody may touch, and room for attempts.
    private struct Scene: Sendable {
        let root: String
        let home: String
        let blob: BlobID
        let outside: OutsideTree

        /// A copy of the backup, of its own for each attempt.
        func attempt(_ name: String) throws -> String {
            let path = "\(root)/attempt-\(name)"
            try FileManager.default.copyItem(atPath: root + "/backup", toPath: path)
            return path
        }

        /// What a backup says that goes wrong, or of what is missing; `nil` if it says nothing.
        static func complaint(_ body: () async throws -> BackupReport) async -> String? {
            do {
                return try await body().missing.first?.reason
            } catch {
                return (error as? PotluckError)?.message ?? "\(type(of: error))"
            }
        }

        func back(to directory: String) async throws -> String? {
            try await ending { [home] in
                await Self.complaint {
                    try await Backup.make(home: home, directory: directory, check: false) { _ in }
                }
            }
        }

        func restore(_ directory: String, to home: String) async throws -> String? {
            try await ending {
                await Self.complaint { try await Restore.run(directory: directory, home: home) { _ in } }
            }
        }
    }

    private func with(_ body: (Scene) async throws -> Void) async throws {
        try await SmallHome.with(photos: 1) { home in
            try Data("folder = \"~/Photos\"\n".utf8).write(to: URL(filePath: "\(home.path)/\(HomeSetup.settingsName)"))
            _ = try await Backup.make(home: home.path, directory: home.directory + "/backup", check: false) { _ in }
            try await body(
                Scene(
                    root: home.directory, home: home.path, blob: home.blobs[0],
                    outside: try OutsideTree(in: home.directory)))
        }
    }

    /// Shows that a backup is made anew beside anything without following, filling, waiting for or removing it.
    @Test func nothingOddIsWritten() async throws {
        try await with { scene in
            let before = try scene.outside.state()
            for place in Place.allCases {
                for odd in OddFile.allCases where !place.isFit(odd) {
                    let directory = try scene.attempt("\(place)-\(odd)")
                    let path = "\(directory)/\(place.name(scene.blob))"
                    if place == .part { try #require(mkdir(directory + "/staging", 0o700) == 0) }
                    rename(path, scene.root + "/aside-\(place)-\(odd)")
                    guard try odd.place(at: path, outside: scene.outside) else { continue }
                    let complaint = try await scene.back(to: directory)
                    #expect((complaint != nil) == place.troublesBackup(odd), "\(place) \(odd): \(complaint ?? "")")
                    if let complaint {
                        #expect(complaint.hasPrefix(path) && complaint.hasSuffix("."), "\(place) \(odd): \(complaint)")
                        #expect(odd.stands(at: path), "\(place) \(odd)")
                    }
                    #expect(try scene.outside.state() == before, "\(place) \(odd)")
                }
            }
        }
    }

    /// Shows that a home is made of plain files alone: anything else ends the restore with a sentence, or costs one photo,
    /// and is neither opened by SQLite nor copied nor waited for.
    @Test func nothingOddIsRestored() async throws {
        try await with { scene in
            let before = try scene.outside.state()
            for place in Place.allCases {
                for odd in OddFile.allCases where !place.isFit(odd) {
                    // What is not read need not be shown ten times.
                    if !place.troublesRestore, ![.pipe, .linkToDirectory].contains(odd) { continue }
                    let directory = try scene.attempt("\(place)-\(odd)")
                    let path = "\(directory)/\(place.name(scene.blob))"
                    if place == .part { try #require(mkdir(directory + "/staging", 0o700) == 0) }
                    rename(path, scene.root + "/aside-\(place)-\(odd)")
                    guard try odd.place(at: path, outside: scene.outside) else { continue }
                    let home = "\(scene.root)/restored-\(place)-\(odd)"
                    let complaint = try await scene.restore(directory, to: home)
                    #expect((complaint != nil) == place.troublesRestore, "\(place) \(odd): \(complaint ?? "")")
                    if let complaint {
                        #expect(complaint.hasPrefix(path) && complaint.hasSuffix("."), "\(place) \(odd): \(complaint)")
                    }
                    #expect(HomeSetup.hasGathering(home: home) == (complaint == nil || place == .blob))
                    #expect(odd.stands(at: path))
                    #expect(try scene.outside.state() == before, "\(place) \(odd)")
                }
            }
        }
    }

    /// Shows that a restore writes to its home only, whatever a person's directory of that name has in it.
    @Test(arguments: ["blobs", "prefix", "blob", "staging", "restoring", "journal.sqlite-wal", "potluck.toml"])
    func homesAreWrittenToThemselves(place: String) async throws {
        try await with { scene in
            let before = try scene.outside.state()
            let hex = scene.blob.hex
            let name = ["prefix": "blobs/\(hex.prefix(2))", "blob": "blobs/\(hex.prefix(2))/\(hex.dropFirst(2))"][place]
            for odd in OddFile.allCases where odd != .directory {
                let home = "\(scene.root)/home-\(odd)"
                let path = "\(home)/\(name ?? place)"
                try FileManager.default.createDirectory(
                    atPath: String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]),
                    withIntermediateDirectories: true)
                guard try odd.place(at: path, outside: scene.outside) else { continue }
                let complaint = try await scene.restore(scene.root + "/backup", to: home)
                let isMade =
                    switch place {
                    // What an earlier restore left goes, and a person's settings stay.
                    case "restoring", "potluck.toml": true
                    case "blob", "journal.sqlite-wal": odd == .hugeFile
                    default: false
                    }
                #expect((complaint == nil) == isMade, "\(odd): \(complaint ?? "")")
                if let complaint { #expect(complaint.hasPrefix(path) && complaint.hasSuffix("."), "\(complaint)") }
                #expect(try scene.outside.state() == before, "\(odd)")
            }
        }
    }

    // MARK: The list

    private static let absurdNumbers: [String?] = [
        "-9223372036854775808", "9223372036854775807", "18446744073709551615", "18446744073709551616", "-1",
        "9007199254740992", "1e308", "1e999", "0.5", "null", "\"7\"", "true", "[]", nil,
    ]

    /// The list of a backup in which one field has another value; `nil` leaves it out.
    private static func list(_ manifest: BackupManifest, _ field: String, _ value: String?) throws -> String {
        let journal = try #require(manifest.journal)
        var fields: [String: String] = [
            "format": "1", "tag": "\"\(manifest.tag)\"", "gathering": "null", "device": "\"\(manifest.device)\"",
            "device_name": "\"Anna\"", "made": "\"2026-08-01T12:00:00.000Z\"", "files": "1", "bytes": "1001",
            "settings": "true",
        ]
        var parts = [
            "file": "\"\(journal.file)\"", "sha256": "\"\(journal.sha256)\"", "bytes": "\(journal.bytes ?? 0)",
        ]
        if field.hasPrefix("journal.") { parts[String(field.dropFirst(8))] = value } else { fields[field] = value }
        fields["journal"] = "{\(parts.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}"
        return "{\(fields.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}"
    }

    /// Shows that no number of a list is believed that no backup could have, and that each such list ends in a sentence.
    @Test func absurdNumbersAreDamage() async throws {
        try await with { scene in
            let directory = try OpenDirectory(path: scene.root + "/backup")
            let manifest = try #require(try BackupManifest.read(in: directory))
            for field in ["format", "files", "bytes", "journal.bytes", "made"] {
                let attempt = try scene.attempt(field)
                for number in Self.absurdNumbers {
                    try Data(try Self.list(manifest, field, number).utf8).write(
                        to: URL(filePath: "\(attempt)/\(BackupManifest.fileName)"))
                    do {
                        let read = try BackupManifest.read(in: OpenDirectory(path: attempt))
                        #expect((0...(1 << 40)).contains(try #require(read).files), "\(field) \(number ?? "none")")
                        #expect(read?.format == 1)
                    } catch let error as PotluckError {
                        #expect(error.message.contains(attempt), "\(field) \(number ?? "none")")
                    }
                    guard number == "9223372036854775807" else { continue }
                    // From end to end once: a sentence, or a home.
                    let home = "\(scene.root)/home-\(field)"
                    let complaint = try await scene.restore(attempt, to: home)
                    #expect(HomeSetup.hasGathering(home: home) == (complaint == nil))
                    #expect((complaint == nil) == (field == "bytes"), "\(field): \(complaint ?? "")")
                }
            }
        }
    }

    /// Shows that a list names no file but a backup's own: nothing is read, replaced or deleted where else it leads.
    @Test(arguments: ["../outside/known.txt", "/etc/passwd", "", ".", "journal-3.sqlite", "journal-1.sqlite\\u0000"])
    func listsLeadNowhere(name: String) async throws {
        try await with { scene in
            let before = try scene.outside.state()
            let manifest = try #require(try BackupManifest.read(in: OpenDirectory(path: scene.root + "/backup")))
            let attempt = try scene.attempt("name")
            try Data(try Self.list(manifest, "journal.file", "\"\(name)\"").utf8).write(
                to: URL(filePath: "\(attempt)/\(BackupManifest.fileName)"))
            #expect(try await scene.restore(attempt, to: scene.root + "/restored")?.contains("is damaged") == true)
            #expect(try await scene.back(to: attempt)?.contains("is damaged") == true)
            #expect(try scene.outside.state() == before)
        }
    }

    /// Shows that a home starts whatever numbers the journal of its backup has: nothing traps, and no photo is due by them.
    @Test func absurdFactsAreNoTrap() async throws {
        try await SmallHome.with(photos: 1) { home in
            let journal = try Journal(home: home.path)
            let most = BigEndian.bytes(UInt64.max)
            let key = PhotoKey(album: AlbumName.identifier("Beach"), blob: home.blobs[0])
            let other = PhotoKey(album: key.album, blob: try #require(BlobID(bytes: [UInt8](repeating: 9, count: 32))))
            let entry = TrashEntry(learnedAfter: .max, learnedAt: .max, holders: [])
            let device = try #require(try Membership.load(journal)).identity.deviceID
            let record = HoldingsRecord(
                saidAt: .max, position: nil, summaryFloor: .max, presence: Presence(), lost: [], denied: [],
                summary: nil)
            let round = [1] + (0..<5).flatMap { _ in most } + key.blob.bytes
            #expect(RoundState(bytes: round) == nil)
            try journal.setFacts([
                FactChange(kind: .trash, key: other.factKey, value: entry.bytes),
                FactChange(kind: .hidden, key: key.factKey, value: HiddenEntry(since: .max).bytes),
                FactChange(kind: .runningTime, key: [], value: most),
                FactChange(kind: .trashFollowed, key: [], value: most),
                FactChange(kind: .upkeep, key: RoundState.Key.scrub.bytes, value: round),
                HoldingsMemory.fact(device, seenAt: .max, record),
            ])
            try journal.close()
            let (backup, restored) = (home.directory + "/backup", home.directory + "/restored")
            _ = try await Backup.make(home: home.path, directory: backup, check: false) { _ in }
            _ = try await Restore.run(directory: backup, home: restored) { _ in }
            try await RunningAgent.run(restored) { running in
                let control = running.control()
                #expect(try await control.trash(album: nil).trash.map(\.id) == [other.blob.hex])
                #expect(try await control.hidden(album: nil).hidden.map(\.id) == [key.blob.hex])
                await running.services.removal.keepTrash(days: 30)
                #expect(running.services.removal.removedPhotos.trash[other] != nil)
                _ = try await running.add([7], name: "b.jpg", to: "Beach")
                await running.services.host.feed(.deadlineReached)
            }
        }
    }

    /// Shows that a backup's settings set nothing: no folder that they name is shared, moved or emptied, and no trash ends
    /// sooner. They lie beside the home's own, which stay, and the report says where.
    @Test(arguments: [nil, "device = \"Mine\"\n"] as [String?]) func settingsAreNotTakenOver(own: String?) async throws
    {
        try await with { scene in
            let attempt = try scene.attempt("settings")
            let (home, prepared) = ("\(scene.root)/restored", "folder = \"\(scene.root)/outside\"\ntrash_days = 1\n")
            try Data(prepared.utf8).write(to: URL(filePath: "\(attempt)/\(HomeSetup.settingsName)"))
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
            let settings = "\(home)/\(HomeSetup.settingsName)"
            if let own { try Data(own.utf8).write(to: URL(filePath: settings)) }
            let report = try await Restore.run(directory: attempt, home: home) { _ in }
            #expect(report.settings == "\(home)/potluck-restored.toml")
            #expect(FileManager.default.contents(atPath: settings).map { String(decoding: $0, as: UTF8.self) } == own)
            let kept = try #require(FileManager.default.contents(atPath: "\(home)/potluck-restored.toml"))
            #expect(String(decoding: kept, as: UTF8.self) == prepared)
        }
    }

    /// Shows that the list of a version that did not say the journal's size is as good as it was.
    @Test func olderListsAreRestored() async throws {
        try await with { scene in
            let manifest = try #require(try BackupManifest.read(in: OpenDirectory(path: scene.root + "/backup")))
            let attempt = try scene.attempt("older")
            try Data(try Self.list(manifest, "journal.bytes", nil).utf8).write(
                to: URL(filePath: "\(attempt)/\(BackupManifest.fileName)"))
            #expect(try await scene.restore(attempt, to: scene.root + "/restored") == nil)
            #expect(try await OfflineListings(home: scene.root + "/restored").photos(album: "Beach").photos.count == 1)
        }
    }
}
