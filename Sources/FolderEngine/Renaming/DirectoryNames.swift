package import AlbumModel

/// The names in a directory, by a whole listing of it, and what this program changed since.
package struct DirectoryNames: Sendable {
    /// When the listing began.
    let listed: MonotonicInstant
    /// By what a person would call the same.
    private var names: [String: Set<[UInt8]>] = [:]

    package init(_ entries: [FolderWalk.Entry], listed: MonotonicInstant) {
        self.listed = listed
        for entry in entries { insert(entry.name) }
    }

    /// Whether an entry has this very name.
    package func contains(_ name: some Collection<UInt8>) -> Bool {
        names[Self.folded(name)]?.contains(Array(name)) ?? false
    }

    /// Whether an entry has a name that a person would call the same.
    func isTaken(_ name: String) -> Bool { names[DiskName.folded(name)] != nil }

    mutating func rename(_ former: some Collection<UInt8>, to target: some Collection<UInt8>) {
        let folded = Self.folded(former)
        names[folded]?.remove(Array(former))
        if names[folded]?.isEmpty == true { names[folded] = nil }
        insert(Array(target))
    }

    private mutating func insert(_ name: [UInt8]) { names[Self.folded(name), default: []].insert(name) }

    private static func folded(_ name: some Collection<UInt8>) -> String {
        DiskName.folded(String(decoding: name, as: UTF8.self))
    }
}
