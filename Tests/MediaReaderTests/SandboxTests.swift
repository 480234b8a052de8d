import CSandbox
import DiskIO
import Foundation
import Testing

@testable import MediaReader

/// What workers are kept from, seen from outside and tried from inside.
@Suite(.enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"))
struct SandboxTests {
    private let scratch = Scratch()

    /// A waiting decoder, and a waiting ExifTool, have a filter of system calls, no capabilities, no way to new ones, no
    /// core, no right to write files, and give way to the agent.
    @Test(.timeLimit(.minutes(3))) func waitingWorkersHaveNothing() async throws {
        let (header, byteCount) = Fixture.blackTIFF(side: 100)
        let file = try scratch.file("a.tif", header, byteCount: byteCount)
        try await withReader { reader in
            _ = await reader.read(file)
            #expect(reader.processes.count == (Machine.settings.exifTool == nil ? 1 : 2))
            for process in reader.processes {
                let status = kernelStatus(process.number)
                #expect(status["Seccomp"] == (csandbox_has_call_filter() == 1 ? "2" : "0"))
                #expect(status["NoNewPrivs"] == "1")
                #expect(status["CapEff"] == "0000000000000000")
                #expect(status["CapPrm"] == "0000000000000000")
                #expect(getpriority(Int32(PRIO_PROCESS.rawValue), id_t(process.number)) == 19)
                let limits = try String(contentsOfFile: "/proc/\(process.number)/limits", encoding: .utf8)
                let zeros = limits.split(separator: "\n").filter { $0.split(separator: " ").suffix(3).first == "0" }
                #expect(zeros.count { $0.hasPrefix("Max core file size") || $0.hasPrefix("Max file size") } == 2)
            }
        }
    }

    /// Runs a shell's words as a tool on a file, and gives what they print.
    private func tool(_ script: String, on file: MediaFile) throws -> String {
        let command = WorkerCommand(worker: try #require(Machine.settings.worker), limits: MediaReaderLimits())
        let tool = ToolCall(
            words: ["/bin/sh", "-c", script], memory: 64 << 20, written: 1 << 16, timeout: .seconds(20),
            refusal: "refused")
        let run = ToolRun(command: command, tool: tool)
        let output = try Descriptor.memory("test")
        try run.perform(on: try Descriptor.file(file.path), output: output) { _ in }
        return String(decoding: output.contents(byteCountMax: 1 << 16), as: UTF8.self)
    }

    /// A tool reads the file that it is handed, by the name that it is told.
    @Test func toolsReadWhatTheyAreHanded() throws {
        let file = try scratch.file("a", Array("hello".utf8))
        #expect(try tool("read -r line <\(WorkerCommand.handedFile); echo \"$line\"", on: file) == "hello\n")
    }

    /// No other file of the person's can be opened, nor can the handed one be changed, nor a new one made.
    @Test(.enabled(if: csandbox_landlock_version() > 0, "this kernel has no Landlock"))
    func toolsOpenNothingElse() throws {
        let file = try scratch.file("a", Array("hello".utf8))
        let secret = try scratch.file("secret", Array("secret\n".utf8))
        #expect(throws: WorkerFailure.refused("refused")) { try tool("read -r line <'\(secret.path)'", on: file) }
    }

    /// Writing is refused by the filter of system calls, so also where there is no Landlock.
    @Test(
        .enabled(if: csandbox_has_call_filter() == 1, "no filter of system calls for this processor"),
        arguments: [
            "echo >FILE", "echo >>\(WorkerCommand.handedFile)", "echo >FOLDER/new", "exec 9<>FILE",
            "exec chmod 777 FILE", "exec rm FILE", "exec mkdir FOLDER/new", "exec ln FILE FOLDER/new",
            "exec touch FILE", "exec truncate -s 0 FILE",
            // Another process: of the shell's own, or somebody else's.
            "cat /dev/null; true", "kill -0 1", "exec kill -9 \(getppid())",
        ])
    func toolsChangeNothing(_ script: String) throws {
        let file = try scratch.file("a", Array("hello".utf8))
        let words = script.replacing("FILE", with: "'\(file.path)'").replacing("FOLDER", with: "'\(scratch.path)'")
        #expect(throws: WorkerFailure.refused("refused"), "\(script)") { try tool(words, on: file) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path) == ["a"])
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "hello")
    }

    /// Runs a shell's words as a tool with an output file, and gives what stands there then.
    private func film(_ script: String, on file: MediaFile, written: UInt64 = 1 << 16) throws -> String {
        let command = WorkerCommand(worker: try #require(Machine.settings.worker), limits: MediaReaderLimits())
        let tool = ToolCall(
            words: ["/bin/sh", "-c", script], memory: 64 << 20, written: written, timeout: .seconds(20),
            refusal: "refused")
        let output = try Descriptor.newFile("\(scratch.path)/output")
        defer { unlink("\(scratch.path)/output") }
        try ToolRun(command: command, tool: tool)
            .perform(on: try Descriptor.file(file.path), outputFile: output) { _ in
            } _: { _ in
            }
        return String(decoding: output.contents(byteCountMax: 1 << 16), as: UTF8.self)
    }

    /// A tool with an output file opens that to write and to read, again and again, but cannot make it longer than is
    /// allowed.
    @Test(.enabled(if: csandbox_landlock_version() > 0, "this kernel has no Landlock"))
    func outputFilesAreWritten() throws {
        let file = try scratch.file("a", Array("hello\n".utf8))
        let output = WorkerCommand.outputFile
        let script = """
            read -r line <\(WorkerCommand.handedFile); echo "$line" >>\(output); read -r again <\(output)
            echo "$again, again" >>\(output)
            """
        #expect(try film(script, on: file) == "hello\nhello, again\n")
        #expect(throws: WorkerFailure.refused("what is taken out of it is too long")) {
            try film("exec yes >>\(output)", on: file, written: 1000)
        }
    }

    /// And it opens nothing else to write: not the handed file, no other, no new one; and empties none.
    @Test(
        .enabled(if: csandbox_landlock_version() > 0, "this kernel has no Landlock"),
        .enabled(if: csandbox_has_call_filter() == 1, "no filter of system calls for this processor"),
        arguments: [
            "echo >>\(WorkerCommand.handedFile)", "echo >>FILE", "echo >FILE", "echo >>FOLDER/new", "echo >FOLDER/new",
            "exec 9<>FILE", "echo >\(WorkerCommand.outputFile)", "exec rm FILE", "exec rm FOLDER/output",
            "exec chmod 777 FOLDER/output", "exec mv FOLDER/output FOLDER/new", "read -r line <FILE",
            "echo >>/proc/self/oom_score_adj", "cat /dev/null; true",
        ])
    func outputFilesAreTheOnlyOnes(_ script: String) throws {
        let file = try scratch.file("a", Array("hello".utf8))
        let other = try scratch.file("b", Array("hello\n".utf8))
        let words = script.replacing("FILE", with: "'\(other.path)'").replacing("FOLDER", with: "'\(scratch.path)'")
        #expect(throws: WorkerFailure.refused("refused"), "\(script)") { try film(words, on: file) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path).sorted() == ["a", "b"])
        #expect(try String(contentsOfFile: file.path, encoding: .utf8) == "hello")
        #expect(try String(contentsOfFile: other.path, encoding: .utf8) == "hello\n")
    }

    /// There is no network, not even this machine's own.
    @Test(
        .enabled(if: csandbox_has_call_filter() == 1, "no filter of system calls for this processor"),
        .enabled(if: access("/usr/bin/perl", X_OK) == 0, "Perl is not installed"))
    func toolsHaveNoNetwork() throws {
        let file = try scratch.file("a", [])
        for family in ["PF_INET", "PF_UNIX", "16"] {
            let script = "exec perl -MSocket -e 'socket(my $s, \(family), SOCK_STREAM, 0) or print \"$!\"'"
            #expect(try tool(script, on: file) == "Operation not permitted")
        }
    }

    /// More output than is allowed ends the tool, and so does time.
    @Test(.timeLimit(.minutes(3))) func toolsAreBounded() throws {
        let file = try scratch.file("a", [])
        #expect(throws: WorkerFailure.refused("what is taken out of it is too long")) {
            try tool("exec yes", on: file)
        }
    }
}
