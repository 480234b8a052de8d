import AlbumModel
import Foundation
import TestSupport
import Testing

@testable import MediaReader

/// Photos and films of real cameras, and hostile files, through real workers.
@Suite(
    .slow, .enabled(if: Machine.settings.worker != nil, "there is no potluck-media-worker beside the tests"),
    .enabled(
        if: Machine.settings.exifTool != nil && Machine.settings.ffmpeg != nil,
        "ExifTool or FFmpeg is not installed"),
    .enabled(
        if: Corpus.rows.count > 0,
        "no test media: set POTLUCK_CORPUS to their folder, or put them in ../shared/corpus"))
struct CorpusReadingTests {
    private let scratch = Scratch()

    /// Of this one the sensor's data and all previews were cut away to make it small.
    private static let withoutPreview: Set<String> = ["raw/IMG_1361.dng"]

    private func file(_ name: String, in folder: String = Corpus.path) -> MediaFile {
        MediaFile(path: "\(folder)/\(name)", name: (name as NSString).lastPathComponent, modified: 0, byteCount: 0)
    }

    /// Every ordinary file is read as the list says, whichever reader got to it, and has a thumbnail of its proportions.
    @Test(.timeLimit(.minutes(5))) func ordinaryFilesAreReadAsTheListSays() async throws {
        try await withReader { reader in
            for row in Corpus.rows where !row.isHostile {
                let reading = await reader.read(file(row.file))
                for difference in row.differences(from: reading.facts) { Issue.record("\(row.file): \(difference)") }
                #expect(reading.isFinal)
                guard !Self.withoutPreview.contains(row.file) else { continue }
                #expect(reading.facts.problem == "", "\(row.file)")
                let size = try #require(reading.facts.size, "\(row.file)")
                let thumbnail = try #require(reading.thumbnail, "\(row.file) has no thumbnail")
                #expect(max(thumbnail.size.width, thumbnail.size.height) <= 480)
                #expect((thumbnail.size.width > thumbnail.size.height) == (size.width > size.height), "\(row.file)")
            }
        }
    }

    /// Hostile files, read many at a time among good ones: each gives facts or a reason, the good ones are all read, and
    /// no worker takes more memory than it may.
    @Test(.timeLimit(.minutes(5))) func hostileFilesHarmNobody() async throws {
        let folder = "\(Corpus.path)/hostile"
        try Tool.run("/usr/bin/tar", ["-xf", "\(folder)/odd-names.tar", "-C", scratch.path])
        let good = try scratch.file("good.png", Fixture.png(width: 64, height: 64))
        let hostile = try files(below: folder)
        let odd = try files(below: scratch.path).filter { $0.name != good.name }
        try #require(hostile.count > 20 && odd.count > 5)
        try await withReader { reader in
            await withTaskGroup { group in
                for file in hostile + odd {
                    group.addTask { (file, await reader.read(file)) }
                    group.addTask { (good, await reader.read(good)) }
                }
                for await (file, reading) in group {
                    #expect(reading.isFinal, "\(file.name)")
                    #expect(reading.facts.size != nil || reading.facts.problem != "", "\(file.name) says nothing")
                    #expect(reading.thumbnail != nil || reading.facts.problem != "", "\(file.name) gives no reason")
                    if file.path == good.path { #expect(reading.thumbnail != nil) }
                }
            }
            for process in reader.processes {
                let words = kernelStatus(process.number)["VmHWM"]?.split(separator: " ") ?? []
                let kibibytes = try #require(words.first.flatMap { UInt64($0) })
                #expect(kibibytes << 10 < MediaReaderLimits().decoderMemory)
            }
        }
    }

    /// All files in a folder, whatever their names are made of.
    private func files(below folder: String) throws -> [MediaFile] {
        let list = try Tool.run("/usr/bin/find", [folder, "-type", "f", "-print0"])
        return list.split(separator: 0).compactMap { String(validating: $0, as: UTF8.self) }.map { path in
            MediaFile(path: path, name: (path as NSString).lastPathComponent, modified: 0, byteCount: 0)
        }
    }
}
