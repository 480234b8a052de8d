import Foundation
import Glibc
import Testing

/// A directory that goes when the test ends, in which other programs read what was made.
final class Workshop: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/potluck-formats-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    deinit {
        // What cannot be removed stays in /tmp and hurts nobody.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Runs a program; what it prints on both outputs.
    @discardableResult
    func run(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }
}
