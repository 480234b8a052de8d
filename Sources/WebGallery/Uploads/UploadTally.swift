/// Bytes of guests' files that came whole, by guest and hour, for a day: at most 25 entries of each guest.
///
/// All of an hour counts until a day after its end, so that no 24 hours have more than is allowed.
struct UploadTally: Codable, Hashable, Sendable {
    struct Entry: Codable, Hashable, Sendable {
        var holder: SessionStore.Holder
        /// Hours since 1970.
        var hour: Int64
        var byteCount: UInt64
    }

    private static let hourLength: Int64 = 3_600_000
    private static let hourCount: Int64 = 24

    private var entries: [Entry] = []

    /// - Parameter now: Milliseconds since 1970.
    mutating func add(_ byteCount: UInt64, of holder: SessionStore.Holder, now: Int64) {
        let hour = now / Self.hourLength
        entries.removeAll { !Self.counts($0, now: now) }
        if let index = entries.firstIndex(where: { $0.holder == holder && $0.hour == hour }) {
            entries[index].byteCount += byteCount
        } else {
            entries.append(Entry(holder: holder, hour: hour, byteCount: byteCount))
        }
    }

    /// A clock that was set back leaves entries of hours to come, which count for a day, too, and no longer.
    private static func counts(_ entry: Entry, now: Int64) -> Bool {
        abs(entry.hour - now / hourLength) <= hourCount
    }

    /// How long to wait until so many bytes more are within a bound.
    ///
    /// - Parameters:
    ///   - holder: `nil` for all guests.
    ///   - open: Bytes that unfinished uploads are to have in the end.
    /// - Returns: Milliseconds; 0 where they are within it now, a day where no time alone will do.
    func wait(
        for byteCount: UInt64, besides open: UInt64, of holder: SessionStore.Holder?, max: UInt64, now: Int64
    ) -> Int64 {
        let own = entries.filter { Self.counts($0, now: now) && (holder == nil || $0.holder == holder) }
            .sorted { $0.hour < $1.hour }
        var sum = own.reduce(open + byteCount) { $0 + $1.byteCount }
        if sum <= max { return 0 }
        for entry in own {
            sum -= entry.byteCount
            if sum <= max { return (entry.hour + Self.hourCount + 1) * Self.hourLength - now }
        }
        return Self.hourCount * Self.hourLength
    }
}
