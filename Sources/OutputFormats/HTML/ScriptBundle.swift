/// Why modules cannot become one script.
public struct ScriptBundleError: Error, Hashable, CustomStringConvertible {
    /// The module's path, a colon, and what is wrong.
    public var description: String

    public init(description: String) {
        self.description = description
    }
}

/// ECMAScript modules as one classic script, for pages that are opened as files: browsers load no modules from those.
///
/// Each module becomes a function that runs once, after those that it imports, and returns what it exports. So it takes
/// what such a function can express: imports by name, and exported functions, classes and constants, each at a line's
/// beginning. Everything else is refused, and so is a name that is imported and not exported. Comments that have lines
/// of their own are left out.
public struct ScriptBundle {
    private struct Module {
        /// What the script calls its exports.
        var variable: String
        var exports: Set<String>
    }

    private let standIns: [String: String]
    private let source: (String) -> String?
    private var modules: [String: Module] = [:]
    /// Modules whose imports are being added, the outermost first.
    private var open: [String] = []
    private var text = ""

    /// - Parameters:
    ///   - entry: The path of the module that imports all others.
    ///   - standIns: Paths of modules, and of those that are taken in their place.
    ///   - source: The text of the module at a path; `nil` where there is none.
    /// - Returns: A script that may stand within a page.
    public static func script(
        of entry: String, standIns: [String: String] = [:], source: @escaping (String) -> String?
    ) throws(ScriptBundleError) -> String {
        var bundle = ScriptBundle(standIns: standIns, source: source)
        _ = try bundle.add(entry)
        return "\"use strict\";\n(() => {\n\(bundle.text)})();\n"
    }

    private init(standIns: [String: String], source: @escaping (String) -> String?) {
        self.standIns = standIns
        self.source = source
    }

    private mutating func add(_ wanted: String) throws(ScriptBundleError) -> Module {
        let path = standIns[wanted] ?? wanted
        if let module = modules[path] { return module }
        guard let source = source(path) else { throw failure(path, "there is no such module") }
        guard !open.contains(path) else { throw failure(path, "it imports itself, by way of \(open.last ?? path)") }
        open.append(path)
        let (body, exports) = try rewritten(source, path)
        open.removeLast()
        for refused in ["import.meta", "import(", "</script", "<!--"] where body.contains(refused) {
            throw failure(path, "a script within a page cannot have \(refused)")
        }
        let module = Module(variable: "module\(modules.count + 1)", exports: Set(exports))
        modules[path] = module
        text += "// \(path)\nconst \(module.variable) = (() => {\n\(body)"
        text += "return { \(exports.joined(separator: ", ")) };\n})();\n"
        return module
    }

    /// A module's text without imports and exports, and the names that it exports.
    private mutating func rewritten(
        _ source: String, _ path: String
    ) throws(ScriptBundleError) -> (body: String, exports: [String]) {
        var (body, exports): (String, [String]) = ("", [])
        var statement: String?
        for line in try withoutComments(source, path) {
            if statement != nil || Self.begins(line, with: "import") {
                let soFar = (statement.map { $0 + " " } ?? "") + line
                statement = line.hasSuffix(";") ? nil : soFar
                if statement == nil { body += try importing(soFar, path) + "\n" }
            } else if Self.begins(line, with: "export") {
                guard let name = Self.exported(line) else { throw failure(path, "it cannot have “\(line)”") }
                exports.append(name)
                body += line.dropFirst("export ".count) + "\n"
            } else {
                body += line + "\n"
            }
        }
        guard statement == nil else { throw failure(path, "an import does not end") }
        return (body, exports)
    }

    /// The lines that are not empty, and no comments.
    private func withoutComments(_ source: String, _ path: String) throws(ScriptBundleError) -> [Substring] {
        var lines: [Substring] = []
        var isComment = false
        for line in source.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            if code.isEmpty || !isComment && code.hasPrefix("//") { continue }
            isComment = isComment || code.hasPrefix("/*")
            guard isComment else {
                lines.append(line)
                continue
            }
            guard let end = code.firstRange(of: "*/") else { continue }
            isComment = false
            guard end.upperBound == code.endIndex else { throw failure(path, "it cannot have “\(line)”") }
        }
        return lines
    }

    private static func begins(_ line: Substring, with word: String) -> Bool {
        line.hasPrefix(word) && !(line.dropFirst(word.count).first?.isLetter ?? false)
    }

    private static func exported(_ line: Substring) -> String? {
        line.wholeMatch(of: /export (?:async function|function|class|const) (\w+)\b.*/).map { String($0.output.1) }
    }

    /// The line that stands for an import.
    private mutating func importing(_ statement: String, _ path: String) throws(ScriptBundleError) -> String {
        guard let match = statement.wholeMatch(of: /import \{\s*([^}]*?),?\s*\} from "([^"]+)";/) else {
            throw failure(path, "it cannot have “\(statement)”")
        }
        guard let other = Self.path(match.output.2, from: path) else {
            throw failure(path, "\(match.output.2) is no path of a module")
        }
        let module = try add(other)
        var names: [String] = []
        for part in match.output.1.split(separator: ",") {
            let words = part.split(whereSeparator: \.isWhitespace).map { String($0) }
            guard words.count == 1 || (words.count == 3 && words[1] == "as") else {
                throw failure(path, "it cannot have “\(statement)”")
            }
            guard module.exports.contains(words[0]) else {
                throw failure(path, "\(standIns[other] ?? other) does not export \(words[0])")
            }
            names.append(words.count == 1 ? words[0] : "\(words[0]): \(words[2])")
        }
        return "const { \(names.joined(separator: ", ")) } = \(module.variable);"
    }

    /// `shared/ids.js` for `../shared/ids.js` from `gallery/photos.js`; `nil` for what leads out.
    private static func path(_ name: Substring, from path: String) -> String? {
        guard name.hasPrefix("./") || name.hasPrefix("../") else { return nil }
        var parts = path.split(separator: "/").dropLast()
        for part in name.split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            guard parts.popLast() != nil else { return nil }
        }
        return parts.joined(separator: "/")
    }

    private func failure(_ path: String, _ reason: String) -> ScriptBundleError {
        ScriptBundleError(description: "\(path): \(reason)")
    }
}
