import AlbumModel
import CameraClocks

/// A gathering as cameras see it: moments that many photograph, and photos that each takes alone.
///
/// Everything is drawn from one seed.
struct Party {
    var cameraCount = 10
    /// Of every camera, about; bursts counted with each of their photos.
    var photoCount = 60
    var dayCount = 1
    /// Things that happen for all to see, a day.
    var momentCount = 40
    /// The part of a camera's photos that show such a thing.
    var sharedShare = 0.6
    /// How many have a wrong clock: the first ones.
    var wrongCount = 2
    /// The last cameras state an offset, as phones do.
    var phoneCount = 0
    /// How long a moment lasts: the least and the greatest, seconds.
    var momentSeconds = 5.0...90.0
    /// Photos taken alone come in groups of up to so many, within some minutes.
    var aloneGroupMax = 4
    var seed: UInt64

    /// What is to be added to each camera's clock, in the order of the cameras.
    var errors: [Int] = []

    init(seed: UInt64) {
        self.seed = seed
    }

    /// 2024-06-15T10:00:00 by the clocks of the place.
    static let start = 1_718_445_600

    static func key(_ index: Int) -> CameraKey {
        let bytes = [UInt8](repeating: 0, count: 30) + [UInt8(index >> 8), UInt8(index & 255)]
        return CameraKey(contributor: DeviceID(bytes: bytes)!, make: "Acme", model: "Snap \(index % 7)", serial: "")
    }

    /// The errors that people's clocks have, each as likely: a few minutes, any amount, whole hours, half a day, a date
    /// that was never set.
    static func drawnError(_ dice: inout Dice) -> Int {
        switch dice.below(6) {
        case 0: (1 + dice.below(30)) * 60 * dice.sign() + dice.below(60)
        case 1: dice.sign() * (60 + dice.below(20 * 3600))
        case 2: 3600 * dice.sign()
        case 3: 3600 * dice.sign() * (1 + dice.below(9))
        case 4: 12 * 3600 * dice.sign()
        default: 8766 * 3600 * (1 + dice.below(20)) + dice.below(86_400)
        }
    }

    /// The samples, and what is to be added to each camera's clock.
    func samples() -> (samples: [ClockSample], errors: [Int]) {
        var dice = Dice(seed: seed)
        var errors = (0..<cameraCount).map { $0 < wrongCount ? Self.drawnError(&dice) : 0 }
        for (index, error) in self.errors.enumerated() { errors[index] = error }
        let moments = drawnMoments(&dice)
        var samples: [ClockSample] = []
        for camera in 0..<cameraCount {
            // A clock that nobody set wrong still runs a few seconds ahead or behind.
            let drift = dice.bell() * 3
            for time in shots(moments, &dice) {
                let local = Int64((time + drift - Double(errors[camera])) * 1000)
                // Most cameras write whole seconds.
                let stamp = (local / 1000) * 1000
                let offset: Int32? = camera >= cameraCount - phoneCount ? 120 : nil
                samples.append(
                    ClockSample(camera: Self.key(camera), localMilliseconds: stamp, offsetMinutes: offset))
            }
        }
        return (samples, errors)
    }

    private typealias Moment = (time: Double, seconds: Double, charm: Double)

    private func drawnMoments(_ dice: inout Dice) -> [Moment] {
        (0..<(momentCount * dayCount)).map { index in
            let day = Double(index % dayCount) * 86_400
            let time = Double(Self.start) + day + dice.unit() * 12 * 3600
            let width = momentSeconds.upperBound / momentSeconds.lowerBound
            return (time, momentSeconds.lowerBound * power(width, dice.unit()), 0.3 + 0.7 * dice.unit())
        }
    }

    private func shots(_ moments: [Moment], _ dice: inout Dice) -> [Double] {
        var shots: [Double] = []
        let wanted = Int(Double(photoCount) * sharedShare)
        let charm = moments.reduce(0) { $0 + $1.charm }
        // Two photos of a moment on average.
        for moment in moments where dice.unit() < min(0.95, Double(wanted) / 2 * moment.charm / charm) {
            var time = moment.time + (dice.unit() - 0.5) * moment.seconds + dice.bell() * 4
            for _ in 0..<(1 + dice.below(3)) {
                shots.append(time)
                time += 2 + dice.unit() * 12
            }
        }
        while shots.count < photoCount {
            var time = Double(Self.start + dice.below(dayCount) * 86_400) + dice.unit() * 12 * 3600
            for _ in 0..<(1 + dice.below(aloneGroupMax)) where shots.count < photoCount {
                shots.append(time)
                time += 3 + dice.unit() * dice.unit() * 180
            }
        }
        return shots
    }

    /// Without a library of functions: by halves of the exponent.
    private func power(_ base: Double, _ exponent: Double) -> Double {
        var (result, root, rest) = (1.0, base, exponent)
        for _ in 0..<30 {
            root = root.squareRoot()
            rest *= 2
            if rest >= 1 {
                result *= root
                rest -= 1
            }
        }
        return result
    }
}

/// SplitMix64: the same throws from the same seed everywhere.
struct Dice {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
        // Mixed once, so that the throws of one seed are not those of the next, one later.
        state = next()
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    mutating func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func below(_ bound: Int) -> Int { Int(unit() * Double(bound)) }
    mutating func sign() -> Int { next() & 1 == 0 ? 1 : -1 }

    /// About normal, of deviation 1.
    mutating func bell() -> Double { (0..<12).reduce(-6) { sum, _ in sum + unit() } }
}
