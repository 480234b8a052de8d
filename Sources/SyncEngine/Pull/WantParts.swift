import AlbumModel
import WireFormat

/// What peers that pull a blob themselves can serve of it, and what is on its way to them.
struct WantParts: Sendable {
    /// One flag a piece, of each peer that has any.
    private var parts: [LinkID: [Bool]] = [:]
    /// What those peers have asked somebody for, and when they said so.
    private var coming: [LinkID: (pieces: [Bool], since: MonotonicInstant)] = [:]
    /// What they would not promise, or did not bring in time.
    private var refusedAhead: [LinkID: Set<Int>] = [:]
    /// How many peers have each piece; empty without any.
    private var pieceCopies: [Int] = []

    var isEmpty: Bool { parts.isEmpty }

    /// Links whose peers have some of it.
    var links: some Collection<LinkID> { parts.keys }

    subscript(link: LinkID) -> [Bool]? { parts[link] }

    /// How many can serve a piece.
    func copies(of piece: Int) -> Int { pieceCopies.isEmpty ? 0 : pieceCopies[piece] }

    // MARK: What is on its way to them

    var isAnyComing: Bool { !coming.isEmpty }

    /// When each peer last said what it has asked for.
    var comingTimes: [MonotonicInstant] { coming.values.map(\.since) }

    /// When a peer last said that it has asked somebody for a piece; `nil` if none did.
    func comingSince(_ piece: Int) -> MonotonicInstant? {
        coming.values.compactMap { $0.pieces[piece] ? $0.since : nil }.max()
    }

    /// Links whose peers await a piece and may be asked for it ahead.
    func awaiting(_ piece: Int) -> [LinkID] {
        coming.keys.filter { coming[$0]!.pieces[piece] && refusedAhead[$0]?.contains(piece) != true }
    }

    mutating func isNotAskedAhead(_ piece: Int, _ link: LinkID) { refusedAhead[link, default: []].insert(piece) }

    // MARK: What they say

    /// Takes note of what a peer said.
    ///
    /// - Parameter pieceCount: of the claim that is tried. What does not fit it is passed over.
    mutating func set(_ link: LinkID, _ part: PartHeld, pieceCount: Int, now: MonotonicInstant) {
        set(link, part.pieces, pieceCount: pieceCount)
        coming[link] = part.coming.count == pieceCount ? (part.coming, now) : nil
    }

    /// The peer no longer serves parts.
    mutating func remove(_ link: LinkID) {
        refusedAhead[link] = nil
        set(link, [], pieceCount: 0)
    }

    private mutating func set(_ link: LinkID, _ pieces: [Bool], pieceCount: Int) {
        coming[link] = nil
        if let old = parts.removeValue(forKey: link) {
            for piece in old.indices where old[piece] { pieceCopies[piece] -= 1 }
        }
        if pieces.count == pieceCount, pieces.contains(true) {
            if pieceCopies.isEmpty { pieceCopies = [Int](repeating: 0, count: pieceCount) }
            for piece in pieces.indices where pieces[piece] { pieceCopies[piece] += 1 }
            parts[link] = pieces
        }
        if parts.isEmpty { pieceCopies = [] }
    }
}
