import PotluckAPI

/// What is wrong with the disks, and with watching the folder.
enum PlaceRules {
    static func findings(_ seen: Observations) -> [Finding] {
        seen.places.flatMap { [drive($0), full($0)].compactMap { $0 } } + [watches(seen.watches)].compactMap { $0 }
    }

    private static func drive(_ place: PlaceSight) -> Finding? {
        guard place.isOnNetwork, let system = place.fileSystem else { return nil }
        let consequence =
            place.role == .folder
            ? "changes that others make there are noticed late or never"
            : "the journal on it can be damaged when the connection breaks"
        return Finding(
            .networkDrive,
            "The \(place.role.rawValue) \(place.path) is on a network drive (\(system)): \(consequence).",
            advice: [
                place.role == .folder
                    ? "Choose a folder on this laptop's own disk: `potluck up --folder DIR`."
                    : "Choose a home on this laptop's own disk: `--home DIR`."
            ])
    }

    private static func full(_ place: PlaceSight) -> Finding? {
        guard let space = place.space, space.free < space.reserve else { return nil }
        let free = ByteAmount.text(space.free), reserve = ByteAmount.text(space.reserve)
        return Finding(
            .diskFull,
            "The disk of the \(place.role.rawValue) \(place.path) is full: \(free) are free, and Potluck leaves \(reserve) free. Photos do not come.",
            advice: ["Make room there, or let Potluck use more: `potluck up --reserve SIZE`."])
    }

    private static func watches(_ sight: Observations.WatchSight) -> Finding? {
        let setting: String
        switch sight {
        case .granted: return nil
        case .noInstance: setting = "fs.inotify.max_user_instances=1024"
        case .noWatch: setting = "fs.inotify.max_user_watches=524288"
        }
        return Finding(
            .watchLimit,
            "The system grants no more watches of files (inotify), so photos in the folder are noticed late.",
            advice: ["echo \(setting) | sudo tee /etc/sysctl.d/60-potluck.conf && sudo sysctl --system"])
    }
}
