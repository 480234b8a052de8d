import PotluckAPI

/// What `status --watch` shows, as lines that fit a terminal.
///
/// Lists share the room that the other lines leave; what does not fit is counted.
struct WatchScreen {
    struct Line: Hashable {
        enum Tone: Hashable {
            case plain, heading, quiet, warning
        }

        var text: String
        var tone = Tone.plain

        /// With colours.
        var styledText: String {
            switch tone {
            case .plain: text
            case .heading: "\u{1B}[1m\(text)\u{1B}[0m"
            case .quiet: "\u{1B}[2m\(text)\u{1B}[0m"
            case .warning: "\u{1B}[33m\(text)\u{1B}[0m"
            }
        }
    }

    /// An agent that works on an answer is not told to be silent before.
    private static let silenceMilliseconds: Int64 = 5000
    /// A sentence is cut after as many lines.
    private static let problemLineCountMax = 3
    private static let hint = "q ends"

    /// As many as the terminal has rows, at most; each leaves its last cell free, since some terminals wrap there.
    let lines: [Line]

    /// - Parameter interval: How long nobody asks the agent between two questions.
    init(_ report: WatchReport, size: TerminalSize, interval: Duration = .zero) {
        let cellCount = max(1, size.columns - 1)
        let patience = Self.silenceMilliseconds + interval.components.seconds * 1000
        var lines = Self.lines(report, cellCount: cellCount, rowCount: size.rows, patience: patience)
        if lines.count > size.rows {
            let count = max(0, size.rows - 1)
            lines = lines.prefix(count) + [Line(text: "… and \(lines.count - count) lines more", tone: .quiet)]
        }
        self.lines = lines.prefix(size.rows).map {
            Line(text: TextWidth.shortened(PrintableText.line($0.text), to: cellCount), tone: $0.tone)
        }
    }

    private static func lines(
        _ report: WatchReport, cellCount: Int, rowCount: Int, patience: Int64
    ) -> [Line] {
        guard let status = report.status else {
            return wrapped(report.away ?? "Asking the agent…", to: cellCount).map { Line(text: $0, tone: .warning) }
                + [Line(text: hint, tone: .quiet)]
        }
        let head = head(report, status, cellCount: cellCount, patience: patience)
        let facts = facts(status)
        let peers = peers(report, cellCount: cellCount)
        let problems = status.problems.map { problem($0, cellCount: cellCount) }
        let room = max(0, rowCount - (head.count + 1 + facts.count + 2 + peers.head.count))
        let lists = [peers.rows.count, status.missing.items.count]
        let problemRoom = shares(of: room, among: [problems.reduce(0) { $0 + $1.count }] + lists)[0]
        let problemLines = blocks(problems, room: problemRoom)
        // Sentences are not cut to fill their share; the lists take what is left of it.
        let rooms = shares(of: room - problemLines.count, among: lists)
        let items = status.missing.items.map { Line(text: "  \($0.name) (\($0.album)): \($0.reason)") }
        let missing = Line(text: "Missing  \(StatusListing.missing(status))")
        return head + [Line(text: "")] + [missing]
            + list(items, of: status.missing.photos, room: rooms[1]) + facts + problemLines + [Line(text: "")]
            + peers.head + list(peers.rows, of: peers.rows.count, room: rooms[0])
    }

    // MARK: Parts

    private static func head(
        _ report: WatchReport, _ status: StatusReport, cellCount: Int, patience: Int64
    ) -> [Line] {
        let title = PrintableText.line(StatusListing.title(status))
        let gap = cellCount - TextWidth.of(title) - hint.count
        var lines = [Line(text: gap > 1 ? title + String(repeating: " ", count: gap) + hint : title, tone: .heading)]
        if let sentence = absence(report, patience: patience) {
            lines.append(Line(text: sentence, tone: .warning))
        } else {
            lines.append(Line(text: "Agent    \(StatusListing.agent(status))"))
        }
        // While originals are paused, small pictures still come.
        let incoming = status.paused == true ? "" : "in \(Phrases.size(status.rate ?? 0))/s, "
        lines.append(Line(text: "Rates    \(incoming)out \(Phrases.size(status.rateUp ?? 0))/s"))
        return lines
    }

