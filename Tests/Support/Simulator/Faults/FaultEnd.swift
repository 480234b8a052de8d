import AlbumModel
import SyncEngine

/// A fault that lasts is over.
enum FaultEnd {
    case partition
    case oneWay(Reachability.Path)
    case diskFull(laptop: Int)
    case slowness(laptop: Int)
    case stall(connection: Int)
    case failedCommits(laptop: Int)
    case readErrors(laptop: Int)
    case terms(laptop: Int)
    case sleep(laptop: Int)
    /// What follows from another fault: an agent dies, is stopped, or is stopped while its disk is repaired.
    case crash(laptop: Int)
    case stop(laptop: Int)
    case misfortune(laptop: Int)
    case repair(laptop: Int)
    /// What was copied earlier comes back.
    case restore(laptop: Int, SimulatedDisk, Restore.Kind)
    /// A copied home goes on as if it were the only one.
    case copySpeaks(laptop: Int)
}

extension Simulation {
    mutating func end(_ fault: FaultEnd) throws(SimulationFailure) {
        switch fault {
        case .partition:
            network.reachability.unite()
            announceAll()
        case .oneWay(let path):
            network.reachability.undeafen(path)
            announceAll()
        case .diskFull(let laptop): laptops[laptop].isDiskFull = false
        case .slowness(let laptop): laptops[laptop].rateFactor = 1
        case .failedCommits(let laptop): laptops[laptop].failsCommits = false
        case .readErrors(let laptop): laptops[laptop].readError = nil
        case .crash(let laptop):
            guard hasFaults else { return }
            var random = diskRandom
            try crash(laptop, away: random.seconds(in: 0.1...2), &random)
            diskRandom = random
        case .stop(let laptop): if hasFaults { try stop(laptop, away: 4) }
        case .misfortune(let laptop): try Apart.misfortune(&self, laptop)
        case .repair(let laptop): try Apart.repair(&self, laptop)
        case .terms(let laptop): try setTerms(PullTerms(), laptop)
        case .sleep(let laptop): try wake(laptop)
        case .stall(let connection): try stallEnded(connection)
        case .copySpeaks(let laptop): try CopiedOutsider.speak(&self, laptop)
        case .restore(let laptop, let backup, let kind): try Restore.end(&self, laptop, backup, kind)
        }
    }

    /// A laptop is slow, or its disk refuses writes, for a while; the last of them is tried again some seconds later.
    mutating func trouble(_ index: Int, for seconds: Double) {
        laptops[index].troubledUntil = max(laptops[index].troubledUntil, now + seconds + 16)
    }

    func anyLaptop(_ random: inout SeededRandom) -> Int { Int.random(in: laptops.indices, using: &random) }

    /// One whose user expects it to work.
    func anyHonest(_ random: inout SeededRandom) -> Int {
        laptops.indices.filter { laptops[$0].isHonest }.randomElement(using: &random)!
    }

    /// An honest one whose agent runs.
    func anyRunning(_ random: inout SeededRandom) -> Int? {
        laptops.indices.filter { laptops[$0].isHonest && laptops[$0].isRunning }.randomElement(using: &random)
    }

    private mutating func announceAll() {
        for laptop in laptops.indices {
            plan(.announce(laptop: laptop), after: networkRandom.seconds(in: 0...2))
        }
    }
}
