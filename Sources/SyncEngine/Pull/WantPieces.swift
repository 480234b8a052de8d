import AlbumModel

/// Which pieces of a wanted blob are here, and which are on their way.
struct WantPieces: Sendable {
    /// One flag a piece; empty before the blob began to be received.
    private(set) var isHeld: [Bool] = []
    private(set) var heldCount = 0
    /// Requests on their way, by piece.
    private(set) var asked: [Int: [UInt32]] = [:]
    /// When the blob began to be received.
    private(set) var began: MonotonicInstant?
    /// No piece below this is neither held nor asked.
    private var firstOpen = 0

    /// Whether all that the blob was begun with is here.
    var isWhole: Bool { heldCount == isHeld.count }

    /// Whether all that is not here is asked for.
    var areAllAsked: Bool { heldCount + asked.count == isHeld.count }

    mutating func begin(held: [Bool], now: MonotonicInstant) {
        began = now
        isHeld = held
        heldCount = held.count { $0 }
        firstOpen = 0
    }

    /// What is here was of another blob than the one that is tried now.
    mutating func discard() {
        isHeld = []
        heldCount = 0
        firstOpen = 0
    }

    /// - Returns: false where the piece was here before.
    mutating func hold(_ piece: Int) -> Bool {
        guard !isHeld[piece] else { return false }
        isHeld[piece] = true
        heldCount += 1
        return true
    }

    // MARK: Requests

    mutating func ask(_ piece: Int, _ number: UInt32) { asked[piece, default: []].append(number) }

    /// A request ended without its piece.
    mutating func reopen(_ piece: Int, request: UInt32) {
        asked[piece]?.removeAll { $0 == request }
        if asked[piece]?.isEmpty == true {
            asked[piece] = nil
            firstOpen = min(firstOpen, piece)
        }
    }

    /// Requests for a piece, none of which is needed any longer.
    mutating func takeAsked(_ piece: Int) -> [UInt32] { asked.removeValue(forKey: piece) ?? [] }

    /// All requests, ordered by piece; they are taken back.
    mutating func takeAsked() -> [UInt32] {
        defer {
            asked.removeAll()
            firstOpen = 0
        }
        return asked.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// Up to `count` pieces that are neither here nor on their way, in order.
    mutating func open(_ count: Int) -> [Int] {
        var pieces: [Int] = []
        var piece = firstOpen
        while piece < isHeld.count, pieces.count < count {
            if !isHeld[piece], asked[piece] == nil { pieces.append(piece) }
            piece += 1
        }
        firstOpen = pieces.first ?? isHeld.count
        return pieces
    }
}
