import PotluckAPI

/// Packing and unpacking as text for people.
enum PackListing {
    /// Longer lists are cut.
    private static let lineCountMax = 20

    // MARK: Packing

    static func packed(_ report: PackReport) -> String {
        let path = PrintableText.line(report.directory)
        let isOfPhotos = report.photos + report.unpacked + report.leftOut.count > 0
        // Of other photos, which --for or --since left out, there may be any number.
        var text = isOfPhotos ? "\(path) has \(Phrases.count(report.photos, "photo"))" : "No photo was to go to \(path)"
        text += report.kept > 0 ? ", \(Phrases.grouped(report.kept)) of them from before" : ""
        text += "; written now: \(Phrases.size(report.bytes))\(changes(report.batches)).\n"
        if report.absent > 0 {
            let (are, has) = report.absent == 1 ? ("is", "it") : ("are", "them")
            text +=
                "\(Phrases.count(report.absent, "photo")) \(are) not on this laptop; pack on one that has \(has) too.\n"
        }
        text += "On the other laptop: potluck unpack \(path)\n"
        return text + list("Left out", report.leftOut)
    }

    static func incomplete(_ report: PackReport) -> PotluckError {
        guard report.unpacked > 0 else {
            return PotluckError(.failed, "\(Phrases.count(report.leftOut.count, "photo")) could not be packed.")
        }
        return PotluckError(
            .failed,
            "The disk of \(report.directory) is full: there was no room for \(Phrases.count(report.unpacked, "photo")). What is there can be used. Make room, or take it in elsewhere and empty it, and pack again: it goes on where it stopped."
        )
    }

    // MARK: Unpacking

    static func unpacked(_ report: UnpackReport, now: Instant) -> String {
        var text = ""
        if let name = report.packedBy {
            let time = report.packedAt.map { ", \(Phrases.ago($0, now: now))" } ?? ""
            text += PrintableText.line("Packed on \(name)\(time).") + "\n"
        }
        if report.isNothing, !report.isDamaged {
            text += "There is nothing new in it.\n"
        } else {
            text += "Taken in: \(Phrases.count(report.photos, "photo")), \(Phrases.size(report.bytes))"
            text += "\(changes(report.batches)).\n"
        }
        if report.photos > 0, !report.isRunning { text += "`potluck up` puts them into the folder.\n" }
        if report.missing > 0 {
            text += "\(Phrases.count(report.missing, "photo")) of the gathering \(report.missing == 1 ? "is" : "are") "
            text += "still missing on this laptop.\n"
        }
        if report.whole == false { text += "The packing had not come to its end, so more may follow.\n" }
        return text + list("Damaged", report.damaged)
    }

    static func damaged(_ report: UnpackReport) -> PotluckError {
        let parts = [
            part(report.damaged.count, Phrases.count(report.damaged.count, "photo"), "damaged"),
            part(report.gone, Phrases.count(report.gone, "file"), "gone from it"),
            part(report.unreadable, batches(report.unreadable), "unreadable"),
            part(report.refused, batches(report.refused), "refused"),
        ]
        return PotluckError(
            .failed,
            "The pack is damaged: \(Phrases.list(parts.compactMap { $0 })). All else was taken in. Say `potluck pack` with --verify on the other laptop, and unpack again."
        )
    }

    private static func part(_ count: Int, _ subject: String, _ state: String) -> String? {
        count > 0 ? "\(subject) \(count == 1 ? "is" : "are") \(state)" : nil
    }

    /// How many batches they stand in says nothing to people.
    private static func changes(_ batches: Int) -> String {
        batches > 0 ? ", and changes such as captions and tags" : ""
    }

    private static func batches(_ count: Int) -> String { Phrases.count(count, "batch", "batches") + " of changes" }

    private static func list(_ title: String, _ photos: [PackedPhoto]) -> String {
        guard !photos.isEmpty else { return "" }
        let lines = photos.prefix(lineCountMax).map { "  \(PrintableText.line("\($0.name): \($0.reason)"))\n" }
        let rest = photos.count - lineCountMax
        return "\(title):\n\(lines.joined())" + (rest > 0 ? "  and \(Phrases.grouped(rest)) more\n" : "")
    }
}
