import DiskIO
import PotluckAPI

/// What left its album, is hidden or came back, as text for people.
enum RemovalListing {
    static func trash(_ report: TrashReport, now: Instant, cellCount: Int?) -> String {
        guard !report.trash.isEmpty else { return "Nothing is in the trash.\n" }
        let table = Table(
            columns: [
                .init(title: "Photo", isShortenable: true, isKey: true), .init(title: "Album", isShortenable: true),
                .init(title: "Removed"), .init(title: "By", isShortenable: true, isOptional: true),
                .init(title: "Size", isNumber: true), .init(title: "Kept"), .init(title: "ID"),
            ],
            rows: report.trash.map { photo in
                [
                    photo.name, photo.album, Phrases.ago(photo.removed, now: now), photo.removedBy ?? "",
                    Phrases.size(photo.bytes), kept(photo, days: report.days), String(photo.id.prefix(8)),
                ]
            })
        let bytes = report.trash.reduce(0) { $0 + $1.bytes }
        var text = table.text(cellCount: cellCount)
        text += "\(Phrases.count(report.trash.count, "photo")), \(Phrases.size(bytes))\n"
        if report.trash.contains(where: \.isLastCopy) {
            text += "What says “last copy” is kept until you delete it: no other laptop is known to keep it.\n"
        }
        return text
    }

    /// What emptying the trash would do.
    static func preview(_ preview: TrashPreview) -> String {
        guard !preview.deleted.isEmpty || !preview.kept.isEmpty else { return "Nothing is in the trash.\n" }
        var lines = [
            "Would delete \(Phrases.count(preview.deleted.count, "photo")) from the trash for good, and free \(Phrases.size(preview.bytes))."
        ]
        if !preview.kept.isEmpty {
            let them = preview.kept.count == 1 ? "it" : "them"
            lines.append(
                "Would keep \(Phrases.count(preview.kept.count, "photo")): no other laptop is known to keep \(them). --last-copies would delete \(them) too."
            )
        }
        return (lines + ["Nothing was changed."]).map { $0 + "\n" }.joined()
    }

    private static func kept(_ photo: TrashReport.Photo, days: Int?) -> String {
        if photo.isLastCopy { return "last copy" }
        guard let daysLeft = photo.daysLeft else { return "" }
        return Phrases.count(Int(daysLeft.rounded(.up)), "day")
    }

    static func hidden(_ report: HiddenReport, now: Instant, cellCount: Int?) -> String {
        guard !report.hidden.isEmpty else { return "Nothing is hidden on this laptop.\n" }
        let table = Table(
            columns: [
                .init(title: "Photo", isShortenable: true, isKey: true), .init(title: "Album", isShortenable: true),
                .init(title: "By", isShortenable: true, isOptional: true), .init(title: "Hidden"), .init(title: "ID"),
            ],
            rows: report.hidden.map { photo in
                [
                    photo.name, photo.album, photo.by ?? "", Phrases.ago(photo.since, now: now),
                    String(photo.id.prefix(8)),
                ]
            })
        return table.text(cellCount: cellCount) + "\(Phrases.count(report.hidden.count, "photo"))\n"
    }

    static func leftOut(_ report: LeftOutReport, now: Instant, cellCount: Int?) -> String {
        guard !report.leftOut.isEmpty else { return "Nothing is left out.\n" }
        let table = Table(
            columns: [
                .init(title: "Photo", isShortenable: true, isKey: true), .init(title: "Album", isShortenable: true),
                .init(title: "By", isShortenable: true, isOptional: true), .init(title: "Added"),
                .init(title: "Size", isNumber: true), .init(title: "Here"), .init(title: "ID"),
            ],
            rows: report.leftOut.map { photo in
                [
                    photo.name, photo.album, photo.by, Phrases.ago(photo.added, now: now), Phrases.size(photo.bytes),
                    photo.here ? "yes" : "no", String(photo.id.prefix(8)),
                ]
            })
        let bytes = report.leftOut.map(\.bytes).clampedSum
        return table.text(cellCount: cellCount)
            + "\(Phrases.count(report.leftOut.count, "photo")), \(Phrases.size(bytes))\n"
            + "`potluck left-out --keep-all` puts those that are here into their albums, as added by this laptop.\n"
    }

