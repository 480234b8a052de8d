import Glibc

/// The seeds that a randomised test runs with.
public enum TestSeeds {
    /// Decimal numbers with spaces between; replaces all seeds of all randomised tests.
    public static let variable = "POTLUCK_SEEDS"

    /// The pinned ones and, unless told otherwise, a fresh one; or those of ``variable``, to see one again that failed.
    public static func all(pinned: [UInt64], hasFresh: Bool = true) -> [UInt64] {
        if let text = getenv(variable).map({ String(cString: $0) }) {
            let seeds = text.split(separator: " ").compactMap { UInt64($0) }
            if !seeds.isEmpty { return seeds }
        }
        return hasFresh ? pinned + [UInt64.random(in: 100...(.max))] : pinned
    }
}
