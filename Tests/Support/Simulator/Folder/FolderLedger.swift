/// What people left in one folder, by which folders are judged: it asks no code of the product.
///
/// `Photo` is what a file holds, as far as its judge tells files apart.
public struct FolderLedger<Path: Hashable & Comparable & Sendable, Photo: Hashable & Sendable>: Sendable {
    public private(set) var files: [Path: Photo] = [:]
    /// All that anybody ever put at each path.
    public private(set) var everPut: [Path: Set<Photo>] = [:]
    /// The step in which each path came to hold what it holds, where steps are counted.
    private var steps: [Path: Int] = [:]

    public init() {}

    // MARK: What people do

    /// Over what is there.
    public mutating func put(_ photo: Photo, at path: Path, step: Int = 0) {
        everPut[path, default: []].insert(photo)
        set(photo, at: path, step: step)
    }

    private mutating func set(_ photo: Photo, at path: Path, step: Int) {
        guard files[path] != photo else { return }
        (files[path], steps[path]) = (photo, step)
    }

    @discardableResult
    public mutating func take(_ path: Path) -> Photo? { files.removeValue(forKey: path) }

    /// Over what is there.
    public mutating func move(_ path: Path, to target: Path) { files[target] = files.removeValue(forKey: path) }

    public mutating func swap(_ path: Path, _ other: Path) { (files[path], files[other]) = (files[other], files[path]) }

    /// Files go to other paths at once, with all that is known of them.
    ///
    /// - Parameter target: `nil` for one that stays.
    public mutating func moveAll(_ target: (Path) -> Path?) {
        steps = steps.filter { files[$0.key] != nil }
        steps = Dictionary(uniqueKeysWithValues: steps.map { (target($0.key) ?? $0.key, $0.value) })
        files = Dictionary(uniqueKeysWithValues: files.map { (target($0.key) ?? $0.key, $0.value) })
        everPut = Dictionary(everPut.map { (target($0.key) ?? $0.key, $0.value) }) { $0.union($1) }
    }

    /// Takes over what is there, also what somebody else placed.
    public mutating func follow(_ files: [Path: Photo], step: Int) {
        self.files = self.files.filter { files[$0.key] != nil }
        for (path, photo) in files { set(photo, at: path, step: step) }
    }

    // MARK: What must be true

    public func paths(of photo: Photo) -> [Path] { files.filter { $0.value == photo }.keys.sorted() }

    /// What has been at a path since before a step.
    public func photo(at path: Path, since step: Int) -> Photo? { steps[path, default: 0] < step ? files[path] : nil }

    /// The paths of which something else is shown than they hold, ascending.
    ///
    /// - Parameter shown: of every file, as the folder's agent or a disk has it.
    public func differences<Shown: Equatable>(from shown: [Path: Shown], as value: (Photo) -> Shown) -> [Path] {
        Set(files.keys).union(shown.keys).filter { files[$0].map(value) != shown[$0] }.sorted()
    }
}
