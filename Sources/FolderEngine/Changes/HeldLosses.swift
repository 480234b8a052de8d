package import AlbumModel

/// The losses that wait for a person, and with which version of their group each joined: who confirms names the version
/// that they saw, and what joined later goes on waiting.
package struct HeldLosses: Sendable {
    private struct Loss {
        /// The photo that is at the path now; `nil` where none is.
        var found: BlobID?
        var version: UInt64
    }

    private var losses: [FolderPath: Loss] = [:]
    /// Grows whenever something joins, also from one group to the next; 0 before the first.
    package private(set) var version: UInt64 = 0

    package init() {}

    package var paths: Set<FolderPath> { Set(losses.keys) }
    package var isEmpty: Bool { losses.isEmpty }

    package func contains(_ path: FolderPath) -> Bool { losses[path] != nil }

    /// From now on these wait, and no others. A path that holds another photo than it did joins anew.
    ///
    /// - Parameters:
    ///   - found: The photo that is at a path now; `nil` where none is.
    ///   - firstVersion: Of the first group that this run of the agent knows. It is random, so that a version that an earlier
    ///     run told of, when other losses waited, names none of these.
    package mutating func follow(
        _ paths: Set<FolderPath>, firstVersion: UInt64, found: (FolderPath) -> BlobID?
    ) {
        losses = losses.filter { path, loss in paths.contains(path) && loss.found == found(path) }
        let joined = paths.subtracting(losses.keys)
        if joined.isEmpty { return }
        version = version == 0 ? max(firstVersion, 1) : version + 1
        for path in joined { losses[path] = Loss(found: found(path), version: version) }
    }

    /// Those that a person saw who was told of this version, with the photos that were at their paths.
    func seen(in version: UInt64) -> [FolderPath: BlobID?] {
        if version > self.version { return [:] }
        return losses.filter { $0.value.version <= version }.mapValues(\.found)
    }

    /// Whether it waited.
    @discardableResult
    mutating func remove(_ path: FolderPath) -> Bool { losses.removeValue(forKey: path) != nil }

    mutating func removeAll() { losses = [:] }
}
