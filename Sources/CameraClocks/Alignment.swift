/// Shifts under which the cameras of one album fall in with each other.
///
/// Each camera is compared with all others at once, as far as they are aligned already: what many photographed together
/// stands out of the sum where it would not between any two. All shifts are of one common time, so there are no circles
/// of pairs that could contradict each other. Equal bodies give equal alignments.
struct Alignment {
    struct Fit {
        /// Seconds to add to the camera's clock.
        var shift: Int
        /// Whether GPS gave the first shift: then the camera is worth comparing with, whatever it shares with others.
        let isTimed: Bool
        /// The middle of the shifts that were looked at: 0 but for a clock whose date is wrong.
        var centre = 0
        /// `nil` where there are too few photos to compare.
        var finding: LagFinding?

        /// Whether the moments that the camera shares with others clearly call for another shift.
        var isElsewhere: Bool {
            guard let finding, finding.isClear else { return false }
            return abs(finding.seconds - shift) > Int(ClockLimits.toleranceSeconds)
        }

        /// Whether they say that the shift is right.
        var isAligned: Bool {
            guard let finding, finding.isClear else { return false }
            return abs(finding.seconds - shift) <= Int(ClockLimits.toleranceSeconds)
        }

        /// Whether the camera may be believed to call for `pin` although the others put it elsewhere: then all of them
        /// made one mistake, which takes a likely one and a camera that clearly belongs to them.
        func mayBe(_ pin: Int) -> Bool {
            guard abs(shift - pin) > Int(ClockLimits.toleranceSeconds) else { return true }
            return ClockFault.expectation(shift - pin) == .usual && finding?.isBeyondDoubt == true
        }
    }

    let bodies: [Body]
    private(set) var fits: [Fit]
    /// Those that agree at the end.
    private var agreeing: Activity

    /// - Parameter timed: the shifts that GPS calls for, where it does.
    init(_ bodies: [Body], timed: [Int?]) {
        self.bodies = bodies
        fits = timed.map { Fit(shift: $0 ?? 0, isTimed: $0 != nil) }
        agreeing = Activity(around: [])
        moveUntilSettled()
        if moveFar() { moveUntilSettled() }
        for _ in 0..<2 { refine() }
        agreeing = activity()
    }

    /// Whether others may be compared with it.
    func isAgreeing(_ index: Int) -> Bool { fits[index].isTimed || fits[index].isAligned }

    /// When a camera's shots were, by its shifted clock.
    func times(_ index: Int) -> [Int] { bodies[index].shots.map { $0.second + fits[index].shift } }

    // MARK: Moving

    private mutating func moveUntilSettled() {
        var count = 0
        while moveNear(), count < ClockLimits.roundCountMax { count += 1 }
    }

    /// One round over all cameras, the clearest case first: it helps the next one.
    ///
    /// - Returns: whether any was moved.
    private mutating func moveNear() -> Bool {
        var everybody = activity()
        for index in bodies.indices { fits[index].finding = finding(index, in: everybody) }
        let waiting = bodies.indices.filter { fits[$0].isElsewhere }.sorted {
            (fits[$1].finding?.clarity ?? 0, $0) < (fits[$0].finding?.clarity ?? 0, $1)
        }
        var hasMoved = false
        for index in waiting {
            if hasMoved { fits[index].finding = finding(index, in: everybody) }
            guard fits[index].isElsewhere, let found = fits[index].finding else { continue }
            fits[index].shift = found.seconds
            hasMoved = true
            everybody = activity()
        }
        return hasMoved
    }

    /// Looks for wrong dates of those that nothing near explains.
    private mutating func moveFar() -> Bool {
        var everybody = activity()
        var hasMoved = false
        for index in bodies.indices where !fits[index].isTimed && !fits[index].isAligned {
            guard let found = finding(index, in: everybody, isFar: true), found.isClear else { continue }
            fits[index].shift = found.seconds
            fits[index].centre = found.seconds
            fits[index].finding = found
            hasMoved = true
            everybody = activity()
        }
        return hasMoved
    }

    /// Moves each to the middle of what it shares with the others: to seconds, where the comparison knows cells.
    private mutating func refine() {
        for index in bodies.indices where fits[index].isAligned {
            let others = bodies.indices.filter { $0 != index && isAgreeing($0) }
                .flatMap { times($0) }.sorted()
            fits[index].shift += Matching.drift(times(index), to: others)
        }
    }

    // MARK: Comparing one camera with the others

    /// How busy those cameras were that are known to agree, each by its shifted clock; all cameras where too few are.
    private func activity() -> Activity {
        var members = bodies.indices.filter { isAgreeing($0) }
        if members.count < Self.memberCountMin { members = Array(bodies.indices) }
        let shifted = members.lazy.flatMap { [bodies, fits] index in
            bodies[index].shots.lazy.map { $0.second + fits[index].shift }
        }
        var activity = Activity(around: shifted)
        for index in members { activity.add(index, bodies[index].shots, shift: fits[index].shift) }
        return activity
    }

    private static let memberCountMin = 3

    private func finding(_ index: Int, in everybody: Activity, isFar: Bool = false) -> LagFinding? {
        let centre = fits[index].centre
        let shots = bodies[index].shots.map { $0.shifted(by: centre) }
        guard shots.count >= ClockLimits.shotCountMin else { return nil }
        let others = everybody.without(index, bodies[index].shots)
        let odds = others.odds()
        var answers = LagScores(shots, against: odds, of: others, reach: ClockLimits.nearLagCells).answers()
        if isFar {
            answers += FarSearch(shots, against: odds, of: others).answers
            answers.sort { ($0.score, $1.lag) > ($1.score, $0.lag) }
        }
        return LagFinding(answers, centre: centre)
    }

    /// What the agreeing cameras but one say.
    func others(than index: Int) -> (activity: Activity, odds: [Float]) {
        let others = agreeing.without(index, bodies[index].shots)
        return (others, others.odds())
    }
}
