/// Looks for the fewest kinds of faults with which a run still fails.
public enum Shrinking {
    /// - Returns: the smallest failing options that were found; `nil` if the run does not fail.
    public static func shrink(_ options: SimulationOptions) -> (SimulationOptions, SimulationFailure)? {
        guard var failure = failure(options) else { return nil }
        var least = options
        var isSmaller = true
        while isSmaller {
            isSmaller = false
            for candidate in candidates(least) {
                guard let other = self.failure(candidate), other.property == failure.property else { continue }
                (least, failure, isSmaller) = (candidate, other, true)
                break
            }
        }
        return (least, failure)
    }

    /// How one run fails; `nil` if it does not.
    static func failure(_ options: SimulationOptions) -> SimulationFailure? {
        var simulation = Simulation(options: options)
        do throws(SimulationFailure) {
            try simulation.run()
            return nil
        } catch {
            return error
        }
    }

    /// Everything that is one step simpler.
    private static func candidates(_ options: SimulationOptions) -> [SimulationOptions] {
        var candidates: [SimulationOptions] = []
        func add(_ change: (inout SimulationOptions) -> Void) {
            var candidate = options
            change(&candidate)
            if candidate != options { candidates.append(candidate) }
        }
        for family in options.faults.keys.sorted() { add { $0.faults[family] = nil } }
        for lie in Lie.allCases { add { $0.lies.remove(lie) } }
        add { $0.hasFirstVersion = false }
        add { $0.hasTightSets = false }
        add { $0.bulkCount = 0 }
        add { $0.hasQuietEnd = false }
        add { $0.liarCount = 1 }
        if options.laptopCount > 2 { add { $0.laptopCount -= 1 } }
        if options.editCount > 1 { add { $0.editCount /= 2 } }
        if options.wordCount > 0 { add { $0.wordCount /= 2 } }
        return candidates
    }
}
