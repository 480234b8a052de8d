/// The names that this program itself makes in the folder.
package struct OwnNames: Sendable {
    /// The path of the file that tells whether the folder is there.
    package let marker: FolderPath
    private let passingPrefixes: [[UInt8]]

    /// - Parameter passingPrefixes: Of names that files have only on their way to their own ones, or away from there.
    package init(marker: FolderPath, passingPrefixes: [String]) {
        self.marker = marker
        self.passingPrefixes = passingPrefixes.map { Array($0.utf8) }
    }

    /// Whether a file is one of this program's, which is skipped without a word.
    package func isOwn(_ path: FolderPath) -> Bool { path == marker || isPassing(path) }

    package func isPassing(_ path: FolderPath) -> Bool { passingPrefixes.contains { path.name.starts(with: $0) } }
}
