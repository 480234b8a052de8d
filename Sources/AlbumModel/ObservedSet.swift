/// A set that many add to and take from at once. A removal names the adds that its author knew, so an add that was made
/// meanwhile stays; and either may arrive before the other.
struct ObservedSet<Add: TimedElement>: Hashable, Sendable {
    /// Adds that were not withdrawn.
    private(set) var adds = TimedSet<Add>()
    /// Withdrawn dots, and whether their adds have arrived.
    private var withdrawn: [Dot: Bool] = [:]

    /// The adds that arrived and are withdrawn, in no order.
    var withdrawnDots: some Sequence<Dot> { withdrawn.lazy.filter(\.value).map(\.key) }

    /// Whether ``withdrawnDots`` has any.
    var hasWithdrawnDots: Bool { withdrawn.values.contains(true) }

    /// Whether an add arrived and is withdrawn.
    func isWithdrawn(_ dot: Dot) -> Bool { withdrawn[dot] == true }

    /// Whether an add is withdrawn, whether or not it arrived.
    func withdraws(_ dot: Dot) -> Bool { withdrawn[dot] != nil }

    /// - Returns: false where it is withdrawn.
    @discardableResult
    mutating func insert(_ add: Add) -> Bool {
        guard withdrawn[add.dot] == nil || PlantedFault.isPlanted(.earlyWithdrawalForgotten) else {
            withdrawn[add.dot] = true
            return false
        }
        adds.insert(add, isSorted: !PlantedFault.isPlanted(.addsInOrderOfArrival))
        return true
    }

    mutating func withdraw(_ dots: some Sequence<Dot>) {
        for dot in dots {
            let isArrived = adds.remove(dot) != nil
            withdrawn[dot] = isArrived || withdrawn[dot] == true
        }
    }
}
