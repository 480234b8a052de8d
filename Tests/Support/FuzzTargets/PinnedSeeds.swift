import FoundationEssentials
import PhotoPack
import WireFormat

/// The bytes of every message and statement that devices send, as their test pins them.
enum PinnedSeeds {
    /// By their names; none if the file cannot be read.
    static let all: [String: [UInt8]] = {
        // Tests/Support/FuzzTargets/PinnedSeeds.swift
        let folders = #filePath.split(separator: "/").dropLast(3)
        let path = folders.map { "/" + $0 }.joined() + "/WireFormatTests/PinnedMessages.txt"
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return [:] }
        var seeds: [String: [UInt8]] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            guard words.count == 2, let bytes = bytes(hex: words[1]) else { continue }
            seeds[String(words[0])] = bytes
        }
        return seeds
    }()

    /// Those whose names begin so, in the order of their names.
    static func named(_ prefixes: String...) -> [[UInt8]] {
        sorted { name in prefixes.contains { name.hasPrefix($0) } }
    }

    /// Those that are no batches or statements.
    static var messages: [[UInt8]] {
        sorted { name in
            !["batch-", "address-statement", "presence-summary", "ruling-"].contains { name.hasPrefix($0) }
        }
    }

    /// Files of a pack, with one page and with two.
    static var packs: [[UInt8]] {
        let pages = named("batches").compactMap { bytes -> BatchPage? in
            guard case .batches(let page)? = try? Message(decoding: bytes) else { return nil }
            return page
        }
        return [pages, pages + pages].map { BatchFile.mark + $0.flatMap { BatchFile.record($0) } }
    }

    private static func sorted(_ isWanted: (String) -> Bool) -> [[UInt8]] {
        all.filter { isWanted($0.key) }.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func bytes(hex: Substring) -> [UInt8]? {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count, digits.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
