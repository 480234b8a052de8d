import DiskIO
import FoundationEssentials
import PotluckAPI

/// Homes that a person has besides the standard one, and the one that commands work on where none is named.
struct KnownHomes: Hashable {
    static let fileName = "potluck-homes"
    /// Room for hundreds of the longest paths, where a person has some gatherings.
    private static let byteCountMax = 1 << 20
    /// What is there is gone after the next start of the machine.
    private static let temporaryDirectory = "/tmp/"
    /// How long another command, which holds the list for a moment, is waited for, in milliseconds.
    private static let lockPatience = 5000

    /// Absolute, in the order in which they were made known.
    private(set) var homes: [String] = []
    /// `nil`: the standard one.
    private(set) var chosen: String?

    /// An absent file knows no homes. Blocks.
    ///
    /// - Parameter directory: where the file is, absolute; that of the standard home as well.
    /// - Throws: where nobody can tell: another home than the chosen one would be taken for it.
    init(directory: String) throws(PotluckError) {
        let path = directory + "/" + Self.fileName
        guard PathPresence(of: path, followsLink: true) != .absent else { return }
        guard let data = FileManager.default.contents(atPath: path), data.count <= Self.byteCountMax else {
            throw PotluckError(
                .badSetting,
                "The list of homes, \(path), cannot be read, or is over 1 MiB. Name the home with --home; to begin a new list, move that file away, and choose with `potluck gatherings switch` again."
            )
        }
        for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            // A later version may have more to say of homes.
            guard parts.count == 2, parts[1].hasPrefix("/") else { continue }
            switch parts[0] {
            case "home": add(String(parts[1]))
            case "chosen": chosen = String(parts[1])
            default: break
            }
        }
    }

    func contains(_ home: String) -> Bool { homes.contains { FilePaths.isSame($0, home) } }

    private mutating func add(_ home: String) {
        if !contains(home) { homes.append(home) }
    }

    // MARK: Changes

    /// Notes a home in which this laptop takes part. Blocks.
    static func remember(_ home: String, in directory: String) throws(PotluckError) {
        guard !home.hasPrefix(temporaryDirectory), try !KnownHomes(directory: directory).contains(home) else { return }
        try change(directory) { $0.add(home) }
    }

    /// - Parameter home: `nil` for the standard one. Blocks.
    static func choose(_ home: String?, in directory: String) throws(PotluckError) {
        try change(directory) { known in
            if let home { known.add(home) }
            known.chosen = home
        }
    }

    /// Lists homes no longer; where one of them was chosen, the standard one is. Blocks.
    static func forget(_ homes: [String], in directory: String) throws(PotluckError) {
        try change(directory) { known in
            known.homes.removeAll { homes.contains($0) }
            if let chosen = known.chosen, homes.contains(chosen) { known.chosen = nil }
        }
    }

    /// Changes the list as it is now, and no other command meanwhile: it may have changed since it was read last.
    private static func change(_ path: String, _ body: (inout KnownHomes) -> Void) throws(PotluckError) {
        do {
            // On a laptop that has no home of the standard place yet.
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw PotluckError(.failed, "The directory \(path) of the list of homes cannot be made: \(error).")
        }
        let directory: OpenDirectory
        do throws(FileError) {
            directory = try OpenDirectory(path: path, of: .person)
        } catch {
            throw writeError(error.reason)
        }
        guard LockWait.isTaken(within: lockPatience, { directory.tryLock() }) else {
            throw PotluckError(.tryAgain, "Another command changes the list of homes in \(path). Try again.")
        }
        let former = try KnownHomes(directory: path)
        var known = former
        body(&known)
        if known != former { try known.save(in: directory) }
    }

    /// One that a crash interrupts leaves the list as it was.
    private func save(in directory: OpenDirectory) throws(PotluckError) {
        let lines = homes.map { "home \($0)" } + (chosen.map { ["chosen \($0)"] } ?? [])
        guard lines.allSatisfy({ !$0.contains("\n") }) else {
            throw PotluckError(.usage, "The path of a home must not have a line's end in it.")
        }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        guard bytes.count <= Self.byteCountMax else { throw Self.writeError("it would be over 1 MiB") }
        do throws(FileError) {
            let file = try TemporaryFile(in: directory, name: Self.fileName + ".new", mode: 0o600)
            try file.append(bytes)
            try file.synchronize()
            try file.rename(to: Self.fileName, replacing: true)
            try directory.synchronize()
        } catch {
            throw Self.writeError(error.reason)
        }
    }

    private static func writeError(_ reason: String) -> PotluckError {
        PotluckError(.failed, "The list of homes cannot be written: \(reason).")
    }
}
