import Synchronization
import FolderEngine
import PotluckAPI

/// Files that wait for a person's word, as people are told of them.
extension FolderService {
    var heldGroup: HeldGroup? { state.withLock { $0.held } }

    func setHeld(_ group: HeldGroup?) {
        let former = state.withLock { state in
            defer { state.held = group }
            return state.held
        }
        guard former != group else { return }
        problems.note(.brake, group?.sentence)
        guard former?.id != group?.id else { return }
        let at = Instant(microsecondsSince1970: parts.clock.wall)
        problems.hub.send(group.map { .brakeHeld(at: at, message: $0.sentence) } ?? .brakeReleased(at: at))
    }
}

extension BrakeReport.Held {
    init(_ group: HeldGroup) {
        self.init(
            version: group.version, reason: group.reason.rawValue, vanished: group.vanished,
            rewritten: group.rewritten, of: group.of, paths: group.paths, message: group.sentence)
    }
}
