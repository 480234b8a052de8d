/// Looks for the simplest options with which a run still fails.
public enum Shrinking {
    /// - Returns: the smallest failing options that were found; `nil` if the run does not fail.
    public static func shrink<Options: RunOptions>(_ options: Options) -> (Options, SimulationFailure)? {
        guard var failure = options.run().failure else { return nil }
        var least = options
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in least.simpler {
                guard let other = candidate.run().failure, other.property == failure.property else { continue }
                (least, failure, isSmaller) = (candidate, other, true)
                break
            }
        }
        return (least, failure)
    }
}
