import FolderEngine

/// A file as a disk has it.
struct SimulatedFile: Hashable, Sendable {
    /// Names the bytes.
    var content: Int
    var signature: FileSignature
    /// Somebody still writes it.
    var isOpen = false
    /// A power cut takes nothing of it.
    var isDurable = false
}

/// One file system: what is on it stays whether it is mounted or not.
struct SimulatedVolume: Sendable {
    /// `nil` for a disk that belongs to nobody: without the folder's marker.
    var marker: Int?
    let identity: MountIdentity
    /// By their paths below the folder, also where the volume is mounted deeper in it.
    var files: [FolderPath: SimulatedFile] = [:]
    var directories: Set<FolderPath> = []

    init(number: UInt64, marker: Int?, directories: Set<FolderPath> = []) {
        identity = MountIdentity(fileSystem: number, rootInode: 2)
        self.marker = marker
        self.directories = directories
    }
}
