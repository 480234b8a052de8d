import DiskIO
import Glibc

/// The disks of the home and the folder, and whether the folder can be watched.
enum PlaceProbe {
    private static let patience = Duration.seconds(3)

    /// - Parameter reserve: what is left free of a disk of a size, both in bytes.
    static func look(
        home: String, folder: String, reserve: @escaping @Sendable (UInt64) -> UInt64
    ) async -> [PlaceSight] {
        let mounts = MountTable(text: SystemFile.text("/proc/self/mountinfo") ?? "")
        var places: [PlaceSight] = []
        var devices: Set<UInt64> = []
        for (role, path) in [(PlaceSight.Role.home, home), (.folder, folder)] {
            let fileSystem = mounts.fileSystem(of: path)
            var disk = await ProbeThreads.run(within: patience) { Disk(path, reserve) } ?? nil
            // One disk is full once.
            if let device = disk?.device, !devices.insert(device).inserted { disk = nil }
            places.append(PlaceSight(role: role, path: path, fileSystem: fileSystem, space: disk?.space))
        }
        return places
    }

    private struct Disk: Sendable {
        var device: UInt64
        var space: PlaceSight.Space

        /// Of the first directory on the way up that is there.
        init?(_ path: String, _ reserve: (UInt64) -> UInt64) {
            var parts = path.split(separator: "/")
            while true {
                let existing = "/" + parts.joined(separator: "/")
                do throws(FileError) {
                    device = try FileStat(path: existing, followsLink: true).device
                    let fileSystem = try FileSystemStat(path: existing)
                    let (total, free) = (fileSystem.byteCount, fileSystem.freeByteCount)
                    // A disk without a size, as some in memory are, is never full; nor is one with an absurd size.
                    guard total > 0, total < .max, free < .max else { return nil }
                    space = PlaceSight.Space(free: free, reserve: reserve(total))
                    return
                } catch {
                    guard error.errno == ENOENT, parts.popLast() != nil else { return nil }
                }
            }
        }
    }
}

/// Whether the kernel lets this person's programs watch one more directory.
enum WatchProbe {
    static func look(_ directory: String) -> Observations.WatchSight {
        let inotify = inotify_init1(Int32(IN_CLOEXEC))
        guard inotify >= 0 else { return errno == EMFILE ? .noInstance : .granted }
        defer { close(inotify) }
        let watch = inotify_add_watch(inotify, directory, UInt32(IN_CREATE))
        return watch < 0 && errno == ENOSPC ? .noWatch : .granted
    }
}
