public import AlbumModel
import WireFormat

/// What goes first on its way: the newest photos, and a single one before those of an import.
extension Engine {
    /// When a photo counts as added, by the second: those of one second spread best together, the small first. One of an
    /// import counts as older than it is: else each of its photos would overtake a single one that somebody added a
    /// moment before. By the second they would be too many for one that follows at once.
    func urgency(of mentions: BlobMentions) -> ClockReading {
        guard mentions.blobClass == .original, let dot = mentions.dots.first,
            presence.own.isImported(dot, limits: limits)
        else { return ClockReading(microseconds: mentions.order.microseconds / 1_000_000 * 1_000_000) }
        return mentions.order.earlier(by: limits.importLag)
    }

    /// Somebody looks at a photo now whose bytes are not here: it goes first, as one does that was added this moment.
    mutating func hasten(_ blob: BlobID) { scheduler.hasten(blob, ClockReading(microseconds: wall)) }

    /// Which answers to a peer go first: those with more. Photos that were added within the same ten seconds do not
    /// overtake each other: a whole piece can be passed on sooner than two halves.
    public func precedence(of blob: BlobID) -> UInt64 { precedence(of: urgency(of: catalog.mentions(of: blob))) }

    func precedence(of urgency: ClockReading) -> UInt64 {
        urgency.microseconds / UInt64(limits.precedenceInterval * 1e6)
    }
}

extension ClockReading {
    func earlier(by seconds: Double) -> ClockReading {
        ClockReading(microseconds: microseconds - min(microseconds, UInt64(seconds * 1e6)))
    }

    /// 0 where `other` is later.
    func seconds(since other: ClockReading) -> Double {
        Double(microseconds - min(microseconds, other.microseconds)) / 1e6
    }
}
