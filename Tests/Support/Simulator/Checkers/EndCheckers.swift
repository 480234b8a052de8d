/// What must be true once everything is healed and has had its time.
enum EndCheckers {
    static func checkAll(_ simulation: Simulation) throws(SimulationFailure) {
        try EqualDigests.check(simulation)
        try NothingBeyondCuts.check(simulation)
        try NoneLost.check(simulation)
        try NoneResurrected.check(simulation)
        try SetAlgebra.check(simulation)
        try WordAlgebra.check(simulation)
        try RegisterAlgebra.check(simulation)
        try SignedJournals.check(simulation)
        try FoldOrder.check(simulation)
        try simulation.watch.sequences.check(simulation)
        try simulation.watch.served.check(simulation)
        try WholeBlobs.check(simulation)
        try ServedWants.check(simulation)
        try CountedCopies.check(simulation)
        try EqualRulings.check(simulation)
        try AllInForce.check(simulation)
        try NoneCutOff.check(simulation)
        try RollOrder.check(simulation)
        try simulation.watch.leftOut.check(simulation)
        try simulation.watch.outsider.check(simulation)
        try simulation.watch.traffic.check(simulation)
    }
}
