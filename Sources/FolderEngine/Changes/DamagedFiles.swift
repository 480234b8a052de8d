/// Files that hold other bytes than their photo's while neither their size nor their time has changed.
///
/// That is what a failing disk does, not what a person does, so they are no edits. Known until the next start, which reads
/// them once more.
package struct DamagedFiles: Sendable {
    package static let reason = """
        its bytes changed although its size and time did not, as damage does; the photo stays as it was shared. Delete the \
        file to have the good copy put in its place, or save or `touch` it to share it as it is
        """

    private struct Entry {
        var seen: FileSignature
        /// As folder state had it: a file that was put in its place since is another one.
        var known: FileSignature
    }

    private var entries: [FolderPath: Entry] = [:]

    package init() {}

    package mutating func insert(_ path: FolderPath, seen: FileSignature, known: FileSignature) {
        entries[path] = Entry(seen: seen, known: known)
    }

    package mutating func remove(_ path: FolderPath) { entries[path] = nil }

    mutating func follow(_ renaming: FolderRenaming) {
        for (former, target, entry) in renaming.moved(entries) {
            entries[former] = nil
            entries[target] = entry
        }
    }

    /// Whether the file that folder state has there was damaged.
    package func contains(_ path: FolderPath, known: FileSignature) -> Bool { entries[path]?.known == known }

    /// Their sizes as seen, of those that folder state still has as it had them.
    package func byteCounts(in state: FolderState) -> [FolderPath: UInt64] {
        entries.filter { state.files[$0.key]?.signature == $0.value.known }.mapValues(\.seen.byteCount)
    }

    package func contains(_ path: FolderPath, seen: FileSignature) -> Bool { entries[path]?.seen == seen }
}
