/// What one change added to a set.
protocol ObservedAdd: Hashable, Sendable {
    var dot: Dot { get }
    var clock: ClockReading { get }
}

/// A set that many add to and take from at once. A removal names the adds that its author knew, so an add that was made
/// meanwhile stays; and either may arrive before the other.
struct ObservedSet<Add: ObservedAdd>: Hashable, Sendable {
    /// Adds that were not withdrawn, the first in time first.
    private(set) var adds: [Add] = []
    /// Withdrawn dots, and whether their adds have arrived.
    private var withdrawn: [Dot: Bool] = [:]

    /// The adds that arrived and are withdrawn, in no order.
    var withdrawnDots: some Sequence<Dot> { withdrawn.lazy.filter(\.value).map(\.key) }

    /// - Returns: false where it is withdrawn.
    @discardableResult
    mutating func insert(_ add: Add) -> Bool {
        guard withdrawn[add.dot] == nil else {
            withdrawn[add.dot] = true
            return false
        }
        guard !adds.contains(where: { $0.dot == add.dot }) else { return true }
        let place = adds.firstIndex { (add.clock, add.dot) < ($0.clock, $0.dot) }
        let isSorted = !PlantedFault.isPlanted(.addsInOrderOfArrival)
        adds.insert(add, at: isSorted ? place ?? adds.endIndex : adds.endIndex)
        return true
    }

    mutating func withdraw(_ dots: [Dot]) {
        for dot in dots {
            let countBefore = adds.count
            adds.removeAll { $0.dot == dot }
            withdrawn[dot] = adds.count < countBefore || withdrawn[dot] == true
        }
    }
}
