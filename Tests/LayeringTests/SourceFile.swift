import Foundation

/// A Swift file, and the same with comments and the text of string literals blanked out: what is left is code, on the
/// same lines and at the same columns.
struct SourceFile {
    /// Of the product, and of what its tests are made with: each has one folder a target.
    static let folders = ["Sources", "Tests/Support"]

    /// The name of its folder.
    let target: String
    /// Below the package's folder.
    let path: String
    let lines: [String]
    let code: [String]
    /// Of the code: neither of comments nor of texts.
    let words: Set<Substring>

    init(target: String, path: String, text: String) {
        self.target = target
        self.path = path
        lines = Self.lines(of: text)
        var blanker = Blanker(text)
        let code = blanker.blanked()
        self.code = Self.lines(of: code)
        words = Self.words(of: code)
    }

    var isGenerated: Bool { path.hasSuffix(".pb.swift") }

    /// The file of a C module counts as no Swift file.
    static func all(in folders: [String] = folders, below root: URL) throws -> [SourceFile] {
        try folders.flatMap { folder in
            let sources = root.appendingPathComponent(folder)
            return try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted().compactMap {
                path -> SourceFile? in
                guard path.hasSuffix(".swift"), let slash = path.firstIndex(of: "/") else { return nil }
                let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
                return SourceFile(target: String(path[..<slash]), path: "\(folder)/\(path)", text: text)
            }
        }
    }

    /// The names of all targets that are no tests, as their folders tell.
    static func targets(below root: URL) throws -> [String] {
        try folders.flatMap { try targets(in: $0, below: root) }
    }

    static func targets(in folder: String, below root: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path)
            .filter { !$0.hasPrefix(".") }
    }

    /// Those of the package as it is; reading them all takes some seconds.
    static let ofPackage = Result {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try all(below: root)
    }

    private static func words(of code: String) -> Set<Substring> {
        Set(code.utf8.split { !isOfWord($0) }.map(Substring.init))
    }

    /// Bytes of letters beyond ASCII among them.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }

    private static func lines(of text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }
}

/// Replaces comments and string literals by spaces. What a string interpolates stays: it is code.
private struct Blanker {
    private let text: [UInt8]
    private var output: [UInt8] = []
    private var index = 0

    init(_ text: String) {
        self.text = Array(text.utf8)
        output.reserveCapacity(self.text.count)
    }

    mutating func blanked() -> String {
        code(untilParenthesis: false)
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func code(untilParenthesis: Bool) {
        var depth = 0
        while index < text.count {
            copyPlainCode()
            guard index < text.count else { return }
            if sees("//") {
                while index < text.count, text[index] != UInt8(ascii: "\n") { blank() }
            } else if sees("/*") {
                comment()
            } else if let poundCount = literal() {
                string(poundCount)
            } else {
                if text[index] == UInt8(ascii: "(") { depth += 1 }
                if text[index] == UInt8(ascii: ")") {
                    if untilParenthesis && depth == 0 { return }
                    depth -= 1
                }
                output.append(text[index])
                index += 1
            }
        }
    }

    /// Up to the next byte that may begin something else, which is most of a file.
    private mutating func copyPlainCode() {
        let end = text[index...].firstIndex { byte in
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "#"), UInt8(ascii: "\""), UInt8(ascii: "("), UInt8(ascii: ")"): true
            default: false
            }
        }
        output += text[index..<(end ?? text.count)]
        index = end ?? text.count
    }

    private mutating func comment() {
        var depth = 0
        repeat {
            if sees("/*") {
                depth += 1
                blank(2)
            } else if sees("*/") {
                depth -= 1
                blank(2)
            } else {
                blank()
            }
        } while depth > 0 && index < text.count
    }

    /// How many pounds stand before the quotation mark, if a string literal begins here.
    private func literal() -> Int? {
        var end = index
        while end < text.count, text[end] == UInt8(ascii: "#") { end += 1 }
        return end < text.count && text[end] == UInt8(ascii: "\"") ? end - index : nil
    }

    private mutating func string(_ poundCount: Int) {
        let pounds = String(repeating: "#", count: poundCount)
        blank(poundCount)
        let quotes = sees("\"\"\"") ? "\"\"\"" : "\""
        blank(quotes.utf8.count)
        while index < text.count, !sees(quotes + pounds) {
            // A literal of one line that does not end is no literal: better to lose a line than a file.
            if quotes.utf8.count == 1, text[index] == UInt8(ascii: "\n") { return }
            if sees("\\\(pounds)(") {
                blank(2 + poundCount)
                code(untilParenthesis: true)
                if index < text.count { blank() }
            } else if sees("\\\(pounds)") {
                blank(2 + poundCount)
            } else {
                blank()
            }
        }
        blank(quotes.utf8.count + poundCount)
    }

    private func sees(_ word: String) -> Bool {
        text[index] == word.utf8.first && text[index...].starts(with: word.utf8)
    }

    private mutating func blank(_ count: Int = 1) {
        for _ in 0..<count where index < text.count {
            output.append(text[index] == UInt8(ascii: "\n") ? text[index] : UInt8(ascii: " "))
            index += 1
        }
    }
}
