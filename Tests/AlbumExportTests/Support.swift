import AlbumModel
import Crypto
import Foundation
import Glibc
import Synchronization
import Testing

@testable import AlbumExport

/// A directory that goes when the test ends, with a home's blobs and room for exports.
final class Workshop: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/potluck-export-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        try FileManager.default.createDirectory(atPath: path + "/blobs", withIntermediateDirectories: false)
    }

    deinit {
        // What cannot be removed stays in /tmp and hurts nobody.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A blob of these bytes in the home.
    func file(_ name: String, _ text: String, type: String = "image/jpeg") throws -> ExportFile {
        let bytes = Array(text.utf8)
        let id = try #require(BlobID(bytes: Array(SHA256.hash(data: bytes))))
        let blob = "\(path)/blobs/\(id.hex)"
        try Data(bytes).write(to: URL(fileURLWithPath: blob))
        return ExportFile(id: id, name: name, mediaType: type, byteCount: UInt64(bytes.count), path: blob)
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    /// All names in a directory, those of hidden files too, sorted.
    func names(_ directory: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(path)/\(directory)").sorted()
    }

    /// Runs a program; what it prints on both outputs.
    @discardableResult
    func run(_ arguments: String..., in directory: String = "") throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: "\(path)/\(directory)")
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    /// Whether `sha256sum --check` finds every listed file of a directory as it should be.
    func passesChecksums(_ directory: String) throws -> Bool {
        try run("sha256sum", "--check", "--strict", "--quiet", "CHECKSUMS", in: directory).status == 0
    }
}

let beachDay = ExportAlbum(id: AlbumName.identifier("Beach day"), name: "Beach day")

/// A reading of 2026-07-04 14:03:22 in summer time of central Europe, and seconds after it.
func reading(_ seconds: Int64 = 0, offset: Int32? = 120) -> ExportEntry.Reading {
    ExportEntry.Reading(localMilliseconds: (1_783_173_802 + seconds) * 1000, offsetMinutes: offset)
}

func entry(
    _ file: ExportFile, by person: String = "Anna", at seconds: Int64? = 0, kind: ExportEntry.Kind = .photo,
    companions: [ExportEntry.Companion] = []
) -> ExportEntry {
    ExportEntry(lead: file, companions: companions, person: person, taken: seconds.map { reading($0) }, kind: kind)
}

/// Makes pictures that say what they are of; fails for files whose name says so.
final class FakePictures: PictureMaker {
    private let count = Mutex(0)
    /// How many pictures it was asked for.
    var callCount: Int { count.withLock { $0 } }

    struct Failure: Error, CustomStringConvertible {
        let description = "its image data are broken"
    }

    func picture(of file: ExportFile, fitting side: Int) async throws -> ExportPicture {
        count.withLock { $0 += 1 }
        if file.name.contains("broken") { throw Failure() }
        if file.name.contains("impossible") { throw ExportError(.failed, "A program is missing. Install it.") }
        return ExportPicture(bytes: Array("\(side) of \(file.name)".utf8), mediaType: "image/webp")
    }

    func copyWithoutPlace(of file: ExportFile, to path: String) async throws {
        count.withLock { $0 += 1 }
        try Data("no place in \(file.name)".utf8).write(to: URL(fileURLWithPath: path))
        if file.name.contains("broken") { throw Failure() }
    }
}

extension AlbumExporter {
    /// Exports the album without watching.
    static func run(
        _ entries: [ExportEntry], to destination: ExportDestination, _ options: ExportOptions = ExportOptions(),
        pictures: (any PictureMaker)? = nil
    ) async throws -> ExportSummary {
        try await AlbumExporter(album: beachDay, options: options, pictures: pictures)
            .export(entries, to: destination) { _ in }
    }
}