    /// A sentence for each thing that was done, and one line for each photo with which something else was done.
    static func done(_ report: RemovalReport) -> String {
        let album = report.album.isEmpty ? "its album" : "“\(PrintableText.line(report.album))”"
        let groups = Dictionary(grouping: report.photos) { $0.outcome }
        let lines = groups.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { outcome, files in
            let photos = counted(files, \.id, \.partOf)
            let count = Phrases.count(photos.count, "photo")
            return [sentence(outcome, count, album, isOne: photos.count == 1)]
                + (outcome == .hidden ? photos.map(addedByOthers) : [])
        }
        return lines.isEmpty ? "There was nothing to do.\n" : lines.map { $0 + "\n" }.joined()
    }

    private static func sentence(
        _ outcome: RemovalReport.Outcome, _ photos: String, _ album: String, isOne: Bool
    ) -> String {
        let them = isOne ? "it" : "them"
        return switch outcome {
        case .removed: "Removed \(photos) from \(album), on every laptop. `potluck restore` brings \(them) back."
        case .hidden:
            "Hid \(photos) of \(album), on this laptop only. `potluck unhide` shows \(them) again, `potluck remove --for-everyone` removes \(them) everywhere."
        case .restored: "Restored \(photos) to \(album), on every laptop."
        case .shown: "\(photos) of \(album) \(isOne ? "is" : "are") shown again."
        case .added: "Added \(photos) to \(album), on every laptop."
        case .deleted: "Deleted \(photos) from the trash for good."
        case .kept:
            "Kept \(photos) in the trash: no other laptop is known to keep \(them). --last-copies deletes \(them) all the same."
        }
    }

    /// A sentence for each thing that was done.
    static func moved(_ report: MoveReport) -> String {
        let (from, to) = ("“\(PrintableText.line(report.album))”", "“\(PrintableText.line(report.to))”")
        let groups = Dictionary(grouping: report.photos) { $0.outcome }
        return groups.sorted { $0.key.rawValue < $1.key.rawValue }.map { outcome, files in
            let photos = counted(files, \.id, \.partOf)
            let count = Phrases.count(photos.count, "photo")
            let (they, are, them) = photos.count == 1 ? ("it stays", "is", "it") : ("they stay", "are", "them")
            return switch outcome {
            case .moved: "Moved \(count) from \(from) to \(to), on every laptop.\n"
            case .copied: "Copied \(count) from \(from) to \(to), on every laptop.\n"
            case .hidden:
                "Added \(count) to \(to), on every laptop. Others added \(them) to \(from): there \(they) for all others and \(are) hidden on this laptop.\n"
            }
        }.joined()
    }

    /// Those that count: of each photo and what belongs to it one.
    private static func counted<File>(
        _ files: [File], _ id: (File) -> String, _ lead: (File) -> String?
    ) -> [File] {
        var counted = Set(files.filter { lead($0) == nil }.map(id))
        return files.filter { file in lead(file).map { counted.insert($0).inserted } ?? true }
    }

    private static func addedByOthers(_ photo: RemovalReport.Photo) -> String {
        let others = photo.others.isEmpty ? "somebody else" : Phrases.list(photo.others)
        return "  " + PrintableText.line("\(photo.name): added by \(others)")
    }

    // MARK: The brake

    private static let nothingWaits = "Nothing waits for a decision.\n"

    /// What is about to be confirmed.
    static func waiting(_ held: BrakeReport.Held) -> String {
        let count = held.vanished + held.rewritten
        let title = "\(Phrases.count(count, "file")) \(count == 1 ? "is" : "are") gone from the folder, or changed:"
        let paths = held.paths.map { "  " + PrintableText.line($0) }
        let rest = count - paths.count
        return ([title] + paths + (rest > 0 ? ["  and \(Phrases.grouped(rest)) more"] : []))
            .map { $0 + "\n" }.joined()
    }

    /// - Parameter seen: What was listed before.
    static func confirmed(_ report: BrakeReport, seen: BrakeReport.Held?) -> String {
        guard let seen, let held = report.held else { return nothingWaits }
        let files = Phrases.count(seen.vanished + seen.rewritten, "file")
        return "Confirmed: what became of \(files) counts in the gathering now.\n"
            + (held.version == seen.version ? "" : "More went or changed meanwhile, and waits: see `potluck status`.\n")
    }

    static func undone(_ report: BrakeReport) -> String {
        guard let held = report.held else { return nothingWaits }
        let files = Phrases.count(held.vanished + held.rewritten, "file")
        return "Undone: the photos of \(files) are in the folder again.\n"
    }
}
