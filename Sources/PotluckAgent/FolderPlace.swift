import DiskIO
import Glibc
import PhotoStore
public import PotluckAPI

/// Where an agent's folder may be. An agent waits for a folder that is away; one that it would wait for in vain is
/// refused when it starts.
public enum FolderPlace {
    /// Blocks.
    ///
    /// - Parameters:
    ///   - folder: An absolute path, as `home` is.
    ///   - isStandard: Whether nobody named it: then directories above it are made.
    /// - Throws: `.badSetting` where no agent can use it.
    public static func check(_ folder: String, home: String, isStandard: Bool) throws(PotluckError) {
        try checkApart(folder, home)
        let stat: FileStat
        do throws(FileError) {
            stat = try FileStat(path: folder, followsLink: true)
        } catch {
            return try checkAbsent(folder, error.errno, home, isStandard)
        }
        guard stat.isDirectory else { throw refusal(folder, "is no directory") }
        guard access(folder, R_OK | W_OK | X_OK) == 0 || errno != EACCES else {
            throw refusal(folder, "may not be read and written by you")
        }
    }

    private static func checkAbsent(
        _ folder: String, _ error: Int32?, _ home: String, _ isStandard: Bool
    ) throws(PotluckError) {
        switch error {
        case ENOTDIR: throw refusal(folder, "cannot be made, as what it would be in is no directory")
        case EACCES: throw refusal(folder, "is where you may not look")
        case ENOENT where !isStandard && !isKnown(folder, home):
            let parent = AbsolutePath.parent(folder)
            // Where nobody can tell, it is waited for.
            guard (try? Disk.exists(parent)) == false else { return }
            throw refusal(folder, "cannot be made, as there is no directory \(parent)")
        // An agent that cannot tell waits, and says so.
        default: return
        }
    }

    /// A folder that was used before is waited for: its disk may not be mounted yet.
    private static func isKnown(_ folder: String, _ home: String) -> Bool {
        do {
            return try Journal(home: home).folder(home: home) == folder
        } catch {
            // Whoever opens the journal next reports it.
            return true
        }
    }

    /// Bytes of the home must not be taken for photos of an album, nor the folder's files for the home's.
    private static func checkApart(_ folder: String, _ home: String) throws(PotluckError) {
        let (folderParts, homeParts) = (parts(folder), parts(home))
        if folderParts == homeParts { throw refusal(folder, "is the home itself") }
        if folderParts.starts(with: homeParts), HomeContents.directories.contains(folderParts[homeParts.count]) {
            throw refusal(folder, "is inside the home, where the agent keeps files of its own")
        }
        // Nothing is taken from hidden directories.
        if homeParts.starts(with: folderParts), !homeParts[folderParts.count...].contains(where: { $0.hasPrefix(".") })
        {
            throw refusal(folder, "has the home \(home) in it")
        }
    }

    /// With symbolic links followed, as far as the path exists.
    private static func parts(_ path: String) -> [String] {
        var existing = path
        var rest: [String] = []
        while existing != "/" {
            if let real = realpath(existing, nil) {
                defer { free(real) }
                existing = String(cString: real)
                break
            }
            rest.insert(AbsolutePath.names(existing).last ?? "", at: 0)
            existing = AbsolutePath.parent(existing)
        }
        return AbsolutePath.names(existing) + rest
    }

    private static func refusal(_ folder: String, _ reason: String) -> PotluckError {
        PotluckError(.badSetting, "The folder \(folder) \(reason). Choose another with --folder, or mend that.")
    }
}
