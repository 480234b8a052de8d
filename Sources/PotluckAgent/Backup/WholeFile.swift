import AlbumModel
import Crypto
import DiskIO
import Glibc
import PhotoStore
import PotluckAPI

/// Files of a backup, copied as a whole or not at all, and what they hold. Blocks.
enum WholeFile {
    /// Copies a file below a directory, durably, over one that stands there.
    ///
    /// - Returns: the SHA-256 of what was read, in hexadecimal digits.
    @discardableResult
    static func copy(
        _ source: OpenFile, as name: String, in directory: OpenDirectory, mode: mode_t
    ) throws -> String {
        let file = try TemporaryFile(in: directory, name: name + OpenDirectory.temporaryEnding, mode: mode)
        let digest = try source.sha256 { try file.append($0) }
        try file.replace(name)
        return text(digest)
    }

    /// The SHA-256 of a file as the disk gives it back, in hexadecimal digits.
    static func hash(_ file: OpenFile) throws -> String {
        file.dropCache()
        return text(try file.sha256())
    }

    private static func text(_ digest: SHA256Digest) -> String { Hexadecimal.text(Array(digest)) }
}

extension PotluckError {
    /// What is wrong with a file of a backup or of a home, and what to do.
    init(_ error: FileError) {
        switch error {
        case _ where error.isFull:
            self.init(
                .tryAgain,
                "The disk with \(error.path) is full. Make room, or use a larger one, and run this again: it goes on where it was."
            )
        case _ where error.errno == EROFS:
            self.init(.failed, "\(error.path) cannot be written: the disk or stick is write-protected.")
        case _ where error.isObstacle: self.init(.failed, error.obstacleSentence)
        case _ where error.cause == .changed:
            self.init(
                .tryAgain, "\(error.reason). See that no other program writes to it, and run this again.")
        default: self.init(.failed, error.sentence)
        }
    }
}
