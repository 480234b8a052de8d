/// A value that anyone may set: keeps all values that were written without knowledge of each other.
///
/// Every write names the dots that it replaces, so the outcome does not depend on the order of arrival.
public struct Register<Value: Hashable & Sendable>: Hashable, Sendable {
    public struct Write: Hashable, Sendable {
        public var dot: Dot
        public var clock: ClockReading
        public var value: Value

        /// Which of two concurrent writes is shown: the later one by (clock, dot).
        func isShown(before other: Write) -> Bool {
            ((clock, dot) > (other.clock, other.dot)) != PlantedFault.isPlanted(.registerShowsEarliest)
        }
    }

    /// The writes that no other replaced, in the order of their dots.
    public private(set) var writes: [Write] = []
    /// Dots that some write replaced, whether or not they have arrived.
    private var replaced: Set<Dot> = []

    public init() {}

    public mutating func write(_ value: Value, dot: Dot, clock: ClockReading, replaces: [Dot]) {
        for other in replaces where other != dot {
            writes.removeAll { $0.dot == other }
            replaced.insert(other)
        }
        guard !replaced.contains(dot), !writes.contains(where: { $0.dot == dot }) else { return }
        let index = writes.firstIndex { dot < $0.dot } ?? writes.endIndex
        writes.insert(Write(dot: dot, clock: clock, value: value), at: index)
    }

    /// The one that is shown; the others are its alternatives.
    public var shown: Write? {
        writes.reduce(nil) { best, write in
            guard let best else { return write }
            return write.isShown(before: best) ? write : best
        }
    }

    /// What a new write has to name: everything that is known now.
    public var currentDots: [Dot] { writes.map(\.dot) }
}
