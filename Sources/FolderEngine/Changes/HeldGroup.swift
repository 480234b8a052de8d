package import AlbumModel

/// Photos whose loss from the folder looks like an accident: nothing is removed or replaced until a person decides.
public struct HeldGroup: Hashable, Sendable {
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Many files vanished at once.
        case manyVanished
        /// Many files hold something else at once: an editor's batch, or ransomware.
        case manyRewritten
        /// Files vanished or changed while others were made anew with equal bytes, or hold what was replaced before: an
        /// older copy of the folder was put in its place.
        case restoredFolder
        /// All files of a directory are gone.
        case directoryGone
        /// Files are gone, and nobody saw them go: it was found by looking through the folder. Or they are empty, as a save
        /// leaves them that a full disk refused.
        case unexplained
    }

    /// The same while the group grows and shrinks, over restarts too.
    public var id: UInt64
    /// Another one whenever something joins the group, below 2⁵³: a person confirms what they saw in it.
    public var version: UInt64
    public var reason: Reason
    /// Photos whose last file in their album is gone, or holds something that is no photo.
    public var vanished: Int
    /// Photos whose file holds another photo.
    public var rewritten: Int
    /// Files that the albums concerned had before.
    public var of: Int
    /// Below the folder, ordered; the first ``pathCountMax``.
    public var paths: [String]
    /// For people: what was seen, and what they can do.
    public var sentence: String

    public static let pathCountMax = 20

    public init(
        id: UInt64, version: UInt64, reason: Reason, vanished: Int, rewritten: Int, of: Int, paths: [String],
        sentence: String
    ) {
        self.id = id
        self.version = version
        self.reason = reason
        self.vanished = vanished
        self.rewritten = rewritten
        self.of = of
        self.paths = paths
        self.sentence = sentence
    }
}

extension HeldGroup {
    /// The group of these losses, which are not empty.
    package init(
        id: UInt64, version: UInt64, reason: Reason, losses: [Judgement.Step], fileCounts: [AlbumID: Int]
    ) {
        let rewritten = Brake.rewrittenCount(losses)
        let all = Set(losses.map(\.lost.record.photo.album)).reduce(0) { $0 + (fileCounts[$1] ?? 0) }
        self.init(
            id: id, version: version, reason: reason, vanished: losses.count - rewritten, rewritten: rewritten, of: all,
            paths: losses.map(\.lost.path).sorted().prefix(Self.pathCountMax).map(\.text), sentence: "")
        sentence =
            "\(seen) Nothing was removed or replaced in the gathering. If it was meant, say `potluck confirm`; "
            + "`potluck undo` puts the photos' files back."
    }

    private var seen: String {
        let files = " of \(of) \(of == 1 ? "file" : "files")"
        let parts = [
            vanished > 0 ? "\(vanished)\(files) \(vanished == 1 ? "is" : "are") gone" : nil,
            rewritten > 0
                ? "\(rewritten)\(vanished > 0 ? "" : files) \(rewritten == 1 ? "holds" : "hold") another photo now"
                : nil,
        ]
        let counts = parts.compactMap(\.self).joined(separator: " and ")
        switch reason {
        case .manyVanished, .manyRewritten: return "In the folder, \(counts)."
        case .restoredFolder: return "The folder looks like an older copy of itself: \(counts)."
        case .directoryGone: return "In the folder, \(counts): all photos of a directory."
        case .unexplained:
            return "In the folder, \(counts); that happened while the agent did not run, or where it cannot see all, "
                + "or an empty file is left."
        }
    }
}
