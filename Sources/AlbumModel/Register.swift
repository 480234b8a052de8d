/// A value that anyone may set: keeps all values that were written without knowledge of each other.
///
/// Every write names the dots that it replaces, so the outcome does not depend on the order of arrival.
public struct Register<Value: ManifestValue>: Hashable, Sendable {
    public struct Write: TimedElement {
        public var dot: Dot
        public var clock: ClockReading
        public var value: Value

        public var group: Never? { nil }

        /// Which of two concurrent writes is shown: the later one by (clock, dot).
        func isShown(before other: Write) -> Bool {
            ((clock, dot) > (other.clock, other.dot)) != PlantedFault.isPlanted(.registerShowsEarliest)
        }

        public func update(_ hasher: inout ManifestHasher) {
            hasher.update(dot)
            hasher.update(clock.microseconds)
            value.updateManifest(&hasher)
        }
    }

    /// The writes that no other replaced, the first in time first.
    public private(set) var writes = TimedSet<Write>()
    /// Dots that some write replaced, whether or not they have arrived. Of what was replaced nothing else is kept.
    private var replaced: Set<Dot> = []

    public init() {}

    public mutating func write(_ value: Value, dot: Dot, clock: ClockReading, replaces: [Dot]) {
        for other in replaces where other != dot {
            writes.remove(other)
            replaced.insert(other)
        }
        if !replaced.contains(dot) { writes.insert(Write(dot: dot, clock: clock, value: value)) }
    }

    /// The one that is shown; the others are its alternatives.
    public var shown: Write? { PlantedFault.isPlanted(.registerShowsEarliest) ? writes.first : writes.last }

    /// What a new write has to name, ordered: everything that is known now. Of more than one change may name the latest,
    /// among which is the one that is shown; the others are named by the next write.
    public var currentDots: [Dot] { writes.latest(CatalogLimits.dotCountMax).map(\.dot).sorted() }

    /// Writes that were made at once and differ, each value once, the shown one first and the latest before the others.
    /// Of many the latest are looked at (``CatalogLimits/comparedWriteCountMax``) and some listed
    /// (``CatalogLimits/alternativeCountMax``).
    public var alternatives: [Write] {
        let countMax = CatalogLimits.comparedWriteCountMax
        let showsEarliest = PlantedFault.isPlanted(.registerShowsEarliest)
        let compared = showsEarliest ? Array(writes.prefix(countMax)) : writes.latest(countMax)
        var seen: Set<Value> = []
        return Array(compared.filter { seen.insert($0.value).inserted }.prefix(CatalogLimits.alternativeCountMax))
    }

    /// The values of ``alternatives``.
    public var distinctValues: [Value] { alternatives.map(\.value) }
}
