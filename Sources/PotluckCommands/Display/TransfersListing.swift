import PotluckAPI

/// What comes and how fast, as text for people.
enum TransfersListing {
    static func text(_ report: TransfersReport) -> String {
        let state =
            report.paused
            ? "Paused: no originals come until `potluck resume`; others still get what they miss."
            : "Not paused."
        return "\(state)\nUp: \(limit(report.limitUp)). Down: \(limit(report.limitDown)).\n"
    }

    /// `photos 2.1 GB, trash 120 MB, small pictures 13 MB; as files of the folder 2.1 GB more`.
    private static func space(_ use: DiskReport.Use) -> String {
        var parts = ["photos \(Phrases.size(use.photos))"]
        if use.trash > 0 { parts.append("trash \(Phrases.size(use.trash))") }
        if use.pictures > 0 { parts.append("small pictures \(Phrases.size(use.pictures))") }
        let text = parts.joined(separator: ", ")
        return use.folder > 0 ? "\(text); as files of the folder \(Phrases.size(use.folder)) more" : text
    }

    static func limit(_ rate: UInt64?) -> String { rate.map { "at most \(Phrases.size($0))/s" } ?? "no limit" }

    static func originals(_ report: OriginalsReport, cellCount: Int?) -> String {
        guard !report.albums.isEmpty else { return "There are no albums yet.\n" }
        let table = Table(
            columns: [
                .init(title: "Album", isShortenable: true), .init(title: "Originals"),
                .init(title: "Photos", isNumber: true), .init(title: "Here", isNumber: true),
                .init(title: "Left out", isNumber: true, isOptional: true),
            ],
            rows: report.albums.map { album in
                [
                    album.name, album.originals.rawValue, Phrases.grouped(album.photos), Phrases.grouped(album.here),
                    album.leftOut.photos == 0
                        ? "" : "\(Phrases.grouped(album.leftOut.photos)), \(Phrases.size(album.leftOut.bytes))",
                ]
            })
        return table.text(cellCount: cellCount)
    }

    /// Lines of a status; none where nothing is bounded.
    static func statusLines(_ report: StatusReport) -> [String] {
        var lines: [String] = []
        if report.paused == true { lines.append("Paused   no originals come; `potluck resume` goes on") }
        if report.limitUp != nil || report.limitDown != nil {
            lines.append("Limits   up \(limit(report.limitUp)), down \(limit(report.limitDown))")
        }
        if let disk = report.disk, let use = disk.use {
            lines.append("Space    \(space(use)); \(Phrases.size(disk.free)) free")
        }
        if let amount = report.leftOut, amount.photos > 0 {
            let photos = "\(Phrases.count(amount.photos, "photo")), \(Phrases.size(amount.bytes))"
            lines.append("Left out \(photos), as `potluck originals` says; `potluck fetch` gets them")
        }
        return lines
    }
}
