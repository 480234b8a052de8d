import PotluckAPI

/// Guests and their link, as text for people.
enum GuestsText {
    /// - Parameter code: The QR code's lines, where one is wanted.
    static func link(_ report: GuestLinkReport, code: String?) -> String {
        var text = "Guests open this on their phone, on this network:\n\n    \(report.link)\n"
        if let code { text += "\n\(code)" }
        if !report.others.isEmpty {
            text += "\nThis laptop is on several networks; on another one:\n"
            text += report.others.map { "    \($0)\n" }.joined()
        }
        return text + "\n" + sentences(report).joined(separator: "\n") + "\n"
    }

    private static func sentences(_ report: GuestLinkReport) -> [String] {
        let albums = report.albums.map { $0.map { "“\(PrintableText.line($0))”" }.joined(separator: ", ") }
        let seen = albums.map { "They see \($0)" } ?? "They see all albums"
        var sentences = [seen + (report.lookOnly ? ", and add nothing." : ", and add photos.")]
        if report.approve, !report.lookOnly {
            sentences.append("What they add shows on the wall after a tap of yours.")
        }
        if report.hidesPlaces { sentences.append("They do not see where photos were taken.") }
        if let end = report.expires { sentences.append("The link ends at \(TakenText.shown(end.text)).") }
        sentences.append("Everybody on this network could read along: use one that you trust.")
        return sentences
    }

    static func list(_ report: GuestsReport, now: Instant, cellCount: Int?) -> String {
        let door = report.link.map { link($0, code: nil) } ?? report.noLink.map { $0 + "\n" } ?? ""
        guard !report.guests.isEmpty else { return door + "\nNobody has come in yet.\n" }
        let table = Table(
            columns: [
                .init(title: "Name", isShortenable: true, isKey: true), .init(title: "Came"), .init(title: "Seen"),
                .init(title: "Photos", isNumber: true), .init(title: "ID", isDispensable: true),
                .init(title: "", isOptional: true),
            ],
            rows: report.guests.map { guest in
                [
                    guest.name, guest.joined.map { Phrases.ago($0, now: now) } ?? "elsewhere",
                    guest.seen.map { Phrases.ago($0, now: now) } ?? "", "\(guest.photos)", String(guest.id.prefix(8)),
                    guest.revoked ? "shown out" : "",
                ]
            })
        return door + "\n" + table.text(cellCount: cellCount)
    }
}
