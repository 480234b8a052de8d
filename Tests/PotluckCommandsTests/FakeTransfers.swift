import PotluckAPI
import PotluckAgent

/// What a fake agent answers about transfers.
extension FakeAgent {
    func originals(album: String?) async throws -> OriginalsReport {
        note(OriginalsRequest(album: album))
        var report = Self.originals(.all)
        if let closedAlbum {
            let nothing = StatusReport.Amount(photos: 0, bytes: 0)
            report.albums.append(
                .init(id: closedAlbum, name: closedAlbum, originals: .all, photos: 1, here: 1, leftOut: nothing))
        }
        return report
    }

    func setOriginals(album: String, _ policy: OriginalsReport.Policy) async throws -> OriginalsReport {
        note(SetOriginalsRequest(album: album, policy))
        try checkIsOpen(album)
        return Self.originals(policy)
    }

    func fetch(album: String, photos: [String]) async throws -> OriginalsReport {
        note(FetchRequest(album: album, photos: photos))
        return Self.originals(.none)
    }

    private static func originals(_ policy: OriginalsReport.Policy) -> OriginalsReport {
        let leftOut = StatusReport.Amount(photos: policy == .all ? 0 : 10, bytes: policy == .all ? 0 : 42_000_000)
        return OriginalsReport(albums: [
            .init(id: "a1", name: "Beach day", originals: policy, photos: 12, here: 2, leftOut: leftOut)
        ])
    }

    func transfers(_ edit: TransferEdit) async throws -> TransfersReport {
        note(edit)
        func rate(_ word: LimitWord?) -> UInt64? { if case .rate(let rate)? = word { rate } else { nil } }
        return TransfersReport(
            paused: edit.isPaused ?? false, limitUp: rate(edit.up), limitDown: rate(edit.down))
    }

    /// With one photo of two short, unless one other laptop is enough; not safe either while something stands in the way.
    func leaveCheck(others: Int) async throws -> LeaveReport {
        note(LeaveCheckRequest(others: others))
        let isSafe = others == 1
        let one = StatusReport.Amount(photos: 1, bytes: 4_200_000)
        let nothing = StatusReport.Amount(photos: 0, bytes: 0)
        return LeaveReport(
            safe: isSafe && leaveObstacles.isEmpty, others: others, here: .init(photos: 2, bytes: 8_400_000),
            alone: nothing,
            short: isSafe ? nothing : one, blocked: 0, incoming: nil, obstacles: leaveObstacles, rate: 2_100_000,
            seconds: isSafe ? nil : 2,
            albums: [.init(id: "a1", name: "Beach day", here: 2, alone: 0, short: isSafe ? 0 : 1, othersMin: 1)],
            devices: [
                .init(id: "c1", name: "Anna", connected: true, photos: 2),
                .init(id: "c2", name: "Ben\u{1B}[2J", connected: true, photos: 1),
            ],
            photos: isSafe
                ? [] : [.init(id: "b1", album: "Beach day", name: "IMG_0001.JPG", bytes: 4_200_000, where: ["Anna"])])
    }
}
