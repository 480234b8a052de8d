import AlbumModel

/// Texts that lie beside the photos.
enum ExportLists {
    /// As `sha256sum --check` reads it, sorted by name. No name here has a backslash or a line's end, which would need
    /// marks of their own.
    static func checksums(_ files: [NamedFile]) -> String {
        files.sorted { $0.name < $1.name }.map { "\($0.written.digest.hex)  \($0.name)\n" }.joined()
    }

    static func missing(_ files: [ExportSummary.Missing], album: String) -> String {
        let lines = files.map { file in
            "\(file.exportName)\n    \(line(file.reason)) (\(file.file.id.hex))\n"
        }
        let count = files.count == 1 ? "One file" : "\(files.count) files"
        return "\(count) of “\(line(album))” could not be exported:\n\n\(lines.joined())"
    }

    /// Text of others on one line.
    private static func line(_ text: String) -> String {
        String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
