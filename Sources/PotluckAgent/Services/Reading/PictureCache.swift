public import AlbumModel
import FoundationEssentials
import MediaReader
import Synchronization

/// Larger pictures that were made when somebody asked for them, kept in the home so that the next one need not wait.
///
/// All of it may be deleted at any time, by anybody. What was not asked for longest goes first where it becomes too much.
/// Calls block, and may come from several threads and processes at a time.
public final class PictureCache: Sendable {
    private let directory: URL
    private let byteCountMax: Int
    /// What is kept, as far as this process knows; `nil` until it has looked.
    private let byteCount = Mutex<Int?>(nil)

    /// - Parameters:
    ///   - home: its absolute path; the directory is made when the first picture comes.
    ///   - byteCountMax: of all pictures together.
    public init(home: String, byteCountMax: Int = 1 << 30) {
        directory = URL(fileURLWithPath: home).appending(path: "cache/pictures", directoryHint: .isDirectory)
        self.byteCountMax = byteCountMax
    }

    /// The JPEG that was kept of a photo, fitting a square of `side` pixels; `nil` if there is none.
    public func picture(of photo: BlobID, fitting side: Int) -> [UInt8]? {
        let file = file(photo, side)
        // One that cannot be read is made again.
        guard let bytes = try? Data(contentsOf: file), bytes.starts(with: [0xFF, 0xD8]),
            bytes.suffix(2) == Data([0xFF, 0xD9])
        else { return nil }
        // Where the moment cannot be noted it only goes earlier than it should.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
        return [UInt8](bytes)
    }

    /// Keeps a JPEG. That it could not be kept, as on a full disk, matters to nobody.
    public func keep(_ bytes: [UInt8], of photo: BlobID, fitting side: Int) {
        guard bytes.count <= byteCountMax else { return }
        do {
            try FileManager.default.createDirectory(
                at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(bytes).write(to: file(photo, side), options: .atomic)
            byteCount.withLock { count in
                count = (count ?? 0) + bytes.count
                if count == bytes.count || count! > byteCountMax { count = Self.trim(directory, to: byteCountMax) }
            }
        } catch {
            return
        }
    }

    /// Other versions of the reader make other pictures.
    private func file(_ photo: BlobID, _ side: Int) -> URL {
        directory.appending(path: "\(photo.hex)-\(side)-\(MediaReader.version).jpg")
    }

    /// Lets the oldest go until nine tenths are left of what is allowed, if there is more than that.
    ///
    /// - Returns: How many bytes remain.
    private static func trim(_ directory: URL, to byteCountMax: Int) -> Int {
        let manager = FileManager.default
        let names = (try? manager.contentsOfDirectory(atPath: directory.path)) ?? []
        var files = names.compactMap { name -> (path: String, date: Date, byteCount: Int)? in
            let path = directory.path + "/" + name
            guard let attributes = try? manager.attributesOfItem(atPath: path) else { return nil }
            let date = attributes[.modificationDate] as? Date
            return (path, date ?? .distantPast, Int(attributes[.size] as? UInt64 ?? 0))
        }
        var total = files.reduce(0) { $0 + $1.byteCount }
        guard total > byteCountMax else { return total }
        files.sort { ($0.date, $0.path) < ($1.date, $1.path) }
        for file in files where total > byteCountMax / 10 * 9 {
            // Another process may have been faster.
            try? manager.removeItem(atPath: file.path)
            total -= file.byteCount
        }
        return total
    }
}
