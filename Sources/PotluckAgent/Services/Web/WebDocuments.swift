import DiskIO
import NIOPosix
import PotluckAPI

/// Small documents of the doors for browsers, in `web/` of the home.
struct WebDocuments: Sendable {
    /// The largest is the one of uploads: 1,024 of them, some 5 KiB each.
    private static let byteCountMax = 16 << 20

    let home: String
    let pool: NIOThreadPool

    func document(_ name: String) async throws -> [UInt8]? {
        try await telling(name) { directory in
            guard let file = try directory.file(name + ".json") else { return nil }
            return try file.bytes(atMost: Self.byteCountMax)
        }
    }

    func keep(_ document: [UInt8], as name: String) async throws {
        try await telling(name) { directory in
            let temporaryName = name + OpenDirectory.temporaryEnding
            try directory.write(document, as: name + ".json", temporaryName: temporaryName, mode: 0o600)
        }
    }

    private func telling<Value: Sendable>(
        _ name: String, _ body: @escaping @Sendable (OpenDirectory) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.perform { [home] in
                try body(try OpenDirectory(path: home).makeDirectory("web", mode: 0o700))
            }
        } catch let error as FileError {
            throw PotluckError(
                .failed,
                "What browsers need is kept in \(home)/web, and \(name).json there cannot be read or written: \(error). Mend that, or move the file away, which signs everybody out."
            )
        }
    }
}
