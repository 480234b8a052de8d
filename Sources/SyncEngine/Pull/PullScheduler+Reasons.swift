import AlbumModel
import WireFormat

extension PullScheduler {
    /// Whether a peer that has no list of a blob cannot hold it. Where contributors differ there may be no list.
    func lacksWithoutList(_ link: LinkID, _ blob: BlobID) -> Bool {
        guard let want = wants[blob], want.claims.count == 1 else { return false }
        return want.listRequest?.link == link
    }

    /// Whether all who have some of a want sent what does not fit the claim that is tried.
    private func isWrongEverywhere(_ want: Want) -> Bool {
        let devices = want.sources.compactMap { links[$0]?.device }
        return !devices.isEmpty && want.claims.areCondemned(devices, now: assignedAt)
    }

    func reason(for blob: BlobID) -> MissingReason? {
        guard let want = wants[blob] else { return nil }
        if isWrongEverywhere(want) { return .nobodyConnected }
        switch want.place {
        case .parked: return .nobodyConnected
        case .suspended: return want.hasSource ? .heldUp(hold) : .nobodyConnected
        case .queued, .resting(.unanswered, _): return links.isEmpty ? .nobodyConnected : .queued
        case .resting(.unwritten(let reason), _): return .paused(reason)
        case .resting(.rejected, _): return .rejected
        case .active(.opening), .committing: return .queued
        case .active(.needsList(let asked)):
            return asked.flatMap { links[$0.link] }.map { .asking([$0.device]) } ?? .queued
        case .active(.receiving):
            let devices = want.pieces.asked.values.joined().compactMap {
                requests[$0].flatMap { links[$0.link]?.device }
            }
            return devices.isEmpty ? .queued : .asking(Array(Set(devices)).sorted())
        }
    }
}
