import PotluckAPI

/// Whether this laptop can leave, as text for people.
enum LeaveListing {
    private static let itemCountMax = 10

    static func text(_ report: LeaveReport, cellCount: Int?) -> String {
        guard report.here.photos > 0 || !report.safe else { return "There are no photos on this laptop.\n" }
        var lines = [
            "Here     \(amount(report.here))", "Alone    \(alone(report))", "Short    \(short(report))",
        ]
        if let incoming = report.incoming, incoming.photos > 0 {
            lines.append(StatusListing.coming(incoming, seconds: report.incomingSeconds))
        }
        if let time = time(report) { lines.append("Time     \(time)") }
        lines += report.obstacles.map { "Problem  \($0)" }
        var text = lines.map { PrintableText.line($0) + "\n" }.joined()
        if !report.devices.isEmpty { text += "\n" + devices(report).text(cellCount: cellCount) }
        text += "\n" + albums(report).text(cellCount: cellCount)
        return text + items(report, cellCount)
    }

    private static func amount(_ amount: StatusReport.Amount) -> String { Phrases.amount(amount, "photo") }

    private static func alone(_ report: LeaveReport) -> String {
        report.alone.photos == 0
            ? "nothing: every photo here is known to be on another laptop too"
            : "\(amount(report.alone)), on this laptop only: lost if it is"
    }

    private static func short(_ report: LeaveReport) -> String {
        let laptops = Phrases.count(report.others, "other laptop")
        guard report.short.photos > 0 else { return "nothing: every photo here is on \(laptops) or more" }
        return "\(amount(report.short)), on \(tooFew(report.others))"
    }

    /// `no other laptop`, `fewer than 2 other laptops`.
    private static func tooFew(_ others: Int) -> String {
        others == 1 ? "no other laptop" : "fewer than \(Phrases.count(others, "other laptop"))"
    }

    /// `nil` where all is safe, or cannot become so.
    private static func time(_ report: LeaveReport) -> String? {
        guard report.short.photos > 0, report.blocked == 0, let rate = report.rate else { return nil }
        guard let seconds = report.seconds else {
            return rate > 0 && report.short.unmeasured != nil
                ? "cannot be said yet: not all files in the folder have been looked at"
                : "cannot be said: nothing leaves this laptop now"
        }
        return "about \(Phrases.duration(seconds: seconds)), at \(Phrases.size(rate))/s"
    }

    private static func devices(_ report: LeaveReport) -> Table {
        Table(
            columns: [
                .init(title: "Device", isShortenable: true), .init(title: "Connected"),
                .init(title: "Has of these", isNumber: true),
            ],
            rows: report.devices.map { [$0.name, $0.connected ? "yes" : "no", Phrases.grouped($0.photos)] })
    }

    private static func albums(_ report: LeaveReport) -> Table {
        Table(
            columns: [
                .init(title: "Album", isShortenable: true), .init(title: "Here", isNumber: true),
                .init(title: "Alone", isNumber: true), .init(title: "Short", isNumber: true),
                .init(title: "Fewest others", isNumber: true),
            ],
            rows: report.albums.map { album in
                [
                    album.name, Phrases.grouped(album.here), Phrases.grouped(album.alone),
                    Phrases.grouped(album.short), "\(album.othersMin)",
                ]
            })
    }

    private static func items(_ report: LeaveReport, _ cellCount: Int?) -> String {
        var lines = report.photos.prefix(itemCountMax).map { photo in
            let place = photo.where.isEmpty ? "on this laptop only" : "also on \(Phrases.list(photo.where))"
            return "  \(photo.name) (\(photo.album)): \(place)"
        }
        let rest = report.short.photos - lines.count
        if rest > 0 { lines.append("  and \(Phrases.grouped(rest)) more") }
        let texts = lines.map { line in
            let text = PrintableText.line(line)
            return (cellCount.map { TextWidth.shortened(text, to: $0) } ?? text) + "\n"
        }
        return texts.isEmpty ? "" : "\n" + texts.joined()
    }

    /// What the command ends with when not all is safe.
    static func verdict(_ report: LeaveReport) -> String {
        guard report.short.photos > 0 else { return report.obstacles.joined(separator: " ") }
        let photos = Phrases.count(report.short.photos, "photo")
        let verb = report.short.photos == 1 ? "is" : "are"
        let fact = "\(photos) \(verb) on \(tooFew(report.others))."
        if let obstacle = report.obstacles.first { return "\(fact) \(obstacle)" }
        let lacking = report.devices.filter { $0.connected && $0.photos < report.here.photos }.map(\.name)
        guard (report.rate ?? 0) == 0, !lacking.isEmpty else {
            return "\(fact) They are being copied; `potluck leave-check --wait` returns when that is done."
        }
        return
            "\(fact) Nothing is being copied: see on \(Phrases.list(lacking)) what `potluck status` says; it may be paused, full, or told to leave originals out."
    }

    /// One line that is shown again and again while copies are made.
    static func live(_ report: LeaveReport) -> String {
        var parts = [
            "safe: \(Phrases.grouped(report.here.photos - report.short.photos)) of \(Phrases.count(report.here.photos, "photo"))"
        ]
        if report.alone.photos > 0 {
            parts.append("\(Phrases.count(report.alone.photos, "photo")) on this laptop alone")
        }
        if let time = time(report) { parts.append(time) }
        parts += report.obstacles.prefix(1)
        return PrintableText.line(parts.joined(separator: " · "))
    }
}
