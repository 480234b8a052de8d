/// What a watcher of the folder tells.
package enum FolderEvent: Hashable, Sendable {
    /// Something that is no directory appeared, or was closed by a writer.
    case touched(FolderPath)
    /// What was no directory is not there any more.
    case vanished(FolderPath)
    /// A directory is not there any more.
    case directoryVanished(FolderPath)
    /// Events were lost, the folder itself went, or a directory that appeared could not be looked into.
    case rescanNeeded
    /// A disk was mounted in the folder, or is mounted there no more.
    case mountsChanged
}

/// What some events mean together.
package struct FolderNews: Hashable, Sendable {
    /// Paths to look at.
    package private(set) var touched: [FolderPath] = []
    /// Paths at which there may be nothing any more.
    package private(set) var vanished: [FolderPath] = []
    package private(set) var isScanNeeded = false

    /// - Parameters:
    ///   - marker: The path that tells whether the folder is there.
    ///   - isPassing: Whether this program itself puts files of such a name there for a moment.
    ///   - mounts: Directories at which a disk is, or was, mounted.
    ///   - files: The known files below a directory, those first that are on their way into folder state.
    package init(
        _ events: [FolderEvent], marker: FolderPath, isPassing: (FolderPath) -> Bool, mounts: Set<FolderPath>,
        files: (FolderPath) -> [FolderPath]
    ) {
        for event in events {
            switch event {
            case .touched(marker), .vanished(marker), .rescanNeeded, .mountsChanged: isScanNeeded = true
            case .touched(let path):
                if !isPassing(path) { touched.append(path) }
            case .vanished(let path):
                if !isPassing(path) { vanished.append(path) }
            case .directoryVanished(let directory):
                // A mount in it has gone along to another name; a scan finds it before anything is judged.
                if mounts.contains(where: { $0.isWithin(directory) }) { isScanNeeded = true }
                vanished += files(directory)
            }
        }
    }
}
