import PotluckAPI
import TestSupport

/// What a fake agent answers about transfers: what it was asked, in words.
extension FakeAgent {
    func originals(album: String?) async throws -> OriginalsReport { Sample.originals(album ?? "all", .all) }

    func setOriginals(album: String, _ policy: OriginalsReport.Policy) async throws -> OriginalsReport {
        Sample.originals(album, policy)
    }

    func fetch(album: String, photos: [String]) async throws -> OriginalsReport {
        Sample.originals(([album] + photos).joined(separator: ","), .none)
    }

    func transfers(_ edit: TransferEdit) async throws -> TransfersReport {
        func rate(_ word: LimitWord?) -> UInt64? { if case .rate(let rate)? = word { rate } else { nil } }
        return TransfersReport(
            paused: edit.isPaused ?? false, limitUp: rate(edit.up), limitDown: rate(edit.down))
    }

    func leaveCheck(others: Int) async throws -> LeaveReport {
        let nothing = StatusReport.Amount(photos: 0, bytes: 0)
        return LeaveReport(
            safe: true, others: others, here: nothing, alone: nothing, short: nothing, blocked: 0, incoming: nil,
            obstacles: [], rate: nil, seconds: nil, albums: [], devices: [], photos: [])
    }
}
