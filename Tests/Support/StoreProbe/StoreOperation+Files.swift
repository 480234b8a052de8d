import AlbumModel
import DiskIO
import Glibc

extension StoreOperation {
    private static let old = Array("old\n".utf8)
    private static let new = Samples.bytes(3_000, seed: 11)

    /// What `DiskIO` promises of files and names, apart from the store: a file is written as a whole or not at all,
    /// directories and renames are durable on return, and a rename replaces nothing.
    static let files = StoreOperation(
        "files",
        prepare: { probe in
            _ = try probe.blobs()
            try Files.write(old, to: probe.folder + "/note")
            try Files.write([1], to: probe.folder + "/first")
            try Files.write([2], to: probe.folder + "/mine")
        },
        perform: { probe in
            probe.begin()
            let folder = probe.folder
            try probe.persistently { try OpenDirectory(path: folder).write(new, as: "note", mode: 0o600) }
            promise(.written, probe)
            try probe.persistently { try Disk.makeDirectories(folder + "/a/b", mode: 0o700) }
            promise(.made, probe)
            try probe.persistently {
                if try Disk.exists(folder + "/first") { try move("first", to: "second", in: folder) }
                try Disk.synchronizeDirectory(folder)
            }
            promise(.moved, probe)
            // It is refused, since another file stands there.
            try? move("second", to: "mine", in: folder)
        },
        rules: { probe, promises in
            func isPromised(_ step: Step) -> Bool { promises.contains(acknowledgement(step)) }
            func bytes(_ name: String) -> [UInt8]? { try? Files.bytes(probe.folder + "/" + name) }
            let note = bytes("note")
            let (first, second) = (bytes("first"), bytes("second"))
            let isMade = try Disk.exists(probe.folder + "/a/b")
            return [
                note == new || note == old && !isPromised(.written) ? nil : "the file is neither of the two",
                isMade || !isPromised(.made) ? nil : "directories that were durable are gone",
                second == [1] || first == [1] && !isPromised(.moved) ? nil : "a file that was moved is gone",
                bytes("mine") == [2] ? nil : "a rename replaced a file",
            ].compactMap { $0 }
        },
        end: { probe in
            try Disk.exists(probe.folder + "/note" + OpenDirectory.temporaryEnding) ? ["a temporary file is left"] : []
        })

    private enum Step: String {
        case written, made, moved
    }

    private static func acknowledgement(_ step: Step) -> Acknowledgement { .photo(Samples.blobID(new), step.rawValue) }

    private static func promise(_ step: Step, _ probe: Probe) { probe.acknowledge(acknowledgement(step)) }

    private static func move(_ name: String, to newName: String, in folder: String) throws {
        try Disk.renameWithoutReplacing(folder + "/" + name, to: folder + "/" + newName, claimingBy: .look)
    }
}
