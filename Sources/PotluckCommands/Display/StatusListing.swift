import PotluckAPI

/// A status report as text for people.
enum StatusListing {
    /// Photos that are listed of a kind unless all are asked for.
    private static let itemCountMax = 10

    static func text(_ report: StatusReport, isAll: Bool, cellCount: Int?) -> String {
        var lines = [title(report), "Agent    \(agent(report))"]
        if let folder = report.folder { lines.append("Folder   \(folder)") }
        lines.append("Missing  \(missing(report))")
        lines += items(report.missing.items, of: report.missing.photos, isAll: isAll)
        if let coming = coming(report) { lines.append(coming) }
        if let notPlaced = report.notPlaced, notPlaced.photos > 0 {
            let photos = "\(Phrases.count(notPlaced.photos, "photo")), \(Phrases.size(notPlaced.bytes))"
            lines.append("No file  \(photos): kept here and passed on, but not put into the folder")
            lines += items(notPlaced.items, of: notPlaced.photos, isAll: isAll)
        }
        lines.append("At risk  \(atRisk(report.atRisk))")
        lines += TransfersListing.statusLines(report)
        if let amount = report.notCounted {
            let photos = Phrases.amount(amount, "photo")
            lines.append("Put out  \(photos) of laptops that were put out, in no album; `potluck left-out` lists them")
        }
        if let waiting = waiting(report) { lines.append(waiting) }
        lines += report.problems.map { "Problem  \($0)" }
        if let skipped = report.skipped {
            lines.append("Skipped  \(skipped.isEmpty ? "nothing" : Phrases.count(skipped.count, "file"))")
            lines += skipped.map { "  \($0.path): \($0.reason)" }
        }
        return lines.map { shortened(PrintableText.line($0), cellCount) + "\n" }.joined()
    }

    static func title(_ report: StatusReport) -> String {
        let gathering = report.gathering.name.map { "“\($0)”" } ?? "a gathering whose name has not arrived yet"
        return "\(report.device.name) in \(gathering)"
    }

    /// A line; `nil` where nothing comes in by the folder.
    static func coming(_ report: StatusReport) -> String? {
        guard let incoming = report.incoming, incoming.photos > 0 else { return nil }
        return coming(incoming, seconds: report.incomingSeconds)
    }

    /// - Parameters:
    ///   - incoming: Of one file or more.
    ///   - seconds: How long it takes until they are shared; `nil` where that is not known.
    static func coming(_ incoming: StatusReport.Amount, seconds: UInt64?) -> String {
        "Coming   \(Phrases.amount(incoming, "file")) in the folder, not shared yet\(Phrases.left(seconds: seconds))"
    }

    /// A line; `nil` where nothing waits for a person.
    static func waiting(_ report: StatusReport) -> String? {
        report.held == nil ? nil : "Waiting  for `potluck confirm` or `potluck undo`"
    }

    /// Sentences stay whole: only what is indented, a list, is cut.
    private static func shortened(_ line: String, _ cellCount: Int?) -> String {
        guard let cellCount, line.hasPrefix("  ") else { return line }
        return TextWidth.shortened(line, to: cellCount)
    }

    static func agent(_ report: StatusReport) -> String {
        switch report.agent {
        case .stopped: "stopped; `potluck up` starts it"
        case .running:
            report.connected == 0
                ? "running, no other device connected" : "running, \(devices(report.connected)) connected"
        }
    }

    private static func devices(_ count: Int) -> String { Phrases.count(count, "device") }

    static func missing(_ report: StatusReport) -> String {
        let missing = report.missing
        guard missing.photos > 0 else { return "nothing" }
        var text = "\(Phrases.count(missing.photos, "photo")), \(Phrases.size(missing.bytes))"
        if let pace = pace(report) { text += ", \(pace)" }
        if let unreachable = missing.unreachable, unreachable > 0 {
            text += unreachable == missing.photos ? "; nobody here has " : "; nobody here has \(unreachable) of "
            text += missing.photos == 1 ? "it" : "them"
        }
        return text
    }

    /// `4.2 MB/s, about 3 s left`; `nil` while nothing arrives. While originals are paused it is small pictures that do, and
    /// what came just before: that says nothing of what is missing.
    private static func pace(_ report: StatusReport) -> String? {
        guard report.paused != true, let rate = report.rate, rate > 0 else { return nil }
        return "\(Phrases.size(rate))/s, about \(Phrases.duration(seconds: report.missing.bytes / rate)) left"
    }

    private static func items(_ items: [StatusReport.Item], of count: Int, isAll: Bool) -> [String] {
        let shown = isAll ? items[...] : items.prefix(itemCountMax)
        var lines = shown.map { "  \($0.name) (\($0.album)): \($0.reason)" }
        let rest = count - shown.count
        if rest > 0 { lines.append("  and \(Phrases.grouped(rest)) more; --all lists \(rest == 1 ? "it" : "them")") }
        return lines
    }

    /// - Parameter withAdvice: Whether it says what names the photos.
    static func atRisk(_ amount: StatusReport.Amount, withAdvice: Bool = true) -> String {
        guard amount.photos > 0 else { return "nothing: every photo here is known to be on another device too" }
        let (verb, them) = amount.photos == 1 ? ("is", "it") : ("are", "them")
        return "\(Phrases.amount(amount, "photo")), \(verb) on this laptop alone"
            + (withAdvice ? "; `potluck leave-check` names \(them)" : "")
    }

    /// One line that is shown again and again while things are on their way.
    static func live(_ report: StatusReport) -> String {
        let peers = report.connected == 0 ? "nobody else here" : "\(devices(report.connected)) connected"
        var parts = [peers, report.missing.photos == 0 ? "all photos are here" : "missing \(missing(report))"]
        if let incoming = report.incoming, incoming.photos > 0 {
            let left = Phrases.left(seconds: report.incomingSeconds)
            parts.append("coming in: \(Phrases.amount(incoming, "file"))\(left)")
        }
        if report.atRisk.photos > 0 {
            parts.append("\(Phrases.count(report.atRisk.photos, "photo")) on this laptop alone")
        }
        if let problem = report.problems.first { parts.append(problem) }
        return PrintableText.line(parts.joined(separator: " · "))
    }
}
