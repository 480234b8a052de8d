/// Samples of one name, as Prometheus collects them.
public struct MetricFamily: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// Only rises while the process runs.
        case counter
        case gauge
    }

    public struct Label: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public struct Sample: Hashable, Sendable {
        public var labels: [Label]
        public var value: MetricValue

        public init(_ value: MetricValue, _ labels: Label...) {
            self.value = value
            self.labels = labels
        }
    }

    /// Matches `[a-zA-Z_:][a-zA-Z0-9_:]*`; of a counter it ends with `_total`.
    public var name: String
    public var kind: Kind
    /// One sentence.
    public var help: String
    /// In the order in which they are written.
    public var samples: [Sample]

    public init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }
}

/// A sample's number.
public enum MetricValue: Hashable, Sendable {
    /// Written with all its digits; Prometheus reads it as a double, exact up to 2⁵³.
    case count(UInt64)
    case number(Double)

    /// A count that is never negative.
    public static func count(_ number: Int) -> MetricValue { .count(UInt64(clamping: number)) }

    /// 1 or 0.
    public static func flag(_ isSet: Bool) -> MetricValue { .count(isSet ? 1 : 0) }
}
