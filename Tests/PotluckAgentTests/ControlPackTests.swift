import FoundationEssentials
import Synchronization
import Testing

@testable import PotluckAgent

extension Sample {
    static let packPlan = PackPlan(
        gathering: "Kuh reunion", tag: "00", device: "Grandma",
        photos: [.init(id: "b1", name: "IMG_0001.JPG", bytes: 4_200_000)], thumbnails: ["b2"], absent: 1)

    static let unpackReport = {
        var report = UnpackReport(directory: "/media/stick", isRunning: true)
        report.packedAt = instant
        report.damaged = [PackedPhoto(id: "b1", name: "IMG_0001.JPG", reason: "its bytes are damaged")]
        return report
    }()
}

extension ControlFakeHandler {
    func packPlan(for device: String?) async throws -> PackPlan {
        guard device != "Nobody" else { throw PotluckError(.usage, "No other laptop is called “Nobody”.") }
        return Sample.packPlan
    }

    func unpack(
        directory: String, progress: @Sendable (AddProgress) async -> Void
    ) async throws -> UnpackReport {
        for done in 1...2 { await progress(AddProgress(done: done, total: 2)) }
        var report = Sample.unpackReport
        report.directory = directory
        return report
    }
}

/// Packing and unpacking over the control socket.
@Suite(.timeLimit(.minutes(1))) struct ControlPackTests {
    /// Shows that a plan arrives whole, and an error as it was said.
    @Test func plansArriveWhole() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let client = ControlClient(path: path)
            #expect(try await client.packPlan(for: nil) == Sample.packPlan)
            let error = await #expect(throws: PotluckError.self) { try await client.packPlan(for: "Nobody") }
            #expect(error?.status == .usage)
        }
    }

    /// Shows that a report whose numbers are absurd, as one that an agent of before made of a prepared stick, is only that.
    @Test(arguments: [Int.min, Int.max, -1]) func absurdReportsAreNoTrap(number: Int) throws {
        var report = Sample.unpackReport
        (report.batches, report.photos, report.thumbnails, report.missing) = (number, number, number, number)
        (report.refused, report.unreadable, report.gone) = (number, number, number)
        report.damaged = []
        let read = try JSONDecoder().decode(UnpackReport.self, from: ReportJSON.data(report))
        #expect(read == report)
        #expect(read.isDamaged == (number > 0))
        #expect(read.isNothing == (number < 0))
    }

    /// Shows that `unpack` tells its progress before its result.
    @Test func unpackingTellsItsProgress() async throws {
        try await withControlServer(ControlFakeHandler()) { path async throws in
            let steps = Mutex<[AddProgress]>([])
            let report = try await ControlClient(path: path).unpack(directory: "/media/stick") { step in
                steps.withLock { $0.append(step) }
            }
            #expect(report == Sample.unpackReport)
            #expect(steps.withLock { $0 } == [AddProgress(done: 1, total: 2), AddProgress(done: 2, total: 2)])
        }
    }
}
