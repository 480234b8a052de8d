import Foundation

/// A place where a file breaks a rule, in words that say what to do.
struct Breach: CustomStringConvertible, Hashable {
    var path: String
    var line: Int
    var sentence: String

    var description: String { "\(path):\(line): \(sentence)" }
}

enum Rules {
    static let lineCountMax = 700

    static func breaches(_ file: SourceFile) -> [Breach] {
        imports(file) + length(file) + purity(file) + disk(file) + printing(file) + escapes(file)
    }

    // MARK: Imports

    /// Imports point down only, and name no library that the target has no business with.
    static func imports(_ file: SourceFile) -> [Breach] {
        guard let layer = Layers.layer(of: file.target) else {
            return [Breach(path: file.path, line: 1, sentence: "\(file.target) has no row in Layers")]
        }
        let foreign = file.isGenerated ? Layers.generatedForeign : layer.foreign
        return imported(by: file).compactMap { module, line in
            guard module != "Swift", !layer.own.contains(module), !foreign.contains(module) else { return nil }
            return Breach(path: file.path, line: line, sentence: "\(file.target) may not import \(module)")
        }
    }

    static func imported(by file: SourceFile) -> [(module: String, line: Int)] {
        let pattern = importPattern
        var found: [(module: String, line: Int)] = []
        for (index, line) in file.code.enumerated() where line.contains("import") {
            for statement in line.split(separator: ";") {
                guard let match = statement.firstMatch(of: pattern) else { continue }
                found.append((String(match.output.1), index + 1))
            }
        }
        return found
    }

    // MARK: Size

    static func length(_ file: SourceFile) -> [Breach] {
        guard file.lines.count > lineCountMax, !file.isGenerated else { return [] }
        let sentence = "\(file.lines.count) lines are too many for one file; \(lineCountMax) are allowed"
        return [Breach(path: file.path, line: file.lines.count, sentence: sentence)]
    }

    // MARK: Purity

    /// A pure target is handed the time and the generator.
    static func purity(_ file: SourceFile) -> [Breach] {
        guard Layers.pure.contains(file.target), !file.isGenerated else { return [] }
        let (clock, entropy, draw, using) = (clockPattern, entropyPattern, drawPattern, usingPattern)
        var breaches: [Breach] = []
        for (index, line) in file.code.enumerated() {
            for match in line.matches(of: clock) {
                let sentence = "\(file.target) reads no clock, but \(match.output) does"
                breaches.append(Breach(path: file.path, line: index + 1, sentence: sentence))
            }
            for match in line.matches(of: entropy) {
                let sentence = "\(file.target) draws nothing by itself, but \(match.output) does"
                breaches.append(Breach(path: file.path, line: index + 1, sentence: sentence))
            }
            for match in line.matches(of: draw) {
                let arguments = arguments(in: file.code, line: index, after: match.range.upperBound)
                guard !arguments.contains(using) else { continue }
                let sentence = "\(match.output)…) needs `using:` a generator that was handed in"
                breaches.append(Breach(path: file.path, line: index + 1, sentence: sentence))
            }
        }
        return breaches
    }

    /// What stands between the parenthesis that ends before `start` and the one that closes it.
    private static func arguments(in code: [String], line: Int, after start: String.Index) -> String {
        var depth = 1, text = ""
        var rest = code[line][start...]
        var next = line + 1
        while true {
            for character in rest {
                if character == "(" { depth += 1 }
                if character == ")" { depth -= 1 }
                guard depth > 0 else { return text }
                text.append(character)
            }
            guard next < code.count else { return text }
            text.append("\n")
            rest = code[next][...]
            next += 1
        }
    }

    // MARK: Disk

    private static let cLibraries: Set<String> = [
        "Glibc", "CFileOps", "Foundation", "FoundationEssentials", "Dispatch",
    ]
    private static let listingCalls: Set<String> = [
        "opendir", "fdopendir", "readdir", "readdir64", "readdir_r", "scandir", "getdents64",
    ]

    /// Calls on files stand in one target: an error of theirs is easily taken for an answer, and what is durable when is to
    /// be read in one place.
    static func disk(_ file: SourceFile) -> [Breach] {
        // Where the C library is not imported, these are other functions.
        let isReaching = imported(by: file).contains { cLibraries.contains($0.module) }
        guard file.target != "DiskIO", isReaching else { return [] }
        let (call, opening) = (diskPattern, openingPattern)
        return file.code.enumerated().flatMap { index, line in
            var names = line.matches(of: opening).map { String($0.output.1) }
            for match in line.matches(of: call) {
                // The system's calls have no labels; a target's own functions of these names do.
                let arguments = arguments(in: file.code, line: index, after: match.range.upperBound)
                let isOwn = !line[match.range].contains("Glibc.") && arguments.contains(labelPattern)
                let isType = arguments.allSatisfy(\.isWhitespace)
                if !isOwn, !isType, !line[..<match.range.lowerBound].hasSuffix("func") {
                    names.append(String(match.output.1))
                }
            }
            // A loop over readdir takes an error for the end of the directory: nobody else has one.
            return names.filter { !Layers.mayTouchDisk(file) || listingCalls.contains($0) }.map { name in
                Breach(path: file.path, line: index + 1, sentence: "\(file.target) calls \(name); DiskIO does that")
            }
        }
    }

