import Glibc

/// How busy shutters were around every instant, beside how busy that time of day was.
///
/// Only hours near a photo are held, one after the other without the empty ones between. An hour next to a photo's is
/// held too, so nothing reaches from one stretch into the next.
struct Activity {
    /// Cells that follow each other without a gap: the first one's number, and where it stands in the tables.
    struct Stretch {
        var firstCell: Int
        var offset: Int
        var count: Int
    }

    let stretches: [Stretch]
    /// The chance of a shutter release per cell, summed over all cameras.
    private(set) var rates: [Float]
    /// By how many seconds the clock of each camera in it was shifted.
    private var shifts: [Int: Int] = [:]

    /// A table of the hours around `seconds`, empty yet.
    init(around seconds: some Sequence<Int>) {
        let size = ClockLimits.chunkCellCount
        var chunks: Set<Int> = []
        for second in seconds {
            let chunk = Self.cell(second).floorDivided(by: size)
            chunks.formUnion([chunk - 1, chunk, chunk + 1])
        }
        var stretches: [Stretch] = []
        var offset = 0
        for chunk in chunks.sorted() {
            if let last = stretches.last, last.firstCell + last.count == chunk * size {
                stretches[stretches.count - 1].count += size
            } else {
                stretches.append(Stretch(firstCell: chunk * size, offset: offset, count: size))
            }
            offset += size
        }
        self.stretches = stretches
        rates = [Float](repeating: 0, count: offset)
    }

    static func cell(_ second: Int) -> Int { second.floorDivided(by: ClockLimits.cellSeconds) }

    /// Where a cell stands in the tables; `nil` in an hour without photos.
    func index(ofCell cell: Int) -> Int? {
        var low = 0
        var high = stretches.count
        while low < high {
            let middle = (low + high) / 2
            if stretches[middle].firstCell + stretches[middle].count <= cell { low = middle + 1 } else { high = middle }
        }
        guard low < stretches.count, stretches[low].firstCell <= cell else { return nil }
        return stretches[low].offset + cell - stretches[low].firstCell
    }

    /// Adds the shots of a camera. None may be added twice.
    mutating func add(_ member: Int, _ shots: [Shot], shift: Int) {
        shifts[member] = shift
        spread(shots, shift: shift, sign: 1)
    }

    /// The same without those of one camera, if they are in it.
    func without(_ member: Int, _ shots: [Shot]) -> Activity {
        guard let shift = shifts[member] else { return self }
        var others = self
        others.shifts[member] = nil
        others.spread(shots, shift: shift, sign: -1)
        return others
    }

    private mutating func spread(_ shots: [Shot], shift: Int, sign: Float) {
        let reach = Self.kernel.count - 1
        for shot in shots {
            guard let centre = index(ofCell: Self.cell(shot.second + shift)) else { continue }
            for step in -reach...reach { rates[centre + step] += sign * shot.weight * Self.kernel[abs(step)] }
        }
    }

    /// For each cell, by how much a photo there speaks for cameras that went off together, in natural logarithms of
    /// odds: log(a + (1 - a) · rate / usual rate), where a is ``ClockLimits/aloneShare``.
    ///
    /// Of a camera whose clock is wrong, photos fall anywhere in proportion to the usual rate; then the odds are 1 on
    /// average, so a sum of s over independent photos comes about by chance with a probability of e^-s at most.
    func odds() -> [Float] {
        let half = ClockLimits.busyCellCount
        let count = rates.count
        var odds = [Float](repeating: 0, count: count)
        var sum: Double = 0
        for cell in 0..<min(half, count) { sum += Double(rates[cell]) }
        let alone = ClockLimits.aloneShare
        let aloneOdds = logf(alone)
        for cell in 0..<count {
            if cell + half < count { sum += Double(rates[cell + half]) }
            if cell > half { sum -= Double(rates[cell - half - 1]) }
            let usual = Float(sum) / Float(2 * half + 1)
            guard usual > Self.rateMin else { continue }
            let rate = rates[cell]
            odds[cell] = rate < Self.rateMin ? aloneOdds : logf(alone + (1 - alone) * rate / usual)
        }
        return odds
    }

    /// What remains where a camera's own photos were taken away again.
    private static let rateMin: Float = 1e-5

    /// How far apart two people release the shutter for the same thing: half of them within a dozen seconds or so, half
    /// within a minute. Per cell, from the centre outwards; the cells of both sides add up to 1.
    static let kernel: [Float] = {
        let cells = 27
        func bell(_ deviation: Double, _ step: Int) -> Double {
            let seconds = Double(step * ClockLimits.cellSeconds)
            return exp(-seconds * seconds / (2 * deviation * deviation))
        }
        func normal(_ deviation: Double) -> [Double] {
            let values = (0...cells).map { bell(deviation, $0) }
            let sum = values[0] + 2 * values.dropFirst().reduce(0, +)
            return values.map { $0 / sum }
        }
        return zip(normal(12), normal(45)).map { Float(0.5 * $0 + 0.5 * $1) }
    }()
}
