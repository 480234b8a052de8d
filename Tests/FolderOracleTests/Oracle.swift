import Simulator
import TestSupport

/// States what three laptops must hold after what their people did: which files each folder has, who contributed a
/// photo, what is said of it, what is hidden where and what is in whose trash.
///
/// It knows the rules as people are told them (<doc:Removal>, <doc:Decisions>) and asks no code of the product. What these
/// leave open is learned from the first laptop that is looked at, and has to be the same everywhere from then on: under
/// which of the documented names a photo is placed, and which of two words that were said at once is shown.
struct Oracle: Sendable {
    static let laptopNames = ["Anna", "Ben", "Cleo"]
    static let laptops = laptopNames.indices

    /// A photo of an album.
    struct Key: Hashable, Comparable, Sendable, CustomStringConvertible {
        var album: Int
        var content: PhotoContent

        var description: String { "photo \(content.seed) of album \(album)" }

        static func < (left: Key, right: Key) -> Bool { (left.album, left.content) < (right.album, right.content) }
    }

    struct Album: Sendable {
        /// It has one of them.
        var names: Set<String>
        /// As the gathering calls it, once that is learned.
        var id: String?
    }

    struct Photo: Sendable {
        var contributors: Set<Int> = []
        /// It has one of them.
        var names: Set<String> = []
        /// Empty where it was taken back.
        var caption: String?
        var tags: Set<String> = []
        /// Laptops on which it is not to be seen.
        var hidden: Set<Int> = []
        /// Several dropped it at once: only those who did not see another's first are contributors, and the others may
        /// have the other's file beside their own.
        var isOpen = false

        var isLive: Bool { !contributors.isEmpty }
    }

    var albums: [Album] = []
    var photos: [Key: Photo] = [:]
    /// Files of each laptop, as far as they are known: not those that its agent has still to place.
    var files = laptops.map { _ in FolderLedger<DiskPath, Key>() }
    /// Those that each agent placed, and of which no person made anything else: they follow the names of their photos.
    var placed = laptops.map { _ in [DiskPath: Key]() }
    /// Photos that took another's place in this round, with the path that each is to have on a laptop once that one's file
    /// has gone from there.
    var inherited = laptops.map { _ in [Key: DiskPath]() }
    /// Photos whose placed files went from where they were, and were not seen elsewhere yet.
    var moving = laptops.map { _ in Set<Key>() }
    var trash = laptops.map { _ in Set<Key>() }
    /// What a laptop's store may have lost, since its file was written to through another name.
    var overwritten = laptops.map { _ in Set<PhotoContent>() }

    func photo(_ key: Key) -> Photo { photos[key] ?? Photo() }

    /// Every photo that anybody ever dropped.
    var everything: Set<PhotoContent> { Set(files.flatMap { $0.everPut.values.joined() }.map(\.content)) }

    func fileCount(of album: Int, on laptop: Int) -> Int { files[laptop].files.values.count { $0.album == album } }

    /// The first-level directories in which an album's files are.
    func directories(of album: Int, on laptop: Int) -> Set<DiskPath> {
        Set(files[laptop].files.filter { $0.value.album == album }.keys.map(\.directory))
    }
}

// MARK: - What people do in a folder

extension Oracle {
    /// A new file in the album's directory.
    mutating func drop(_ key: Key, at path: DiskPath, on laptop: Int) {
        // Who makes it at the same time may spell it otherwise.
        if albums[key.album].id == nil { albums[key.album].names.insert(path.directory.sharedName) }
        let isCopy = !files[laptop].paths(of: key).isEmpty
        put(key, at: path, on: laptop)
        let photo = photo(key)
        if photo.isLive, photo.hidden.contains(laptop) {
            // They want to see it again; nobody else hears of that.
            photos[key]!.hidden.remove(laptop)
        } else if !photo.isLive || !isCopy {
            add(key, called: path.sharedName, by: laptop)
        }
    }

    mutating func rename(_ path: DiskPath, to target: DiskPath, on laptop: Int) {
        let key = files[laptop].take(path)!
        let others = files[laptop].paths(of: key)
        put(key, at: target, on: laptop)
        guard photo(key).contributors.contains(laptop), path.sharedName != target.sharedName else { return }
        // Of several files one stands for the photo, and which that is nobody is told.
        photos[key]!.names = (others.isEmpty ? [] : photo(key).names).union([target.sharedName])
    }

    mutating func move(_ path: DiskPath, to target: DiskPath, of album: Int, on laptop: Int) {
        let key = files[laptop].files[path]!
        succeed(path, Key(album: album, content: key.content), at: target, on: laptop)
    }

    mutating func edit(_ path: DiskPath, to content: PhotoContent, on laptop: Int) {
        let key = Key(album: files[laptop].files[path]!.album, content: content)
        succeed(path, key, at: path, on: laptop)
    }

    mutating func delete(_ path: DiskPath, on laptop: Int) {
        let key = files[laptop].take(path)!
        let others = files[laptop].paths(of: key)
        if others.isEmpty { return part(with: key, on: laptop) }
        if photo(key).contributors.contains(laptop) { photos[key]!.names.formUnion(others.map(\.sharedName)) }
    }

