import AlbumModel

/// Where things are in a pack. Only hexadecimal digits, small letters and one hyphen, so that every file system that a
/// stick may have takes the names.
enum PackLayout {
    static let manifest = "potluck-pack.json"
    static let batches = "batches"
    static let blobs = "blobs"
    static let summaries = "summaries"
    /// Files of this prefix are being written; one without a process is a crash's.
    private static let temporaryPrefix = ".potluck-new-"
    private static let numberDigitCountMax = 9

    static func temporaryFile(_ number: Int) -> String { temporaryPrefix + String(number) }

    /// Whether a packing gives this name to a file that it is writing.
    static func isTemporary(_ name: String) -> Bool {
        guard name.hasPrefix(temporaryPrefix) else { return false }
        let digits = name.utf8.dropFirst(temporaryPrefix.utf8.count)
        return (1...numberDigitCountMax).contains(digits.count)
            && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// `batches/000001.batches`.
    static func batchFile(_ number: Int) -> String {
        let digits = String(number)
        return "\(batches)/\(String(repeating: "0", count: max(0, 6 - digits.count)))\(digits).batches"
    }

    /// The number of a file in `batches/`; `nil` for anything else.
    static func batchFileNumber(_ name: String) -> Int? {
        guard name.hasSuffix(".batches"), name.utf8.count <= numberDigitCountMax + 8,
            let number = Int(name.dropLast(8)), number > 0,
            "\(batches)/\(name)" == batchFile(number)
        else { return nil }
        return number
    }

    /// `blobs/ab`.
    static func directory(of blob: BlobID) -> String { "\(blobs)/\(blob.hex.prefix(2))" }

    /// `blobs/ab/cdef…`.
    static func file(of blob: BlobID) -> String { "\(directory(of: blob))/\(blob.hex.dropFirst(2))" }
}

/// Everything that bounds a pack.
enum PackLimits {
    /// A file of batches ends with the page that reaches this, so it has some 8 MiB and 256 KiB at most.
    static let batchFileByteCount = 8 << 20
    /// Longer ones are not ours.
    static let batchFileByteCountMax = 16 << 20
    /// A thousand devices' take some 1.5 MB. What does not fit is left out, and longer files are not ours.
    static let summariesByteCountMax = 16 << 20
    static let manifestByteCountMax = 64 << 10
    /// What the manifest can say of batches and of files: more than a stick holds.
    static let countMax = 1 << 40
    /// Files of batches. A gathering of a million photos needs some 200, and each packing adds at most a small one.
    static let batchFileCountMax = 1 << 16
    /// Batches that a packing tells apart, 32 bytes each: some 270 MB of a process of its own. A gathering of a million
    /// photos that came one at a time has half as many.
    static let knownBatchCountMax = 1 << 22
    /// Entries of any one directory: a pack with so many in each of its 256 has no room for their bytes.
    static let entryCountMax = 1 << 20
    /// Blobs that are synced together: what an interruption costs at most, one file above this aside.
    static let groupByteCount: UInt64 = 256 << 20
    static let groupFileCount = 256
    /// What is in memory of a blob at a time.
    static let chunkByteCount = 1 << 20
}
