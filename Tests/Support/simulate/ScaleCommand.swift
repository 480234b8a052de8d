public import ArgumentParser
public import Simulator

/// Runs many devices without faults and prints how fast, and with how much effort, they come to agree.
struct ScaleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scale",
        abstract: "Measure large gatherings: links, rounds, messages, and the time until all hold a photo.",
        discussion: """
            The engines are those of the agent; network and disks are simulated and nothing fails. Each device has one
            delay, and one rate each way for all its links together. Equal options give equal tables.

              simulate scale                                  50, 200 and 1,000 devices, everything but 400 MB
              simulate scale --devices 200 --bulk             400 MB as well
              simulate scale --devices 50 --only mesh         links alone
              simulate scale --joining hub --devices 200      all know the same device, and only that
              simulate scale --devices 50 --seed 7            another draw of all that is random; 1 unless given
            """)

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case mesh, gossip, churn, swarm
    }

    @Option(
        name: .customLong("devices"), parsing: .upToNextOption, help: "How many devices; several numbers, several rows."
    )
    var deviceCounts: [Int] = [50, 200, 1000]

    @Option(
        parsing: .upToNextOption, help: "What to measure: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).")
    var only: [Part] = Part.allCases

    @Flag(help: "Also send 100 photos of 4 MB at once.")
    var bulk = false

    @Option(
        help: "How devices find each other: \(ScaleOptions.Joining.allCases.map(\.rawValue).joined(separator: ", ")).")
    var joining = ScaleOptions.Joining.invited

    @Option(help: "What one device sends, and what it receives, in Mbit/s.")
    var rate = 100.0

    @Option(help: "One way from device to device, in milliseconds.")
    var delay = 10.0

    @Option(help: "The part of the devices that leaves every minute, in percent.")
    var churn = 10.0

    @Option(help: "Photos whose batches are followed.")
    var photos = 20

    /// Takes `--seed`, wherever it stands.
    @ParentCommand var simulate: SimulateCommand

    @Option(help: "Seconds between two summaries of what a device holds: they are most of the work of a thousand.")
    var summaries = 10.0

    @Flag(help: "Say nothing while it goes on.")
    var quiet = false

    func validate() throws {
        guard deviceCounts.allSatisfy({ (2...4096).contains($0) }) else {
            throw ValidationError("--devices takes numbers from 2 to 4096.")
        }
        guard rate > 0, delay > 0, (0..<100).contains(churn), photos > 0 else {
            throw ValidationError("--rate, --delay and --photos are above 0, --churn from 0 to less than 100.")
        }
    }

    func run() throws {
        var report = ScaleReport()
        for count in deviceCounts {
            let start = ContinuousClock.now
            try measure(count, &report, since: start)
            let seconds = (ContinuousClock.now - start).components.seconds
            note("\(count) devices took \(seconds) s")
        }
        report.print()
    }

    private func measure(_ count: Int, _ report: inout ScaleReport, since start: ContinuousClock.Instant) throws {
        let say = { (text: String) in
            note("[\((ContinuousClock.now - start).components.seconds) s] \(text)")
        }
        var options = ScaleOptions()
        options.seed = simulate.seed ?? 1
        options.deviceCount = count
        options.joining = joining
        options.summaryInterval = summaries
        options.rate = rate * 1e6 / 8
        options.delay = delay / 1000
        if !Set(only).isDisjoint(with: [.mesh, .gossip, .swarm]) {
            var study = try ScaleStudy(options: options, progress: say)
            report.add(mesh: study.graph, count)
            if only.contains(.gossip) { try report.add(study.gossip(photos: photos)) }
            if only.contains(.swarm) { try report.add(study.swarm(photos: 1), count) }
            if bulk { try report.add(study.swarm(photos: 100), count) }
        }
        if only.contains(.churn) {
            options.churn = churn / 100
            var study = try ScaleStudy(options: options, progress: say)
            try report.add(study.churn(photos: photos), count, links: study.graph.mean)
        }
    }

    private func note(_ text: String) {
        guard !quiet else { return }
        var output = StandardError()
        print(text, to: &output)
    }
}

extension ScaleOptions.Joining: ExpressibleByArgument {}
