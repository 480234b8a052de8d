import AlbumModel
import FoundationEssentials
import Glibc
import TestSupport
import Testing
import WireFormat

@testable import PhotoPack

/// Sticks that somebody has prepared: everything that can stand in every place of a pack, and absurd numbers.
@Suite(.timeLimit(.minutes(2))) struct OddStickTests {
    /// A place in a pack.
    enum Place: String, CaseIterable, Sendable {
        case manifest, batches, batchFile, nextBatchFile, blobs, prefix, blob, temporary

        func name(_ blob: BlobID) -> String {
            switch self {
            case .manifest: PackLayout.manifest
            case .batches: PackLayout.batches
            case .batchFile: PackLayout.batchFile(1)
            case .nextBatchFile: PackLayout.batchFile(2)
            case .blobs: PackLayout.blobs
            case .prefix: PackLayout.directory(of: blob)
            case .blob: PackLayout.file(of: blob)
            case .temporary: PackLayout.temporaryFile(1)
            }
        }

        private var isDirectory: Bool { [.batches, .blobs, .prefix].contains(self) }

        /// Whether a directory is what belongs there.
        func isFit(_ odd: OddFile) -> Bool { isDirectory && odd == .directory }

        /// Whether a reader has something to say: what was a crash's is nobody's, and a manifest that cannot be read
        /// hides nothing.
        func troublesReader(_ odd: OddFile) -> Bool {
            self != .temporary && !(self == .manifest && odd == .hugeFile)
        }

        /// Whether a writer has: a plain file of another size makes way, as one that was cut short does.
        func troublesWriter(_ odd: OddFile) -> Bool { !([.blob, .temporary].contains(self) && odd == .hugeFile) }
    }

    /// A pack with one batch and one photo, in which something odd takes a place.
    private func prepared(_ place: Place, _ odd: OddFile, _ outside: OutsideTree, _ workshop: Workshop) throws -> Bool {
        let blob = try workshop.blob("a photo")
        let writer = try workshop.writer()
        try writer.add([batch(1)])
        try writer.endBatches()
        _ = try writer.add(blob.id, from: blob.path)
        _ = try writer.finish(isWhole: true)
        let path = "\(workshop.stick)/\(place.name(blob.id))"
        // What stood there, if anything did.
        rename(path, "\(workshop.path)/aside")
        return try odd.place(at: path, outside: outside)
    }

    /// Reads all that a pack has, as unpacking does.
    private static func readAll(_ workshop: Workshop, _ blob: BlobID) throws {
        let reader = try workshop.reader()
        for file in try reader.batchFiles() { _ = try reader.batches(inFile: file) }
        _ = try reader.blobCount()
        #expect(reader.contains(blob))
        _ = try reader.open(blob)?.blobID()
    }

    /// Shows that nothing odd is read, waited for or led away by: each ends with a sentence that names it and says what to
    /// do, in seconds, and stays as it is, as does everything outside.
    @Test(arguments: Place.allCases, OddFile.allCases)
    func nothingOddIsRead(place: Place, odd: OddFile) async throws {
        let workshop = try Workshop()
        let outside = try OutsideTree(in: workshop.path)
        let blob = try workshop.blob("a photo").id
        guard !place.isFit(odd), try prepared(place, odd, outside, workshop) else { return }
        let before = try outside.state()
        let error = try await ending { () -> PackError? in
            do {
                try Self.readAll(workshop, blob)
                return nil
            } catch {
                return error as? PackError
            }
        }
        #expect((error != nil) == place.troublesReader(odd), "\(place) \(odd): \(String(describing: error))")
        if let error {
            #expect(error.message.hasPrefix(workshop.stick) && error.message.hasSuffix("."), "\(error)")
            #expect(error.code == .obstacle, "\(error)")
        }
        #expect(odd.stands(at: "\(workshop.stick)/\(place.name(blob))"))
        #expect(try outside.state() == before)
    }

    /// Shows that nothing is written through, into or in place of anything odd, and that what was packed says so.
    @Test(arguments: Place.allCases, OddFile.allCases)
    func nothingOddIsWritten(place: Place, odd: OddFile) async throws {
        let workshop = try Workshop()
        let outside = try OutsideTree(in: workshop.path)
        let blob = try workshop.blob("a photo")
        guard !place.isFit(odd), try prepared(place, odd, outside, workshop) else { return }
        let before = try outside.state()
        let complaint = try await ending { () -> String? in
            do {
                let writer = try workshop.writer()
                try writer.add([batch(1), batch(2)])
                try writer.endBatches()
                let outcome = try writer.add(blob.id, from: blob.path)
                _ = try writer.finish(isWhole: true)
                if case .leftOut(let reason) = outcome { return reason }
                return nil
            } catch {
                return (error as? PackError)?.message
            }
        }
        #expect((complaint != nil) == place.troublesWriter(odd), "\(place) \(odd): \(complaint ?? "nothing")")
        if let complaint { #expect(complaint.contains(workshop.stick)) }
        if place.troublesWriter(odd) { #expect(odd.stands(at: "\(workshop.stick)/\(place.name(blob.id))")) }
        #expect(try outside.state() == before)
    }

    /// Shows that a photo that changes on its way into a pack is left out, and that nothing of it is there.
    @Test func changingPhotosAreLeftOut() throws {
        let workshop = try Workshop()
        let blob = try workshop.blob(String(repeating: "photo", count: 1 << 20))
        let writer = try workshop.writer()
        let outcome = try writer.add(blob.id, from: blob.path) { _ in #expect(truncate(blob.path, 1 << 20) == 0) }
        guard case .leftOut(let reason) = outcome else {
            Issue.record("it was packed")
            return
        }
        #expect(reason.contains("changed while it was read"))
        #expect(try writer.finish(isWhole: true).files == 0)
    }

    // MARK: Numbers

    /// Words that stand where a number is expected; `nil` for none at all.
    static let absurdNumbers: [String?] = [
        "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551616", "-1",
        "9007199254740992", "1e308", "1e999", "-1e308", "0.5", "-0", "null", "\"7\"", "true", "[]", "{}", nil,
    ]

    /// Shows that no number of a manifest is believed that no pack could have, in any field, and that the pack can be read
    /// all the same, unless a later version made it.
    @Test(arguments: ["potluck_pack", "batches", "files"], absurdNumbers)
    func absurdNumbersAreDamage(field: String, number: String?) throws {
        let workshop = try Workshop()
        try finish(workshop.writer())
        let lines = try #require(String(bytes: try workshop.bytes(PackLayout.manifest), encoding: .utf8))
            .split(separator: "\n").filter { !$0.contains("\"\(field)\"") }.map(String.init)
        var text = lines.joined(separator: "\n").dropLast()
        if text.last == "\n" { text = text.dropLast() }
        if text.last == "," { text = text.dropLast() }
        let addition = number.map { ",\"\(field)\": \($0)" } ?? ""
        try workshop.put("\(text)\(addition)}".utf8, PackLayout.manifest)
        do {
            let reader = try workshop.reader()
            if let manifest = reader.manifest {
                #expect((0...PackLimits.countMax).contains(manifest.batches))
                #expect((0...PackLimits.countMax).contains(manifest.files))
            }
            #expect(try reader.batches(inFile: 1).pages.flatMap(\.batches) == [batch(1)])
        } catch let error as PackError {
            #expect(field == "potluck_pack" && error.code == .newer)
        }
        // A writer refuses what it cannot read, and takes the rest for what it is.
        do {
            _ = try workshop.writer().finish(isWhole: true)
        } catch let error as PackError {
            #expect([.destination, .newer].contains(error.code), "\(error)")
        }
    }

    /// And lets go of the stick.
    private func finish(_ writer: consuming PackWriter) throws {
        try writer.add([batch(1)])
        _ = try writer.finish(isWhole: true)
    }

    /// Shows that names which look like a pack's are none, so that a number in them leads nowhere.
    @Test func oddNamesAreNone() {
        for name in ["-1.batches", "000000.batches", "1.batches", "+00001.batches", "9223372036854775808.batches"] {
            #expect(PackLayout.batchFileNumber(name) == nil, "\(name)")
        }
        #expect(PackLayout.batchFileNumber("000012.batches") == 12)
        #expect(PackLayout.batchFileNumber("1000000.batches") == 1_000_000)
        for name in [".potluck-new-", ".potluck-new-/x", ".potluck-new-x", ".potluck-new-1234567890", ".potluck"] {
            #expect(!PackLayout.isTemporary(name), "\(name)")
        }
        #expect(PackLayout.isTemporary(PackLayout.temporaryFile(12)))
    }
}
