import AlbumModel
import SyncEngine

/// A disk refuses writes for a while.
enum DiskFull {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyLaptop(&random)
        let length = random.seconds(in: 0.1...20)
        simulation.laptops[index].isDiskFull = true
        simulation.trouble(index, for: length)
        simulation.plan(.faultEnd(.diskFull(laptop: index)), after: length)
    }
}

/// Transactions and renames fail for a while; pieces are written.
enum FailedCommit {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyLaptop(&random)
        let length = random.seconds(in: 0.1...10)
        simulation.laptops[index].failsCommits = true
        simulation.trouble(index, for: length)
        simulation.plan(.faultEnd(.failedCommits(laptop: index)), after: length)
    }
}

/// Files cannot be opened or read for a while (EMFILE, EIO). Whoever asks is told that it will pass; one of the first
/// version has no word for that.
enum Unreadable {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyHonest(&random)
        simulation.laptops[index].readError = .passing
        simulation.plan(.faultEnd(.readErrors(laptop: index)), after: random.seconds(in: 0.5...8))
    }
}

/// The same at a laptop of an earlier version, which says that it has not what it has. It is over soon: whoever is told
/// so again and again waits for longer than a run takes.
enum OldRefusal {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyHonest(&random)
        simulation.laptops[index].readError = .plain
        simulation.plan(.faultEnd(.readErrors(laptop: index)), after: random.seconds(in: 0.1...1))
    }
}

/// The bytes of a held blob, or of a piece in staging, change on the disk. Whoever opens the file finds out.
enum BitRot {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyHonest(&random)
        let staging = simulation.laptops[index].disk.staging
        if random.chance(0.5), let blob = staging.keys.sorted().randomElement(using: &random) {
            let piece = Int.random(in: staging[blob]!.pieces.indices, using: &random)
            simulation.laptops[index].disk.rotStaging(of: blob, piece: piece)
        } else if let blob = simulation.laptops[index].disk.blobs.sorted().randomElement(using: &random) {
            simulation.laptops[index].disk.rot(blob)
        }
    }
}

/// Two people do the same thing at the same time, by clocks that agree to the microsecond.
enum EqualClocks {
    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) throws(SimulationFailure) {
        guard let first = simulation.anyRunning(&random), let second = simulation.anyRunning(&random), first != second,
            !simulation.laptops[first].speaksFirstVersion, !simulation.laptops[second].speaksFirstVersion
        else { return }
        simulation.laptops[second].wallOffset = simulation.laptops[first].wallOffset
        let photos = simulation.laptops[first].look { engine in
            engine.catalog.albums.values.flatMap { album in
                album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }
            }
        }
        guard let key = photos?.sorted().randomElement(using: &random) else { return }
        let kind = Int.random(in: 0..<5, using: &random)
        for (index, word) in [(first, "one"), (second, "other")] {
            guard simulation.laptops[index].look({ $0.catalog.photo(key) != nil }) == true else { continue }
            let contribution: Contribution
            switch kind {
            case 0: contribution = .albumName(key.album, "Album \(word)")
            case 1: contribution = .caption(key.album, key.blob, word)
            case 2: contribution = .photoName(key.album, key.blob, "\(word).jpg")
            case 3: contribution = .cover(key.album, index == first ? key.blob : nil)
            default: contribution = .photoRemoval(key.album, key.blob)
            }
            try simulation.contribute(contribution, index)
        }
    }
}

/// A wall clock jumps: by a day, by years, or back to what is right.
enum ClockJump {
    private static let day: Int64 = 86_400_000_000

    static func strike(_ simulation: inout Simulation, _ random: inout SeededRandom) {
        let index = simulation.anyLaptop(&random)
        let span = [0, day, 3650 * day].randomElement(using: &random)!
        simulation.laptops[index].wallOffset = Int64.random(in: -span...span, using: &random)
    }
}
