/// What is skipped by its name alone, and the reason that a person reads.
///
/// Names are compared without regard to case, as ASCII.
package enum JunkRules {
    /// The reason to skip a path below the folder, by any of its components; `nil` if none speaks against it.
    package static func reason(_ path: FolderPath) -> String? {
        let components = path.components
        for directory in components.dropLast() {
            if let reason = reason(directoryName: directory) { return reason }
        }
        return components.last.flatMap { reason(fileName: $0) }
    }

    package static func reason(fileName: some Collection<UInt8>) -> String? {
        let name = lowercased(fileName)
        if name.starts(with: "._") || name == ".ds_store" || name == "icon\r" { return "a file that macOS makes" }
        if windowsFiles.contains(name) { return "a file that Windows makes" }
        if name.starts(with: "synofile_thumb_") { return "a thumbnail that a NAS makes" }
        if name.starts(with: "~$") || name.hasSuffix("~") { return "a backup or lock file of an editor" }
        if unfinishedEndings.contains(where: { name.hasSuffix($0) }) { return "an unfinished download or copy" }
        if name.starts(with: ".") { return "a hidden file" }
        return nil
    }

    package static func reason(directoryName: some Collection<UInt8>) -> String? {
        let name = lowercased(directoryName)
        if name.starts(with: "@") && nasDirectories.contains(name) { return "a directory that a NAS makes" }
        if name.starts(with: ".trash") || trashDirectories.contains(name) { return "in a trash" }
        if systemDirectories.contains(name) { return "a directory of the operating system" }
        if name.starts(with: ".") { return "in a hidden directory" }
        return nil
    }

    private static let windowsFiles: Set<String> = [
        "thumbs.db", "ehthumbs.db", "ehthumbs_vista.db", "desktop.ini", "picasa.ini", "zbthumbnail.info",
    ]
    private static let unfinishedEndings = [
        ".part", ".partial", ".crdownload", ".download", ".opdownload", ".filepart", ".aria2", ".tmp", ".temp", ".!ut",
        ".!qb", ".swp", ".lock",
    ]
    private static let nasDirectories: Set<String> = ["@eadir", "@__thumb", "@recycle", "@recently-snapshot", "@tmp"]
    private static let trashDirectories: Set<String> = ["$recycle.bin", "#recycle", "recycler", "recently deleted"]
    private static let systemDirectories: Set<String> = [
        "system volume information", "lost+found", "__macosx", ".spotlight-v100", ".fseventsd", ".thumbnails",
    ]

    private static func lowercased(_ name: some Collection<UInt8>) -> String {
        String(decoding: name.map { (65...90).contains($0) ? $0 + 32 : $0 }, as: UTF8.self)
    }
}
