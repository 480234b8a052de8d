import PotluckAPI

/// What `status --watch` knows at a moment, and prints with --json.
struct WatchReport: Codable, Hashable, Sendable {
    var at: Instant
    /// Why the agent does not answer, a sentence; `null` while it does.
    @ExplicitNull var away: String?
    /// When it answered last.
    @ExplicitNull var answered: Instant?
    /// What it answered last; `null` until it has.
    @ExplicitNull var status: StatusReport?
    @ExplicitNull var peers: [PeersReport.Peer]?

    /// Before anybody was asked.
    init(at: Instant) {
        self.at = at
        away = nil
        answered = nil
        status = nil
        peers = nil
    }
}
