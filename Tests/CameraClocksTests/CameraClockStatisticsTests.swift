import AlbumModel
import CameraClocks
import Foundation
import Testing

/// How often the comparison is right, silent or wrong over many gatherings.
///
/// A few seeds of the usual gathering run each time; `CLOCK_GATHERINGS=200 swift test -c release --filter
/// CameraClockStatistics` prints the table of the page on camera clocks.
@Suite("Camera clocks, statistics") struct CameraClockStatisticsTests {
    /// Verdicts on the clocks that are wrong, and on those that are right.
    private struct Tally {
        var rightCount = 0
        var silentCount = 0
        /// An amount that is off by more than a minute, or a wrong clock that is called right.
        var falseCount = 0
        var count: Int { rightCount + silentCount + falseCount }

        mutating func take(_ verdict: ClockVerdict, error: Int) {
            switch verdict {
            case .unknown: silentCount += 1
            case .right: if abs(error) <= 60 { rightCount += 1 } else { falseCount += 1 }
            case .wrong(let proposal):
                if abs(Int(proposal.seconds) - error) <= 60 { rightCount += 1 } else { falseCount += 1 }
            }
        }

        var text: String {
            [rightCount, silentCount, falseCount].map { String((1000 * $0 + count / 2) / max(1, count)) }
                .joined(separator: " / ")
        }
    }

    private static func tallies(_ count: Int, _ change: (inout Party) -> Void) -> (wrong: Tally, right: Tally) {
        var (wrong, right) = (Tally(), Tally())
        for seed in 1...count {
            var party = Party(seed: UInt64(seed))
            change(&party)
            let (samples, errors) = party.samples()
            let comparison = ClockComparison(of: samples)
            for (index, error) in errors.enumerated() {
                guard let camera = comparison.cameras.first(where: { $0.key == Party.key(index) }) else { continue }
                if error == 0 { right.take(camera.verdict, error: 0) } else { wrong.take(camera.verdict, error: error) }
            }
        }
        return (wrong, right)
    }

    /// Ten cameras with sixty photos each, two of them set wrong in one way or another: nearly all are found, and
    /// nothing false is said. Seeds are fixed; in debug a gathering takes a second.
    @Test func mostWrongClocksAreFoundAndNoneIsInvented() {
        let (wrong, right) = Self.tallies(3) { _ in }
        #expect(wrong.count == 6 && right.count == 24)
        #expect(wrong.falseCount == 0 && right.falseCount == 0)
        #expect(wrong.rightCount >= 5)
        #expect(right.rightCount >= 22)
    }

    /// Prints the table: for each situation, wrong clocks and right ones, found / silent / false in thousandths.
    @Test(.enabled(if: gatheringCount != nil, "set CLOCK_GATHERINGS to print the table"))
    func theTableOfThePage() {
        for situation in Situation.all {
            let count = max(1, (Self.gatheringCount ?? 1) / situation.costliness)
            let start = ContinuousClock.now
            let (wrong, right) = Self.tallies(count, situation.change)
            let milliseconds = (ContinuousClock.now - start) / count / .milliseconds(1)
            let row = [
                situation.name, "\(wrong.count)", wrong.text, "\(right.count)", right.text,
                "\(Int(milliseconds.rounded()))",
            ]
            print("| \(row.joined(separator: " | ")) |")
            #expect(100 * (wrong.falseCount + right.falseCount) <= wrong.count + right.count)
        }
    }

    private static let gatheringCount = ProcessInfo.processInfo.environment["CLOCK_GATHERINGS"].flatMap { Int($0) }

    /// People who photographed nothing together: nothing is proposed, whatever coincidences there are.
    @Test func unrelatedCamerasAreLeftAlone() {
        let (_, right) = Self.tallies(1) {
            $0.sharedShare = 0
            $0.wrongCount = 0
            $0.cameraCount = 5
        }
        #expect(right.falseCount == 0)
    }
}
