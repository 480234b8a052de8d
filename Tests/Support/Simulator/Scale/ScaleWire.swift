import AlbumModel
import SyncEngine
import WireFormat

/// A connection; both engines know it by its index.
struct ScaleWire {
    /// Who dialled, and who was dialled.
    let ends: (Int, Int)
    /// Whether each end still believes in it.
    var isOpen = (true, true)
    /// When the last message that each end sent arrives: none overtakes another.
    var lastArrival: (MonotonicInstant, MonotonicInstant)
    /// Pieces that each end is to send and has not begun, from `start` on.
    var pieces: ([ScalePiece], [ScalePiece]) = ([], [])

    func other(than device: Int) -> Int { ends.0 == device ? ends.1 : ends.0 }

    func isOpen(at device: Int) -> Bool { ends.0 == device ? isOpen.0 : isOpen.1 }

    mutating func close(at device: Int) {
        if ends.0 == device { isOpen.0 = false } else { isOpen.1 = false }
    }

    /// When a message that is sent now arrives.
    mutating func arrival(from device: Int, _ soonest: MonotonicInstant) -> MonotonicInstant {
        if ends.0 == device {
            lastArrival.0 = max(lastArrival.0, soonest)
            return lastArrival.0
        }
        lastArrival.1 = max(lastArrival.1, soonest)
        return lastArrival.1
    }

    mutating func append(_ piece: ScalePiece, from device: Int) {
        if ends.0 == device { pieces.0.append(piece) } else { pieces.1.append(piece) }
    }

    mutating func takeFirst(from device: Int) -> ScalePiece? {
        if ends.0 == device { return pieces.0.isEmpty ? nil : pieces.0.removeFirst() }
        return pieces.1.isEmpty ? nil : pieces.1.removeFirst()
    }

    mutating func cancel(_ number: UInt32, from device: Int) {
        if ends.0 == device {
            pieces.0.removeAll { $0.number == number }
        } else {
            pieces.1.removeAll { $0.number == number }
        }
    }
}

/// A piece on its way.
struct ScalePiece {
    var number: UInt32
    var byteCount: Int
}

/// One device's cable, in either direction a queue: what is sent over one link is not sent over another.
struct ScaleCable {
    /// Wires with pieces to send, the next first: they take turns, as connections on one cable do.
    var turns: [Int] = []
    var isSending = false
    /// Until when what arrives keeps the way in busy.
    var receivesUntil = MonotonicInstant(nanoseconds: 0)
    /// Bytes of pieces that left.
    var sentByteCount = 0
    /// Pieces that arrived.
    var receivedPieceCount = 0
}
