import AlbumModel
import PotluckAPI
import SyncEngine

/// What is wrong with the home, its agent and its settings.
enum HomeRules {
    static func findings(_ seen: Observations) -> [Finding] {
        [
            gathering(seen), agent(seen), port(seen), clock(seen.clock), phrase(seen.home),
            earlierVersions(seen.home.earlierVersions),
        ].compactMap { $0 }
    }

    private static func gathering(_ seen: Observations) -> Finding? {
        if let obstacle = seen.home.obstacle {
            return Finding(.homeUnusable, obstacle, advice: ["`potluck verify` says more."])
        }
        guard !seen.home.hasGathering else { return nil }
        return Finding(
            .noGathering, "This laptop is in no gathering yet.",
            advice: [
                "Join one with its phrase: `potluck join PHRASE`; `potluck invite` on another laptop shows it.",
                "Or start one: `potluck host NAME`.",
            ])
    }

    private static func agent(_ seen: Observations) -> Finding? {
        switch seen.agent {
        case .running: nil
        case .stopped:
            Finding(
                .agentStopped, "No agent runs on this laptop, so nothing is shared and nobody finds it.",
                advice: ["potluck up"])
        case .silent(let reason):
            Finding(
                .agentSilent, "The agent of this laptop gives no answer: \(reason)",
                advice: ["Stop it (`potluck down`, or end its process), then start it again with `potluck up`."])
        }
    }

    private static func phrase(_ home: Observations.HomeSight) -> Finding? {
        let ask = "Ask for the new phrase (`potluck invite` on another laptop), then: `potluck join PHRASE`."
        switch home.phraseTrouble {
        case .out:
            return Finding(
                .putOut, "Another laptop says that this one was put out of the gathering.",
                advice: [
                    "Have a host let this laptop in: `potluck let-in` there, with its name.",
                    "Or ask for the new phrase, and make a new home with it: `potluck join PHRASE --home DIR`.",
                ])
        case .changed:
            return Finding(.phraseChanged, "Another laptop says that the phrase has changed.", advice: [ask])
        case .behind:
            return Finding(
                .behind, "The phrase has changed; this laptop gets it from the next one that has it.",
                advice: ["Have a laptop that has the new phrase run near this one.", ask])
        case nil: return nil
        }
    }

    private static func earlierVersions(_ names: [String]) -> Finding? {
        guard !names.isEmpty else { return nil }
        return Finding(
            .earlierVersion,
            "\(names.sentenceList): an earlier version runs there, which the new phrase does not reach.",
            advice: ["Update Potluck there."])
    }

    private static func port(_ seen: Observations) -> Finding? {
        guard let port = seen.port else { return nil }
        let number = port.address.port
        let another = "Or choose another port: `listen` in potluck.toml, or `potluck up --listen :PORT`."
        switch port.outcome {
        case .free: return nil
        case .taken:
            return Finding(
                .portTaken, "Another program has port \(number), so the agent of this laptop cannot start.",
                advice: ["`ss -ltnp sport = :\(number)` shows which; end it.", another])
        case .forbidden:
            return Finding(
                .portTaken, "Port \(number) may be used by root only, so the agent of this laptop cannot start.",
                advice: ["Choose a port from 1024 on: `listen` in potluck.toml, or `potluck up --listen :PORT`."])
        case .foreignAddress:
            return Finding(
                .portTaken,
                "The agent is to take connections at \(port.address.host), which is no address of this laptop now.",
                advice: ["Name the port alone: `listen = \":\(number)\"` in potluck.toml, or `--listen :\(number)`."])
        }
    }

    // MARK: Clock

    private static let dayMilliseconds: Int64 = 86_400_000
    /// No program is in use for longer.
    private static let lifeOfProgram = 20 * 365 * dayMilliseconds

    private static func clock(_ clock: Observations.ClockSight) -> Finding? {
        let shown = Instant(millisecondsSince1970: clock.now).dateText
        let advice = [
            "Set it: `timedatectl set-ntp true`, or `sudo timedatectl set-time 'YEAR-MONTH-DAY HOUR:MINUTE'`."
        ]
        let consequence = "Photos that are added now get a wrong place in time."
        if let made = clock.programMade, clock.now + dayMilliseconds < made {
            let date = Instant(millisecondsSince1970: made).dateText
            return Finding(
                .clock,
                "The clock of this laptop is wrong: it shows \(shown), and Potluck is of \(date). \(consequence)",
                advice: advice)
        }
        if let remembered = clock.remembered, clock.now + dayMilliseconds < remembered {
            let date = Instant(millisecondsSince1970: remembered).dateText
            return Finding(
                .clock,
                "The clock of this laptop went back: it shows \(shown), and showed \(date) before. \(consequence)",
                advice: advice)
        }
        if let made = clock.programMade, clock.now > made + lifeOfProgram {
            return Finding(
                .clock, "The clock of this laptop is years ahead: it shows \(shown). \(consequence)", advice: advice)
        }
        return nil
    }
}
