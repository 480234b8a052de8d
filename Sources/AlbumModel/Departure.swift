/// The last withdrawal of an add of a photo: who took it from its album, and what it was.
///
/// A function of the set of changes like everything that is folded: of several withdrawals the latest by (clock, dot)
/// counts, and of the adds that were withdrawn likewise the latest.
public struct Departure: Hashable, Sendable {
    /// The device that withdrew it.
    public internal(set) var author: DeviceID
    /// As the device's clock had it.
    public internal(set) var clock: ClockReading
    public internal(set) var dot: Dot
    /// What was said of the photo; `nil` while only the withdrawal has arrived.
    public internal(set) var add: Photo.Add?
}

extension Departure {
    /// Takes in one more withdrawal, of what is known of its adds.
    mutating func follow(_ other: Departure) {
        let isLater = (other.clock, other.dot) > (clock, dot)
        if isLater != PlantedFault.isPlanted(.departureKeepsEarliest) {
            (author, clock, dot) = (other.author, other.clock, other.dot)
        }
        if let add = other.add { keep(add) }
    }

    mutating func keep(_ other: Photo.Add) {
        guard let known = add else {
            add = other
            return
        }
        if (other.clock, other.dot) > (known.clock, known.dot) { add = other }
    }
}
