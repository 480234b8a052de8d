import AlbumModel
import Foundation
import TestSupport
import Testing

@testable import MediaReader

/// Photos and films of real cameras, against what an independent reader found in them.
@Suite(
    .slow, .enabled(if: Tool.exifTool != nil, "ExifTool is not installed"),
    .enabled(
        if: Corpus.rows.count > 0,
        "no test media: set POTLUCK_CORPUS to their folder, or put them in ../shared/corpus"))
struct CorpusFactsTests {
    /// All ordinary files; each difference is told with the file and the value.
    @Test(.timeLimit(.minutes(3))) func ordinaryFilesAreReadAsTheListSays() throws {
        let rows = Corpus.rows.filter { !$0.isHostile }
        try #require(rows.count > 0)
        for row in rows {
            let facts = try factsOf("\(Corpus.path)/\(row.file)")
            for difference in row.differences(from: facts) { Issue.record("\(row.file): \(difference)") }
            #expect(facts.problem == "", "\(row.file)")
        }
    }

    /// Broken and hostile files give facts, or say why not; none keeps the next from being read.
    @Test(.timeLimit(.minutes(5))) func hostileFilesGiveFactsOrAProblem() throws {
        let folder = "\(Corpus.path)/hostile"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        for name in names where !name.hasSuffix(".tar") {
            var isFolder: ObjCBool = false
            let path = "\(folder)/\(name)"
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            let facts = try factsOf(path)
            #expect(facts.size != nil || facts.problem != "", "\(name) says nothing")
            #expect(facts.place == nil || !name.hasPrefix("bad-gps"), "\(name) has an impossible place")
        }
    }
}

/// The folder of test media and its list.
enum Corpus {
    static let path: String = {
        if let named = ProcessInfo.processInfo.environment["POTLUCK_CORPUS"] { return named }
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return package.deletingLastPathComponent().appendingPathComponent("shared/corpus").path
    }()

    static let rows: [CorpusRow] = {
        guard let text = try? String(contentsOfFile: "\(path)/MANIFEST.csv", encoding: .utf8) else { return [] }
        let records = csv(text)
        guard let head = records.first else { return [] }
        return records.dropFirst().map { CorpusRow(Dictionary(zip(head, $0)) { first, _ in first }) }
    }()

    /// Records of fields, of which some are in quotation marks.
    private static func csv(_ text: String) -> [[String]] {
        var records: [[String]] = [[]]
        var field = ""
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted:
                records[records.count - 1].append(field)
                field = ""
            case "\n" where !isQuoted, "\r\n" where !isQuoted:
                records[records.count - 1].append(field)
                field = ""
                records.append([])
            default: field.append(character)
            }
        }
        return records.filter { $0.count > 1 }
    }
}

/// What the list says of one file.
struct CorpusRow {
    private let columns: [String: String]

    init(_ columns: [String: String]) { self.columns = columns }

    var file: String { columns["file"] ?? "" }
    var isHostile: Bool { file.hasPrefix("hostile/") }

    private func column(_ name: String) -> String { columns[name] ?? "" }

    /// A sentence for each value that is not as it should be.
    func differences(from facts: PhotoFacts) -> [String] {
        let taken = facts.taken.flatMap { $0.source.rawValue <= CaptureTime.Source.quickTime.rawValue ? $0 : nil }
        let hasMotion = facts.movingPart != nil && facts.kind == .motion
        let expectations: [(String, String, String)] = [
            ("width", column("display_width"), facts.size.map { "\($0.width)" } ?? ""),
            ("height", column("display_height"), facts.size.map { "\($0.height)" } ?? ""),
            ("make", column("make"), facts.camera.make), ("model", column("model"), facts.camera.model),
            ("lens", column("lens"), facts.camera.lens), ("content_id", column("content_id"), facts.contentIdentifier),
            ("capture_local", column("capture_local"), taken.map { Self.text($0.localMilliseconds) } ?? ""),
            ("subsec", fraction, taken.map { "\($0.localMilliseconds % 1000)" } ?? "0"),
            ("utc_offset", offset, taken?.offsetMinutes.map { "\($0)" } ?? ""),
            ("motion_photo", column("motion_photo"), hasMotion ? "yes" : ""),
        ]
        let wrong = expectations.filter { $0.1 != $0.2 }.map { "\($0.0) is “\($0.2)”, not “\($0.1)”" }
        return wrong + placeDifferences(facts) + durationDifferences(facts)
    }

    private var fraction: String { "\(DateText.milliseconds(fraction: column("subsec")))" }
    private var offset: String { DateText.offset(column("utc_offset")).map { "\($0)" } ?? "" }

    /// `2024-07-01T12:30:05`.
    private static func text(_ milliseconds: Int64) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        return format.string(from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
    }

    /// Places to a tenth of a metre, heights to a centimetre. 0, 0 is no fix, so no place.
    private func placeDifferences(_ facts: PhotoFacts) -> [String] {
        let wanted = (Double(column("gps_lat")), Double(column("gps_lon")))
        guard let latitude = wanted.0, let longitude = wanted.1, latitude != 0 || longitude != 0 else {
            return facts.place == nil ? [] : ["it has a place"]
        }
        guard let place = facts.place else { return ["it has no place"] }
        let altitude = place.altitudeCentimetres.map { Double($0) / 100 }
        let isThere =
            abs(Double(place.latitudeMicrodegrees) / 1e6 - latitude) < 1e-6
            && abs(Double(place.longitudeMicrodegrees) / 1e6 - longitude) < 1e-6
        let isAsHigh =
            switch (altitude, Double(column("gps_alt"))) {
            case (nil, nil): true
            case (let found?, let wanted?): abs(found - wanted) < 0.01
            default: false
            }
        return (isThere ? [] : ["its place is \(place)"])
            + (isAsHigh ? [] : ["its altitude is \(altitude.map { "\($0)" } ?? "unknown")"])
    }

    /// RAW files, of which some say that their one frame lasts a second, have none.
    private func durationDifferences(_ facts: PhotoFacts) -> [String] {
        guard facts.kind != .raw, facts.kind != .motion else { return [] }
        let wanted = Double(column("duration_s")).map { UInt64(($0 * 1000).rounded()) }
        return facts.durationMilliseconds == wanted ? [] : ["it runs \(facts.durationMilliseconds ?? 0) ms"]
    }
}
