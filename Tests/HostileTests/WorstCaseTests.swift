import AlbumModel
import Foundation
import TestSupport
import Testing

/// How long it takes to live with a million changes of the worst kinds, and what. Shows nothing by itself: it prints.
///
///     POTLUCK_HOSTILE_CHANGES=1000000 swift test --filter WorstCaseTests
///
/// `POTLUCK_HOSTILE_KINDS` names some of ``Nonsense``, with commas between, where not all are to be tried.
@Suite("Hostile, measured", .serialized)
struct WorstCaseTests {
    private static let variables = ProcessInfo.processInfo.environment
    private static let counts = [variables["POTLUCK_HOSTILE_CHANGES"].flatMap { Int($0) }].compactMap { $0 }

    private static var kinds: [Nonsense] {
        let named = (variables["POTLUCK_HOSTILE_KINDS"] ?? "").split(separator: ",").compactMap {
            Nonsense(rawValue: String($0))
        }
        return named.isEmpty ? Nonsense.allCases : named
    }

    /// Without the variable there is nothing to measure.
    @Test(arguments: counts)
    func changesOfTheWorstKinds(_ count: Int) async throws {
        try await Reunion.run(isJudged: false) { reunion in
            let (target, album) = (try await reunion.target(), AlbumName.identifier("Nonsense"))
            var device = InventedDevice()
            let attacker = try await Member.connect(to: reunion.vera)
            var byteCount = 0
            let observation = try await reunion.observe {
                for kind in Self.kinds {
                    let range = 0..<max(1, count / Self.kinds.count / kind.weight)
                    let batches = device.signAll(kind.changes(range, of: device, target: target, album: album))
                    byteCount += batches.reduce(0) { $0 + $1.content.count }
                    try await attacker.push(batches, within: .seconds(3600))
                }
                try await reunion.expectKnown(device.head, of: device.replica, within: .seconds(3600))
            }
            print("\(device.head.sequence) changes, \(byteCount) bytes: \(observation.duration)")
            Self.show(observation.drops, "drops")
            for (name, pings) in observation.pings.sorted(by: { $0.key < $1.key }) {
                Self.show(pings, "pings to \(name)")
            }
            try Self.showCosts(reunion, "until then")
            for (name, duration) in try await reunion.restart().sorted(by: { $0.key < $1.key }) {
                print("next start of \(name): \(duration)")
            }
            try Self.showCosts(reunion, "after the next start")
            print("a drop after it: \(try await reunion.drop(from: reunion.anna, to: reunion.ben))")
            try await reunion.expectAllPhotos(on: reunion.row)
        }
    }

    private static func show(_ durations: [Duration], _ what: String) {
        print("\(durations.count) \(what): median \(Observation.median(durations)), longest \(durations.max()!)")
    }

    private static func showCosts(_ reunion: Reunion, _ when: String) throws {
        for laptop in reunion.row {
            let (memory, time) = (try laptop.memoryByteCount, try laptop.processorTime)
            print("\(laptop.name) \(when): \(memory / 1_000_000) MB at most, \(time) of processors")
        }
    }
}

extension Nonsense {
    /// How many times as long as others such a change is, about.
    fileprivate var weight: Int {
        switch self {
        case .dotsOfCaptions, .dotsOfComments, .removalsOfNothing: 600
        default: 1
        }
    }
}