    // MARK: Output

    /// Only commands talk to a person; the rest has a logger, and an agent's standard output is its ready line.
    static func printing(_ file: SourceFile) -> [Breach] {
        guard !Layers.talking.contains(file.target), !file.isGenerated else { return [] }
        guard !file.words.isDisjoint(with: ["print", "debugPrint", "dump"]) else { return [] }
        let pattern = printPattern
        return file.code.enumerated().compactMap { index, line in
            guard let match = line.firstMatch(of: pattern) else { return nil }
            return Breach(path: file.path, line: index + 1, sentence: "\(file.target) may not call \(match.output.1)")
        }
    }

    // MARK: Escapes from the concurrency checker

    static let commentLineCountBefore = 4
    static let commentLineCountAfter = 2

    /// An escape is argued where it stands: a comment near it names what protects the state.
    static func escapes(_ file: SourceFile) -> [Breach] {
        guard !file.isGenerated, !file.words.isDisjoint(with: ["unchecked", "unsafe"]) else { return [] }
        let (escape, protector) = (escapePattern, protectorPattern)
        return file.code.enumerated().compactMap { index, line in
            guard let match = line.firstMatch(of: escape) else { return nil }
            let first = max(0, index - commentLineCountBefore)
            let last = min(file.lines.count - 1, index + commentLineCountAfter)
            let isArgued = (first...last).contains { comment(file, $0).contains(protector) }
            let sentence = "\(match.output) needs a comment that names what protects the state"
            return isArgued ? nil : Breach(path: file.path, line: index + 1, sentence: sentence)
        }
    }

    /// From the comment's sign to the end of the line; empty without one.
    private static func comment(_ file: SourceFile, _ index: Int) -> Substring {
        let line = file.lines[index]
        let code = Array(file.code[index].utf8)
        var start = line.utf8.startIndex
        for offset in code.indices {
            let rest = line.utf8[start...]
            if code[offset] == UInt8(ascii: " "), rest.starts(with: "//".utf8) { return line[start...] }
            start = line.utf8.index(after: start)
        }
        return ""
    }

    // MARK: Patterns
    //
    // Simple word boundaries: by default a full stop between two words is none.

    private static var importPattern: Regex<(Substring, Substring)> {
        /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|typealias|func|var|let|actor)\s+)?(\w+)/
    }
    private static var clockPattern: Regex<Substring> {
        /\b(?:ContinuousClock|SuspendingClock|DispatchTime|DispatchWallTime|clock_gettime|gettimeofday|ProcessInfo|Date\s*\(\s*\)|Date\.now|Task\.sleep|time\s*\(\s*nil\s*\))/
            .wordBoundaryKind(.simple)
    }
    private static var entropyPattern: Regex<Substring> {
        /\b(?:SystemRandomNumberGenerator|UUID\s*\(\s*\)|getrandom|arc4random\w*|PrivateKey\s*\(\s*\)|SymmetricKey\s*\(\s*size|Nonce\s*\(\s*\)|Hasher\s*\(\s*\)|hashValue\b)/
            .wordBoundaryKind(.simple)
    }
    private static var drawPattern: Regex<Substring> { /\.(?:random|randomElement|shuffle|shuffled)\s*\(/ }
    private static var usingPattern: Regex<Substring> { /\busing\s*:/.wordBoundaryKind(.simple) }
    private static var printPattern: Regex<(Substring, Substring)> { /(?:^|[^.\w])(print|debugPrint|dump)\s*\(/ }
    private static var diskPattern: Regex<(Substring, Substring)> {
        /(?:^|[^.\w]|\bGlibc\.)((?:fd)?opendir|readdir(?:64|_r)?|scandir|getdents64|creat|fopen|rename(?:at2?)?|f(?:data)?sync|syncfs|unlink(?:at)?|rmdir|link(?:at)?|symlink(?:at)?|mkdir(?:at)?|flock|pread|pwrite|[fl]?stat|fstatat|f?statvfs|f?truncate|f?chmod|futimens|utimensat|lseek|sendfile|posix_f\w+|cfileops_\w+)\s*\(/
    }
    /// `open` is a common name; the system's takes flags.
    private static var openingPattern: Regex<(Substring, Substring)> {
        /(?:^|[^.\w]|\bGlibc\.)(open(?:at)?)\s*\([^()]*(?:\([^()]*\))*[^()]*\bO_[A-Z]/
    }
    private static var labelPattern: Regex<Substring> { /\w+:\s/ }
    private static var escapePattern: Regex<Substring> { /@unchecked\s+Sendable|nonisolated\s*\(\s*unsafe\s*\)/ }
    private static var protectorPattern: Regex<Substring> {
        /(?i)\b(?:locks?|locked|mutex|queue|loop|thread|actor|handler|immutable|never changes?|alone)\b/
            .wordBoundaryKind(.simple)
    }
}
