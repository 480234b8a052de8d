import Simulator

/// The tables, row by row.
struct ScaleReport {
    private var mesh = TextTable("links", ["devices", "least", "median", "most", "mean", "diameter"])
    private var gossip = TextTable(
        "a new photo's batch, fault-free: median and worst of the photos",
        [
            "devices", "1.5 log2 n", "hops", "worst", "time in rounds", "worst", "ms", "links", "messages", "worst",
            "known",
        ])
    private var kinds = TextTable(
        "messages for one photo and device, by kind",
        ["devices", "batches", "acknowledged", "announced", "graft", "prune", "presence", "summaries"])
    private var churn = TextTable(
        "a new photo's batch under churn: part of those present that knows, mean and (least)",
        ["devices", "present", "links"] + ScaleChurnFigures.ages.map { "\($0) s" }
            + ["all, median s", "worst s", "messages"])
    private var swarm = TextTable(
        "photos of 4 MB to all",
        ["devices", "photos", "s", "bound s", "ratio", "copies sent", "pieces / needed", "partHeld"])

    mutating func add(mesh graph: ScaleGraph, _ count: Int) {
        mesh.add([
            "\(count)", "\(graph.least)", "\(graph.median)", "\(graph.most)", Self.text(graph.mean),
            graph.diameter.map { "\($0)" } ?? "not connected",
        ])
    }

    mutating func add(_ figures: ScaleGossipFigures) {
        let hops = figures.sorted(\.hops)
        let seconds = figures.sorted(\.seconds)
        let messages = figures.sorted { figures.messagesPerDevice($0) }
        let known = figures.photos.map(\.knownCount).min() ?? 0
        gossip.add([
            "\(figures.deviceCount)", Self.text(1.5 * ScaleStudy.log2(figures.deviceCount)), "\(hops.median)",
            "\(hops.worst)", Self.text(seconds.median / figures.roundSeconds),
            Self.text(seconds.worst / figures.roundSeconds), "\(Int(seconds.median * 1000))",
            Self.text(figures.linkMean), Self.text(messages.median), Self.text(messages.worst),
            known == figures.deviceCount ? "all" : "\(known)",
        ])
        let each = Double(figures.photos.count * figures.deviceCount)
        let mean = { (kind: ScaleMessageKind) in
            Self.text(Double(figures.photos.reduce(0) { $0 + $1.messages[kind] }) / each)
        }
        kinds.add(
            ["\(figures.deviceCount)"]
                + [.batches, .acknowledged, .announced, .graft, .prune, .presence, .summaries].map(mean))
    }

    mutating func add(_ figures: ScaleChurnFigures, _ count: Int, links: Double) {
        let parts = ScaleChurnFigures.ages.indices.map { index in
            let values = figures.photos.map { $0.parts[index] }
            let mean = values.reduce(0, +) / Double(values.count)
            return "\(Self.text(100 * mean)) (\(Self.text(100 * (values.min() ?? 0))))"
        }
        let times = figures.photos.map { $0.secondsToAll ?? .infinity }.sorted()
        churn.add(
            ["\(count)", Self.text(figures.presentMean), Self.text(links)] + parts + [
                Self.text(times[times.count / 2]), Self.text(times[times.count - 1]),
                Self.text(Double(figures.messages.gossip) / figures.presentMean / Double(figures.photos.count)),
            ])
    }

    mutating func add(_ figures: ScaleSwarmFigures, _ count: Int) {
        swarm.add([
            "\(count)", "\(figures.photoCount)", figures.isComplete ? Self.text(figures.seconds) : "not all",
            Self.text(figures.bound), Self.text(figures.seconds / figures.bound), Self.text(figures.copies),
            Self.text(figures.piecesPerNeeded), Self.text(Double(figures.messages[.partHeld]) / Double(count)),
        ])
    }

    func print() {
        for table in [mesh, gossip, kinds, churn, swarm] where !table.isEmpty { Swift.print(table) }
    }

    /// With two decimals at most.
    private static func text(_ value: Double) -> String {
        guard value.isFinite else { return "never" }
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        return whole >= 100 || rest == 0 ? "\(whole)" : "\(whole).\(rest / 10)\(rest % 10 == 0 ? "" : "\(rest % 10)")"
    }
}
