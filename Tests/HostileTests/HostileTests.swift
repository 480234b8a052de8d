import TestSupport
import Testing

/// Whole agents, attacked by a client of its own.
///
/// Three laptops of one gathering stand in a row; the one in the middle is attacked, by members that keep to no rule and
/// by strangers. Meanwhile photos are dropped at both ends, and everybody is pinged. ``Promise`` says what must hold.
///
/// `POTLUCK_BINARY` names the agent. All waits have limits of their own, which say what was missing; the limit of a test
/// is for one that hangs.
@Suite(
    "Hostile", .serialized, .enabled(if: PotluckProgram.path != nil, "there is no potluck to attack"),
    .timeLimit(.minutes(3)))
struct HostileTests {}

/// What others are promised while one laptop is attacked, and that laptop too.
enum Promise {
    /// The most memory that an agent ever has, in bytes.
    static let memoryByteCountMax = 300_000_000
    /// How long a photo takes from one end of the row to the other, and a ping, in the median …
    static let usualDelay = Duration.seconds(1)
    /// … and at worst: three agents, their readers of photos and an attacker that is built without optimisation share two
    /// cores. What freezes an agent takes much longer.
    static let delayMax = Duration.seconds(5)
    /// How long a photo takes past a holder that does not answer: as long as one is waited for, and what a photo takes
    /// at worst, since each is looked at by itself.
    static let silenceMax = Duration.seconds(20) + delayMax
    /// How long the next start takes.
    static let startMax = Duration.seconds(5)
    /// How long what was signed may take to every laptop.
    static let arrivalMax = Duration.seconds(30)
}

/// How large attacks are.
enum Scale {
    /// An agent that is built without optimisation is to be attacked by less: it is slower by so much.
    private static let divisor = PotluckProgram.path?.contains("/debug/") == true ? 10 : 1

    /// So many, of an agent that is built for release.
    static func full(_ count: Int) -> Int { max(1, count / divisor) }
}
