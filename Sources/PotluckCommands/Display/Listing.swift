import PotluckAPI

/// Reports as text for people.
enum Listing {
    static func albums(_ report: AlbumsReport, now: Instant, cellCount: Int?) -> String {
        // An album stays known to all when its last photo has left it.
        let albums = report.albums.filter { $0.photos > 0 }
        guard !albums.isEmpty else {
            return "There are no albums yet. A subfolder with photos in the folder of any laptop becomes one.\n"
        }
        let table = Table(
            columns: [
                .init(title: "Album", isShortenable: true), .init(title: "Photos", isNumber: true),
                .init(title: "Size", isNumber: true), .init(title: "Here"), .init(title: "Copies", isNumber: true),
                .init(title: "Changed"),
            ],
            rows: albums.map { album in
                [
                    album.name, Phrases.grouped(album.photos), Phrases.size(album.bytes), here(album),
                    album.copiesMin.map { "\($0)" } ?? "", album.updated.map { Phrases.ago($0, now: now) } ?? "",
                ]
            })
        let photos = albums.reduce(0) { $0 + $1.photos }
        let bytes = albums.reduce(0) { $0 + $1.bytes }
        return table.text(cellCount: cellCount)
            + "\(Phrases.count(albums.count, "album")), \(Phrases.count(photos, "photo")), \(Phrases.size(bytes))\n"
    }

    private static func here(_ album: AlbumsReport.Album) -> String {
        switch album.here {
        case album.photos: "all"
        case 0: "none"
        default: "\(Phrases.grouped(album.here)) of \(Phrases.grouped(album.photos))"
        }
    }

    static func peers(_ report: PeersReport, now: Instant, cellCount: Int?) -> String {
        guard !report.peers.isEmpty else {
            return "No other device is known yet. `potluck invite` shows how one joins.\n"
        }
        let table = Table(
            columns: [
                .init(title: "Device", isShortenable: true), .init(title: "Seen", isShortenable: true),
                .init(title: "Address", isShortenable: true, isOptional: true),
                .init(title: "Found", isOptional: true), .init(title: "Photos", isNumber: true, isOptional: true),
                .init(title: "Host", isOptional: true), .init(title: "ID"),
            ],
            rows: report.peers.map { peer in
                [
                    name(peer), seen(peer, now: now), peer.address ?? "",
                    peer.found?.rawValue ?? "", peer.photos.map(Phrases.grouped) ?? "",
                    peer.isHost.map { $0 ? "yes" : "no" } ?? "", String(peer.id.prefix(8)),
                ]
            })
        return table.text(cellCount: cellCount)
    }

    static func hosts(_ report: HostsReport, cellCount: Int?) -> String {
        let own = "\nThis laptop's ID is \(report.ownID.prefix(LaptopID.digitCountMin)).\n"
        if let absence = report.absence { return absence + "\n" + own }
        let table = Table(
            columns: [
                .init(title: "Rank", isNumber: true), .init(title: "Host", isShortenable: true), .init(title: "ID"),
            ],
            rows: report.hosts.enumerated().map { place, host in
                [
                    "\(place + 1)", (host.name ?? "(no name yet)") + (host.isHere ? " (this laptop)" : ""),
                    String(host.id.prefix(8)),
                ]
            })
        return table.text(cellCount: cellCount) + (report.phrase.map(phrase) ?? "")
            + (report.waiting.map { waiting($0, cellCount: cellCount) } ?? "") + own
    }

    private static func waiting(_ laptops: [HostsReport.Waiting], cellCount: Int?) -> String {
        let table = Table(
            columns: [.init(title: "Turned away", isShortenable: true), .init(title: "ID"), .init(title: "Why")],
            rows: laptops.map {
                [
                    turnedAway($0), String($0.id.prefix(LaptopID.digitCountMin)),
                    $0.isOut ? "put out" : "has an earlier phrase",
                ]
            })
        return "\n\(table.text(cellCount: cellCount))`potluck let-in ID` lets one in.\n"
    }

    /// Whoever was never in may call itself like somebody else.
    private static func turnedAway(_ laptop: HostsReport.Waiting) -> String {
        guard let name = laptop.name else { return "(never met)" }
        return laptop.isOut ? name : "calls itself “\(name)”"
    }

    private static func phrase(_ phrase: HostsReport.Phrase) -> String {
        let since = phrase.since.map { " \($0.dateText)" } ?? " a moment ago"
        return "\nThe phrase was changed; here it is in use since\(since). \(InviteText.spread(phrase))\n"
    }

    static func name(_ peer: PeersReport.Peer) -> String { peer.name ?? "(no name yet)" }

    static func seen(_ peer: PeersReport.Peer, now: Instant) -> String {
        if peer.isOut == true { return "put out" }
        if peer.connected { return "connected" }
        return peer.lastSeen.map { Phrases.ago($0, now: now) } ?? "never"
    }

    /// The files that were added, and after them those that were not.
    static func added(_ report: AddReport) -> String {
        let new = report.photos.count { $0.new }
        let known = report.photos.count - new
        let album = "“\(PrintableText.line(report.album))”"
        var sentences: [String] = []
        if new > 0 || known == 0 { sentences.append("Added \(Phrases.count(new, "photo")) to \(album).") }
        if known > 0 {
            sentences.append("\(Phrases.count(known, "photo")) \(known == 1 ? "was" : "were") in \(album) before.")
        }
        var text = sentences.joined(separator: " ") + "\n" + skipped(report.skipped)
        if !report.leftOut.isEmpty {
            text +=
                "Left out \(Phrases.count(report.leftOut.count, "file")) that \(report.leftOut.count == 1 ? "is" : "are") "
            text += "no photo or video:\n"
            text += shortened(
                report.leftOut.map { "  \(PrintableText.line($0.path)): \(PrintableText.line($0.reason))" })
            text += "\n"
        }
        return text
    }

    /// Longer lists are cut; --json has them whole.
    private static let lineCountMax = 20

    /// Lines without the last one's end.
    static func shortened(_ lines: [String]) -> String {
        let rest = lines.count - lineCountMax
        let shown = lines.prefix(lineCountMax) + (rest > 0 ? ["  and \(Phrases.grouped(rest)) more"] : [])
        return shown.joined(separator: "\n")
    }

    static func skipped(_ files: [SkippedFile]) -> String {
        files.map { "  \(PrintableText.line($0.path)): \(PrintableText.line($0.reason))\n" }.joined()
    }

    static func ready(_ report: ReadyReport) -> String {
        let gathering = report.gathering.map { "“\($0)”" } ?? "the gathering"
        return PrintableText.line(
            "Potluck is up: \(report.device) in \(gathering), \(Phrases.count(report.photos, "photo")) in "
                + "\(Phrases.count(report.albums, "album")), folder \(report.folder), port \(report.port)."
        ) + "\n"
    }
}
