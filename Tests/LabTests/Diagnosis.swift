import Foundation
import TestSupport
import Testing

/// What `potluck doctor --json` prints.
struct Diagnosis: Decodable {
    struct Finding: Decodable {
        var cause: String
        var sentence: String
        var advice: [String]
    }

    struct Check: Decodable {
        var subject: String
        var result: String
    }

    var healthy: Bool
    var verdict: String
    var findings: [Finding]
    var checks: [Check]

    var causes: [String] { findings.map(\.cause) }
    var words: String {
        "\(causes): \(verdict)\n" + checks.map { "\($0.subject): \($0.result)" }.joined(separator: "\n")
    }
}

extension Laptop {
    /// What the doctor finds on this laptop; `before` is what runs it.
    func diagnosis(_ words: String..., before: [String] = [], home: String? = nil) async throws -> Diagnosis {
        let command = before + [Machine.binary!, "doctor", "--json", "--home", home ?? self.home] + words
        let output = try await lab.execute(number, command, within: .seconds(90))
        return try Self.diagnosis(output)
    }

    /// The same with a clock that is wrong by so many seconds.
    func diagnosis(clockAhead seconds: Int) async throws -> Diagnosis {
        let words = ["doctor", "--json", "--home", home]
        let lab = ["\(Machine.root)/Scripts/lab", "shift", "\(number)", "\(seconds)", Machine.binary!]
        return try Self.diagnosis(try await self.lab.run(lab + words, within: .seconds(90)))
    }

    private static func diagnosis(_ output: Output) throws -> Diagnosis {
        guard let diagnosis = try? JSONDecoder().decode(Diagnosis.self, from: Data(output.bytes)) else {
            throw TestFailure("the doctor ended with \(output.status): \(output.errors)\(output.text)")
        }
        #expect(output.status == (diagnosis.healthy ? 0 : 1) && output.errors.isEmpty, "\(output.errors)")
        #expect(diagnosis.healthy == diagnosis.findings.isEmpty)
        return diagnosis
    }

    /// The doctor names this cause and no other.
    func expectCause(_ cause: String, _ diagnosis: Diagnosis, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(diagnosis.causes == [cause], "laptop \(number): \(diagnosis.words)", sourceLocation: sourceLocation)
    }

    /// The doctor names nothing.
    func expectHealthy(_ words: String...) async throws {
        let diagnosis =
            words.isEmpty ? try await diagnosis() : try await diagnosis(words[0], words.dropFirst().joined())
        #expect(diagnosis.healthy, "laptop \(number): \(diagnosis.words)")
    }

    /// Starts to help another laptop with its test, once it does; says so for scripts where its clock is ahead.
    func help(clockAhead seconds: Int? = nil) async throws -> ChildProcess {
        let path = "\(home).help"
        let isForScripts = seconds != nil
        let words = [Machine.binary!, "doctor", "--answer", "--home", home] + (isForScripts ? ["--json"] : [])
        let address = isForScripts ? "\"\(host)\"" : "potluck doctor --with \(host)"
        let helper = try lab.launch(number, words, clockAhead: seconds, output: path)
        try await eventually("laptop \(number) helps with a test") {
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return .when(text.contains(address), text)
        }
        return helper
    }
}
