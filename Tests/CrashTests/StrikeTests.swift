import Foundation
import Glibc
import Testing

/// Errors that a file turns on and off while a program runs: `DISK_FAULTS_CONTROL` of CDiskFaults, tried with programs
/// of the system.
@Suite(.timeLimit(.minutes(10))) struct StrikeTests {
    /// A directory `listed` with files in it, and room for the control file.
    private final class Place {
        let path: String

        init(fileCount: Int) throws {
            path = NSTemporaryDirectory() + "potluck-strike-\(UInt64.random(in: 0...UInt64.max))"
            try FileManager.default.createDirectory(atPath: path + "/listed", withIntermediateDirectories: true)
            for number in 0..<fileCount { try write("photo \(number)", to: "listed/\(number)") }
        }

        deinit {
            // A leftover is no reason to fail.
            try? FileManager.default.removeItem(atPath: path)
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        }

        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
        }

        /// Runs a shell's script with the library loaded; `$D` is the directory.
        func run(_ script: String) throws -> (status: Int32, lines: [String]) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", script]
            process.environment = [
                "PATH": "/usr/bin:/bin", "LC_ALL": "C", "D": path, "LD_PRELOAD": ProbeRun.library,
                "DISK_FAULTS_CONTROL": path + "/control", "DISK_FAULTS_REPORT": path + "/report",
            ]
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, output.split(separator: "\n").map(String.init))
        }
    }

    /// A listing fails after so many entries, every time; of another directory it does not, and without the line neither.
    @Test func listingsFailAfterSomeEntries() throws {
        let place = try Place(fileCount: 8)
        #expect(try place.run("ls -U1 $D/listed").lines.count == 8)
        try place.write("EIO readdir 3 - /listed\n", to: "control")
        for _ in 0..<2 {
            let cut = try place.run("ls -U1 $D/listed")
            #expect(cut.status != 0 && cut.lines.count == 3)
        }
        #expect(try place.run("ls -U1 /").status == 0)
        #expect(try place.text("report").contains("strike readdir \(place.path)/listed\n"))
        try place.write("# nothing\n", to: "control")
        let whole = try place.run("ls -U1 $D/listed")
        #expect(whole.status == 0 && whole.lines.count == 8)
    }

    /// Opens, reads and looks fail with the error that was chosen, as often as was asked, in paths with spaces too.
    @Test func filesFail() throws {
        let place = try Place(fileCount: 2)
        try FileManager.default.createDirectory(atPath: place.path + "/Beach day", withIntermediateDirectories: false)
        try place.write("sand", to: "Beach day/1")
        let script = "for f in 'Beach day/1' listed/0 listed/1; do head -c 9 \"$D/$f\" && echo; done; true"
        #expect(try place.run(script).lines == ["sand", "photo 0", "photo 1"])
        for call in ["open", "read", "open,read", "any"] {
            try place.write("EACCES \(call) 0 - /Beach day/\n", to: "control")
            #expect(try place.run(script).lines == ["photo 0", "photo 1"], "\(call)")
        }
        try place.write("EIO stat,access 0 - /listed/1\n", to: "control")
        #expect(try place.run("for f in 0 1; do test -e $D/listed/$f; echo $?; done").lines == ["0", "1"])
    }

    /// One program that runs sees errors begin and end; a line strikes after so many calls, so many times.
    @Test func errorsBeginAndEndWhileAProgramRuns() throws {
        let place = try Place(fileCount: 1)
        try place.write("EIO stat,access 0 - /listed/0\n", to: "later")
        let script = """
            look() { test -e $D/listed/0 && echo there || echo failed; }
            look; mv $D/later $D/control; look; look; rm $D/control; look
            """
        #expect(try place.run(script).lines == ["there", "failed", "failed", "there"])
        try place.write("EIO stat,access 1 2 /listed/0\n", to: "control")
        #expect(
            try place.run("look() { test -e $D/listed/0 && echo there || echo failed; }; look; look; look; look").lines
                == ["there", "failed", "failed", "there"])
    }

    /// A line that is no line is told of, and strikes nothing.
    @Test func badLinesAreTold() throws {
        let place = try Place(fileCount: 1)
        try place.write("EWHAT readdir 0 - /listed\nEIO write 0 - /listed\nEIO read x - /listed\n", to: "control")
        #expect(try place.run("ls -U1 $D/listed").lines == ["0"])
        let report = Set(try place.text("report").split(separator: "\n").map { $0.split(separator: " ").first })
        #expect(report == ["bad"])
    }
}
