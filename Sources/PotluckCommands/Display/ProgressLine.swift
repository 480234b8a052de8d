import AlbumExport
import PotluckAPI
import Synchronization

/// How far something is that reads or copies files.
protocol FileProgress {
    var files: Int { get }
    var fileTotal: Int { get }
    var bytes: UInt64 { get }
    var byteTotal: UInt64 { get }
}

extension ExportProgress: FileProgress {}
extension PackProgress: FileProgress {}
extension VerifyProgress: FileProgress {}

/// The line in which a command that takes long tells how far it is.
final class ProgressLine: Sendable {
    /// `nil` where nobody would see it.
    private let live: LiveLine?
    private let verb: String
    private let noun: String
    private let remaining = Mutex(RemainingTime<ContinuousClock.Instant>())

    init(_ verb: String, _ noun: String, live: LiveLine?) {
        self.verb = verb
        self.noun = noun
        self.live = live
    }

    func show(_ progress: some FileProgress) {
        guard let live else { return }
        let done = progress.bytes
        let rest = progress.byteTotal - min(done, progress.byteTotal)
        let seconds = remaining.withLock { $0.seconds(done: done, rest: rest, now: .now) }
        live.show(Self.text(verb, noun, progress, seconds: seconds))
    }

    func clear() { live?.clear() }

    /// - Parameter seconds: What the rest takes; `nil` where that is not known.
    static func text(_ verb: String, _ noun: String, _ progress: some FileProgress, seconds: UInt64?) -> String {
        "\(verb): \(Phrases.grouped(progress.files)) of \(Phrases.count(progress.fileTotal, noun)), "
            + "\(Phrases.size(progress.bytes)) of \(Phrases.size(progress.byteTotal))\(Phrases.left(seconds: seconds))"
    }
}

extension PotluckSubcommand {
    func progressLine(_ verb: String, of noun: String = "file") -> ProgressLine {
        ProgressLine(verb, noun, live: console.progress)
    }
}

/// How long the rest takes at the pace of late. The whole time would tell little: what was there already went by at once,
/// and a stick becomes slow once its memory is full.
struct RemainingTime<Instant: InstantProtocol> where Instant.Duration == Duration {
    /// So long ago is late enough.
    static var span: Duration { .seconds(30) }
    /// Before that nothing is said.
    static var patience: Duration { .seconds(3) }
    private static var interval: Duration { .seconds(1) }

    /// How much was done by when, the earliest first, an ``interval`` from each other but for the last.
    private var marks: [(at: Instant, done: UInt64)] = []

    /// - Returns: `nil` where nothing is left, or too little was seen.
    mutating func seconds(done: UInt64, rest: UInt64, now: Instant) -> UInt64? {
        note(done, now)
        guard rest > 0, let (start, former) = marks.first, done > former else { return nil }
        let time = start.duration(to: now)
        guard time >= Self.patience else { return nil }
        let seconds = time / Duration.seconds(1) * (Double(rest) / Double(done - former))
        return UInt64(min(seconds.rounded(), 1e9))
    }

    private mutating func note(_ done: UInt64, _ now: Instant) {
        if marks.count > 1, marks[marks.count - 2].at.duration(to: now) < Self.interval { marks.removeLast() }
        marks.append((now, done))
        while marks.count > 2, marks[1].at.duration(to: now) >= Self.span { marks.removeFirst() }
    }
}
