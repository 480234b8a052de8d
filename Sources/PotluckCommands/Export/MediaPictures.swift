import AlbumExport
import Logging
import MediaReader
import NIOPosix
import PotluckAPI
import PotluckAgent

/// Pictures for an export, made by media workers of the command's own where the home does not have them.
struct MediaPictures: PictureMaker {
    private let reader: MediaReader
    private let cache: PictureCache

    /// Has workers while `body` runs; none is started before it is needed.
    static func with<Result: Sendable>(
        home: String, _ body: @escaping @Sendable (MediaPictures) async throws -> Result
    ) async throws -> Result {
        let reader = MediaReader(settings: .found(), logger: Logger(label: "potluck"))
        return try await withThrowingTaskGroup { group in
            group.addTask { () async throws -> Result? in
                try await reader.run()
                return nil
            }
            group.addTask { try await body(MediaPictures(reader: reader, cache: PictureCache(home: home))) }
            defer { group.cancelAll() }
            // The reader ends when it is told to: by the cancellation.
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    func picture(of file: ExportFile, fitting side: Int) async throws -> ExportPicture {
        let threads = NIOThreadPool.singleton
        if let kept = try await threads.runIfActive({ [cache] in cache.picture(of: file.id, fitting: side) }) {
            return ExportPicture(bytes: kept, mediaType: "image/jpeg")
        }
        let picture = try await telling { try await reader.picture(of: media(file), fitting: side) }
        try await threads.runIfActive { [cache] in cache.keep(picture.bytes, of: file.id, fitting: side) }
        return ExportPicture(bytes: picture.bytes, mediaType: picture.mediaType)
    }

    func copyWithoutPlace(of file: ExportFile, to path: String) async throws {
        try await telling { try await reader.copyWithoutPlace(of: media(file), to: path) }
    }

    private func media(_ file: ExportFile) -> MediaFile {
        MediaFile(path: file.path ?? "", name: file.name, modified: 0, byteCount: file.byteCount)
    }

    /// Tells what is wrong with a file from what is wrong with this laptop.
    private func telling<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as MediaError {
            guard error.code == .impossible else { throw error }
            throw ExportError(.failed, error.description)
        }
    }
}
