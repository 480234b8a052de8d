extension Sequence<UInt64> {
    /// Their sum, or the largest number where it is more: two sparse files can have sizes that no number holds together.
    public var clampedSum: UInt64 {
        reduce(0) { sum, next in
            let (total, isTooLarge) = sum.addingReportingOverflow(next)
            return isTooLarge ? .max : total
        }
    }
}

extension UInt64 {
    /// The product, or the largest number where it is more: file systems of other machines give whatever numbers they like.
    public func clampedProduct(_ other: UInt64) -> UInt64 {
        let (product, isTooLarge) = multipliedReportingOverflow(by: other)
        return isTooLarge ? .max : product
    }
}
