import NIOPosix
import PotluckAPI

/// Where a command reads an invite phrase or a recovery code that is not to stand on its command line.
struct PhraseFile {
    private static let standardInputName = "-"

    /// For sentences.
    private let name: String
    /// `nil` where there is nothing more.
    private let firstLine: @Sendable () async throws -> String?

    /// - Parameter path: `-` is standard input.
    init(_ path: String, console: Console) {
        if path == Self.standardInputName {
            self = .standardInput(console: console)
        } else {
            let path = FilePaths.absolute(path, from: console.directory)
            self.init(name: path) {
                try await NIOThreadPool.singleton.runIfActive { try InputLine.read(path: path) }
            }
        }
    }

    static func standardInput(console: Console) -> PhraseFile {
        PhraseFile(name: "standard input", firstLine: console.readLine)
    }

    private init(name: String, firstLine: @escaping @Sendable () async throws -> String?) {
        self.name = name
        self.firstLine = firstLine
    }

    /// The first line, which must hold something.
    func phrase() async throws -> String {
        try await line(of: "invite phrase", advice: "`potluck invite` on another laptop shows the phrase.")
    }

    /// The first line, which must hold something.
    func recoveryCode() async throws -> String {
        try await line(of: "recovery code", advice: "`potluck host` printed it once, for paper.")
    }

    private func line(of what: String, advice: String) async throws -> String {
        guard let line = try await firstLine(), line.contains(where: { !$0.isWhitespace }) else {
            throw PotluckError(
                .usage,
                "The first line of \(name) is empty: there is no \(what) in it, and nothing was changed. \(advice)")
        }
        return line
    }
}
