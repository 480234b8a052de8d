import FolderEngine
import PotluckAPI

/// Files that wait for a person's word, as people are told of them.
extension EngineShell {
    func setHeld(_ group: HeldGroup?) {
        guard heldGroup != group else { return }
        let isNews = heldGroup?.id != group?.id
        heldGroup = group
        note(.brake, group?.sentence)
        guard isNews else { return }
        let at = Instant(microsecondsSince1970: parts.clock.wall)
        hub.send(group.map { .brakeHeld(at: at, message: $0.sentence) } ?? .brakeReleased(at: at))
    }
}

extension BrakeReport.Held {
    init(_ group: HeldGroup) {
        self.init(
            reason: group.reason.rawValue, vanished: group.vanished, rewritten: group.rewritten, of: group.of,
            paths: group.paths, message: group.sentence)
    }
}
