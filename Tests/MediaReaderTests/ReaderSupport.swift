import Foundation
import Logging
import Testing

@testable import MediaReader

/// What this machine has, with few workers.
enum Machine {
    static let settings: MediaReaderSettings = {
        var settings = MediaReaderSettings.found()
        settings.workerCount = 2
        return settings
    }()

    static func settings(_ change: (inout MediaReaderSettings) -> Void) -> MediaReaderSettings {
        var settings = settings
        change(&settings)
        return settings
    }
}

/// Runs a reader for as long as `body`, and ends it.
func withReader<Result: Sendable>(
    _ settings: MediaReaderSettings = Machine.settings, _ body: (MediaReader) async throws -> Result
) async throws -> Result {
    let reader = MediaReader(settings: settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    return try await withThrowingTaskGroup { group in
        group.addTask { try await reader.run() }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(reader)) } catch { result = .failure(error) }
        group.cancelAll()
        try await group.waitForAll()
        return try result.get()
    }
}

/// What the kernel says of a process, line by line: of `/proc/PID/status`.
func kernelStatus(_ process: Int32) -> [String: String] {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return [:] }
    let lines = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
    return Dictionary(
        uniqueKeysWithValues: lines.filter { $0.count == 2 }.map {
            (String($0[0]), $0[1].trimmingCharacters(in: .whitespaces))
        })
}

/// Waits until something is so that only the kernel knows, at most a minute: workers for films and previews get what all
/// others leave of the processors.
func eventually(_ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(60))
    while !condition() {
        guard ContinuousClock.now < end else { return false }
        // A cancelled test looks without a pause, to the same end.
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

extension ChildProcess {
    /// By its number in sched(7): 0 is the ordinary one, 5 that of idle processes.
    var schedulingPolicy: String? {
        guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return nil }
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 38 ? String(fields[38]) : nil
    }
}
