import DiskIO
import NIOCore
import NIOPosix
import PotluckAPI
import WebGallery
import WebServer

/// Files on their way from browsers, in `uploads/` of the home. Not in `staging/`: what lies there is swept at each start
/// by whoever knows no uploads.
///
/// Calls for one upload come one after the other; ``UploadBook`` sees to that.
actor UploadFiles {
    private static let ending = ".part"
    /// Files that stay open between two pieces.
    private static let openCountMax = 64

    private let home: String
    private let pool: NIOThreadPool
    private var open: [UploadID: StagedFile] = [:]

    init(home: String, pool: NIOThreadPool) {
        self.home = home
        self.pool = pool
    }

    nonisolated func path(of upload: UploadID) -> String { "\(home)/uploads/\(Self.name(upload))" }

    private static func name(_ upload: UploadID) -> String { upload.text + ending }

    /// What lies there; what is no upload's stays and is not told.
    func all() async throws -> [UploadID: UInt64] {
        try await telling { directory in
            var all: [UploadID: UInt64] = [:]
            for name in try directory.names() where name.hasSuffix(Self.ending) {
                guard let id = UploadID(parsing: name.dropLast(Self.ending.count)),
                    let look = try directory.look(name), look.kind == .file
                else { continue }
                all[id] = look.byteCount
            }
            return all
        }
    }

    func write(_ bytes: ByteBuffer, at offset: UInt64, of upload: UploadID) async throws {
        let file = try await file(upload)
        try await telling { _ in
            try bytes.withUnsafeReadableBytes { try file.write($0, at: offset) }
        }
    }

    func makeDurable(_ upload: UploadID) async throws {
        let file = try await file(upload)
        try await telling { directory in
            try file.synchronize()
            try directory.synchronize()
        }
        // Between two requests it may take hours.
        open[upload] = nil
    }

    func discard(_ upload: UploadID) async {
        open[upload] = nil
        // What cannot be removed is found at the next start, and tried again.
        try? await telling { directory in try directory.removeFile(Self.name(upload)) }
    }

    private func file(_ upload: UploadID) async throws -> StagedFile {
        if let file = open[upload] { return file }
        let file = try await telling { directory in
            try StagedFile(in: directory, name: Self.name(upload), mode: 0o600)
        }
        if open.count >= Self.openCountMax { open.removeAll() }
        open[upload] = file
        return file
    }

    private func telling<Value: Sendable>(
        _ body: @escaping @Sendable (OpenDirectory) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.perform { [home] in
                try body(try OpenDirectory(path: home).makeDirectory("uploads", mode: 0o700))
            }
        } catch let error as FileError {
            if error.isFull { throw UploadStageError.diskFull }
            throw PotluckError(.failed, "The file cannot be kept: \(error.reason).")
        }
    }
}