    /// That what is shown is not how it is now; `nil` while it is.
    private static func absence(_ report: WatchReport, patience: Int64) -> String? {
        guard let answered = report.answered else { return report.away }
        let silence = report.at.millisecondsSince1970 - answered.millisecondsSince1970
        if report.away != nil {
            return "Agent    away; this is how it was \(Phrases.ago(answered, now: report.at))"
        }
        guard silence >= patience else { return nil }
        return "Agent    has not answered for \(Phrases.duration(seconds: UInt64(silence / 1000)))"
    }

    private static func facts(_ status: StatusReport) -> [Line] {
        var lines: [Line] = []
        if let coming = StatusListing.coming(status) { lines.append(Line(text: coming)) }
        lines.append(
            Line(
                text: "At risk  \(StatusListing.atRisk(status.atRisk, withAdvice: false))",
                tone: status.atRisk.photos > 0 ? .warning : .plain))
        lines += TransfersListing.statusLines(status).map { Line(text: $0, tone: .warning) }
        if let waiting = StatusListing.waiting(status) { lines.append(Line(text: waiting, tone: .warning)) }
        return lines
    }

    private static func problem(_ sentence: String, cellCount: Int) -> [Line] {
        let label = "Problem  "
        var lines = wrapped(PrintableText.line(sentence), to: max(1, cellCount - label.count))
        if lines.count > problemLineCountMax {
            lines = lines.prefix(problemLineCountMax - 1) + [lines[problemLineCountMax - 1] + "…"]
        }
        return lines.enumerated().map { index, line in
            Line(text: (index == 0 ? label : String(repeating: " ", count: label.count)) + line, tone: .warning)
        }
    }

    /// Those who are here first, then those who were here last.
    private static func peers(_ report: WatchReport, cellCount: Int) -> (head: [Line], rows: [Line]) {
        let peers = (report.peers ?? []).sorted { left, right in
            if left.connected != right.connected { return left.connected }
            let seen = [left, right].map { $0.lastSeen?.millisecondsSince1970 ?? 0 }
            if !left.connected, seen[0] != seen[1] { return seen[0] > seen[1] }
            return (left.name ?? "", left.id) < (right.name ?? "", right.id)
        }
        guard !peers.isEmpty else { return ([Line(text: "No other device is known yet.", tone: .quiet)], []) }
        let table = Table(
            columns: [
                .init(title: "Device", isShortenable: true, isKey: true), .init(title: "Seen", isShortenable: true),
                .init(title: "Photos", isNumber: true, isOptional: true, isDispensable: true),
            ],
            rows: peers.map { peer in
                [
                    Listing.name(peer), Listing.seen(peer, now: report.at), peer.photos.map(Phrases.grouped) ?? "",
                ]
            })
        let lines = table.lines(cellCount: cellCount)
        return ([Line(text: lines[0], tone: .heading)], lines.dropFirst().map { Line(text: $0) })
    }

    // MARK: Room

    /// The first entries, and how many more there are of `count`.
    private static func list(_ entries: [Line], of count: Int, room: Int) -> [Line] {
        guard count > entries.count || entries.count > room else { return entries }
        guard room > 0, count > 0 else { return [] }
        let shown = entries.prefix(room - 1)
        return shown + [Line(text: "  and \(Phrases.grouped(count - shown.count)) more", tone: .quiet)]
    }

    /// Whole blocks of lines, and how many more there are.
    private static func blocks(_ blocks: [[Line]], room: Int) -> [Line] {
        let all = blocks.flatMap { $0 }
        guard all.count > room else { return all }
        guard room > 0 else { return [] }
        var (shown, shownCount): ([Line], Int) = ([], 0)
        for block in blocks {
            guard shown.count + block.count < room else { break }
            shown += block
            shownCount += 1
        }
        let rest = Phrases.grouped(blocks.count - shownCount)
        let text = shownCount == 0 ? "\(rest) in all" : "and \(rest) more"
        return shown + [Line(text: "Problem  \(text); `potluck status` tells", tone: .warning)]
    }

    /// Gives rows in turn to those who need more, until there are none left.
    static func shares(of room: Int, among needs: [Int]) -> [Int] {
        var shares = needs.map { _ in 0 }
        var rest = room
        while rest > 0 {
            let before = rest
            for index in needs.indices where rest > 0 && shares[index] < needs[index] {
                shares[index] += 1
                rest -= 1
            }
            if rest == before { break }
        }
        return shares
    }

    /// Lines of at most so many cells, broken between words where they can be.
    static func wrapped(_ text: String, to cellCount: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if TextWidth.of(longer) <= cellCount || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