    /// Two photos with one file each change places.
    mutating func swap(_ path: DiskPath, _ other: DiskPath, on laptop: Int) {
        let (key, otherKey) = (files[laptop].files[path]!, files[laptop].files[other]!)
        guard key.album != otherKey.album else {
            files[laptop].swap(path, other)
            for path in [path, other] { placed[laptop][path] = nil }
            guard path.sharedName != other.sharedName else { return }
            if photo(key).contributors.contains(laptop) { photos[key]!.names = [other.sharedName] }
            if photo(otherKey).contributors.contains(laptop) { photos[otherKey]!.names = [path.sharedName] }
            return
        }
        files[laptop].take(path)
        files[laptop].take(other)
        arrive(Key(album: otherKey.album, content: key.content), after: key, at: other, on: laptop)
        arrive(Key(album: key.album, content: otherKey.content), after: otherKey, at: path, on: laptop)
        part(with: key, on: laptop)
        part(with: otherKey, on: laptop)
    }

    /// All files of an album are in this directory, which no album has had: it is the same album under its name. Where
    /// others have the album, the directory with most of its files gets that name.
    mutating func renameDirectory(_ directory: DiskPath, to name: DiskPath, of album: Int, on laptop: Int) {
        moveFiles(from: directory, to: name, on: laptop)
        albums[album].names = [name.sharedName]
        for other in Self.laptops where other != laptop {
            let paths = files[other].files.filter { $0.value.album == album }.keys
            let counts = Dictionary(grouping: paths) { $0.directory }.mapValues(\.count)
            guard let most = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key else { continue }
            moveFiles(from: most, to: DiskPath(name.sharedName), on: other)
        }
    }

    private mutating func moveFiles(from directory: DiskPath, to name: DiskPath, on laptop: Int) {
        func target(_ path: DiskPath) -> DiskPath? {
            guard path.directory == directory else { return nil }
            return DiskPath(name.text + path.text.dropFirst(directory.text.count))
        }
        files[laptop].moveAll(target)
        placed[laptop] = Dictionary(placed[laptop].map { (target($0.key) ?? $0.key, $0.value) }) { $1 }
    }

    /// A person's file, over what is there.
    mutating func put(_ key: Key, at path: DiskPath, on laptop: Int) {
        files[laptop].put(key, at: path)
        placed[laptop][path] = nil
    }

    /// A photo takes another's place: that photo under another album, or an edit. Of a photo with several files only a
    /// copy goes, and what is new stands for itself.
    private mutating func succeed(_ path: DiskPath, _ key: Key, at target: DiskPath, on laptop: Int) {
        let old = files[laptop].files[path]!
        guard files[laptop].paths(of: old).count == 1 else {
            delete(path, on: laptop)
            return drop(key, at: target, on: laptop)
        }
        files[laptop].take(path)
        if key.album == old.album { inherit(key, from: old, called: target.sharedName, but: laptop) }
        arrive(key, after: old, at: target, on: laptop)
        part(with: old, on: laptop)
    }

    /// On the other laptops an edit that keeps the shared name has the name of what it replaces, where that is called so.
    private mutating func inherit(_ key: Key, from old: Key, called name: String, but laptop: Int) {
        guard name.utf8.count < 100, photo(old).names.allSatisfy({ DiskPath.isSame($0, name) }) else { return }
        let placed = name.contains(".") ? name : name + ".jpg"
        for other in Self.laptops where other != laptop {
            inherited[other][key] = files[other].paths(of: old).first { DiskPath.isSame($0.name, placed) }
        }
    }

    private mutating func arrive(_ key: Key, after old: Key, at path: DiskPath, on laptop: Int) {
        put(key, at: path, on: laptop)
        add(key, called: path.sharedName, by: laptop)
        let before = photo(old)
        if let caption = before.caption, !caption.isEmpty, photo(key).caption == nil { photos[key]!.caption = caption }
        photos[key]!.tags.formUnion(before.tags)
    }
}

// MARK: - What people say

extension Oracle {
    mutating func restore(_ key: Key, on laptop: Int) {
        add(key, called: nil, by: laptop)
    }

    mutating func unhide(_ key: Key, on laptop: Int) {
        photos[key]!.hidden.remove(laptop)
    }

    /// Nobody at this laptop wants it any longer: one's own goes everywhere, what others have added is hidden here.
    mutating func part(with key: Key, on laptop: Int) {
        guard photo(key).contributors != [laptop] else { return remove(key) }
        photos[key]!.contributors.remove(laptop)
        photos[key]!.hidden.insert(laptop)
        forgetFiles(of: key, on: laptop)
    }

    /// For everyone.
    mutating func remove(_ key: Key) {
        photos[key]!.contributors = []
        for laptop in Self.laptops {
            forgetFiles(of: key, on: laptop)
            trash[laptop].insert(key)
        }
    }

    private mutating func forgetFiles(of key: Key, on laptop: Int) {
        for path in files[laptop].paths(of: key) { files[laptop].take(path) }
    }

    /// - Parameter name: `nil` for the one that it had.
    private mutating func add(_ key: Key, called name: String?, by laptop: Int) {
        for other in Self.laptops { trash[other].remove(key) }
        photos[key, default: Photo()].hidden.remove(laptop)
        guard photos[key]!.contributors.insert(laptop).inserted, let name else { return }
        photos[key]!.names = [name]
    }
}
