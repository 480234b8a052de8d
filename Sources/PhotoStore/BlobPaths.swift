import AlbumModel
import DiskIO

/// Where things stand below a home; see ``BlobStore``.
struct BlobPaths: Sendable {
    static let partSuffix = ".part"

    static let blobsName = "blobs"
    static let stagingName = "staging"
    /// `00` to `ff`: the directories in `blobs`.
    static let prefixes = (0...UInt8.max).map { Hexadecimal.text([$0]) }

    let home: String
    var blobs: String { home + "/" + Self.blobsName }
    var staging: String { home + "/" + Self.stagingName }
    /// Files that were found damaged.
    var quarantine: String { home + "/quarantine" }

    func directory(of id: BlobID) -> String { blobs + "/" + id.hex.prefix(2) }

    func blob(_ id: BlobID) -> String { directory(of: id) + "/" + id.hex.dropFirst(2) }

    /// What is being received.
    func part(_ id: BlobID) -> String { staging + "/" + Self.partName(id) }

    static func partName(_ id: BlobID) -> String { id.hex + partSuffix }

    /// What is being taken in, before it has a hash.
    func newStagingFile() -> String { staging + "/" + Self.randomName() + ".new" }

    static func randomName() -> String { Hexadecimal.text(BigEndian.bytes(UInt64.random(in: 0...UInt64.max))) }

    /// The blob that a file in `staging/` is a part of; `nil` for anything else.
    static func blobID(ofPart name: String) -> BlobID? {
        name.hasSuffix(partSuffix) ? BlobID(hex: name.dropLast(partSuffix.count)) : nil
    }

    /// A store that held blobs has its directories, however many files were deleted from them. A `blobs` without any of
    /// them is another place: the directory that a disk is missing from, say. One that was deleted as a whole comes back.
    func refuseAnotherDisk(remembering count: Int) throws {
        guard count > 0, PathPresence(of: blobs) != .absent else { return }
        let isThere = try Disk.exists(blobs) && Disk.names(in: blobs).contains { $0.utf8.count == 2 }
        guard !isThere else { return }
        throw BlobError(
            .system,
            "\(blobs) is empty, but \(count) photos and small pictures were in it: is a disk missing? Nothing was changed. If they were deleted on purpose, delete \(blobs) itself as well: the photos come again from the other laptops."
        )
    }

    /// Makes all directories, so that no later commit has to sync more than one of them.
    func makeDirectories() throws {
        for path in [blobs, staging] { try Disk.makeDirectory(path, mode: 0o700) }
        let present = Set(try Disk.names(in: blobs))
        for name in Self.prefixes where !present.contains(name) {
            try Disk.makeDirectory(blobs + "/" + name, mode: 0o700)
        }
        try Disk.synchronizeDirectory(blobs)
        try Disk.synchronizeDirectory(home)
    }

    /// The names of all blob files.
    func blobIDs() throws -> Set<BlobID> {
        var ids: Set<BlobID> = []
        for (place, prefix) in Self.prefixes.enumerated() {
            // Hashes are spread evenly.
            if place == 1 { ids.reserveCapacity(ids.count * Self.prefixes.count * 9 / 8) }
            for name in try Disk.names(in: blobs + "/" + prefix) {
                if let id = BlobID(hex: prefix + name) { ids.insert(id) }
            }
        }
        return ids
    }
}
