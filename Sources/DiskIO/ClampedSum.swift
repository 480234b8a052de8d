extension Sequence<UInt64> {
    /// Their sum, or the largest number where it is more: two sparse files can have sizes that no number holds together.
    public var clampedSum: UInt64 {
        reduce(0) { sum, next in
            let (total, isTooLarge) = sum.addingReportingOverflow(next)
            return isTooLarge ? .max : total
        }
    }
}
