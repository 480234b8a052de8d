import NIOPosix
import PotluckAPI

/// Where `join` reads an invite phrase that is not to stand on its command line.
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
        guard let line = try await firstLine(), line.contains(where: { !$0.isWhitespace }) else {
            throw PotluckError(
                .usage,
                "The first line of \(name) is empty: there is no invite phrase in it, and nothing was changed. `potluck invite` on another laptop shows the phrase."
            )
        }
        return line
    }
}
