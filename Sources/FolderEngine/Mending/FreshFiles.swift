package import AlbumModel

/// Files that a person made and whose bytes or names the disk may not have yet.
///
/// Their records are durable at once, so after a power cut a record may stand for a file that is gone or damaged, which
/// would look like a person's deletion or edit.
package struct FreshFiles: Sendable {
    private let boot: BootID
    /// Made since the machine started, each with the number of its last note.
    private var numbers: [FolderPath: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    /// Those that the disk may have lost: the machine, or the disk, stopped before they were synced.
    package private(set) var suspects: Set<FolderPath> = []

    /// - Parameter facts: of ``FactKind/folderFresh``.
    package init(facts: [(key: [UInt8], value: [UInt8])] = [], boot: BootID) {
        self.boot = boot
        for fact in facts {
            let path = FolderPath(bytes: fact.key)
            if fact.value == boot.bytes { numbers[path] = 0 } else { suspects.insert(path) }
        }
    }

    package var isEmpty: Bool { numbers.isEmpty }

    /// Those that are to be synced, ordered.
    package var paths: [FolderPath] { numbers.keys.sorted() }

    /// Takes note of a file, and returns the fact to commit with its record.
    package mutating func note(_ path: FolderPath) -> FactChange {
        lastNumber += 1
        numbers[path] = lastNumber
        return FactChange(kind: .folderFresh, key: path.bytes, value: boot.bytes)
    }

    /// A file has another name, of which the disk is told anew.
    package mutating func move(_ path: FolderPath, to target: FolderPath) -> [FactChange] {
        let isSuspect = suspects.remove(path) != nil
        let isFresh = numbers.removeValue(forKey: path) != nil
        guard isSuspect || isFresh else { return [] }
        let left = FactChange(kind: .folderFresh, key: path.bytes, value: nil)
        if isSuspect { return [left] + suspect([target]) }
        return [left, note(target)]
    }

    /// What was noted up to now; handed to ``synced(_:but:)`` once a sync that began later has ended.
    package var noted: UInt64 { lastNumber }

    /// - Parameter missed: those that could not be synced.
    package mutating func synced(_ noted: UInt64, but missed: Set<FolderPath> = []) -> [FactChange] {
        let safe = numbers.filter { $0.value <= noted && !missed.contains($0.key) }.keys.sorted()
        for path in safe { numbers[path] = nil }
        return safe.filter { !suspects.contains($0) }.map { FactChange(kind: .folderFresh, key: $0.bytes, value: nil) }
    }

    /// The value of the fact that tells of a path; `nil` where there is none.
    func value(_ path: FolderPath) -> [UInt8]? {
        numbers[path] != nil ? boot.bytes : suspects.contains(path) ? Self.suspectValue : nil
    }

    /// The folder's disk went away, or did and is there again. The facts say so: whatever becomes of this program, the files
    /// are looked at before anything of them is judged.
    package mutating func suspectAll() -> [FactChange] { suspect(numbers.keys.sorted()) }

    /// The same of a disk that is mounted in the folder.
    package mutating func suspect(below directory: FolderPath) -> [FactChange] {
        suspect(numbers.keys.filter { $0.isBelow(directory) }.sorted())
    }

    private mutating func suspect(_ paths: [FolderPath]) -> [FactChange] {
        suspects.formUnion(paths)
        for path in paths { numbers[path] = nil }
        return paths.map { FactChange(kind: .folderFresh, key: $0.bytes, value: Self.suspectValue) }
    }

    /// No boot's.
    private static let suspectValue: [UInt8] = [0]

    /// The file was looked at, and put back if need be.
    package mutating func clear(_ path: FolderPath) -> [FactChange] {
        guard suspects.remove(path) != nil, numbers[path] == nil else { return [] }
        return [FactChange(kind: .folderFresh, key: path.bytes, value: nil)]
    }
}

extension FactKind {
    /// Key: a path whose file the disk may not have yet. Value: the ``BootID`` of the time in which it was made, or one byte 0
    /// where the disk went away since.
    package static let folderFresh = FactKind(rawValue: "folder.fresh")
}
