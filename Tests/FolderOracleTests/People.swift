import Foundation
import Simulator
import TestSupport

/// The people at three laptops: draws what they do, does it, and tells the oracle.
///
/// In one round nobody touches a photo that somebody else touches, nor a path twice: what comes of that is what the
/// rules say of each deed by itself, whatever the order in which laptops learn of them.
struct People: Sendable {
    /// What a person does at a laptop.
    enum Deed: CaseIterable {
        case drop, dropInNewAlbum, copy, rename, changeCase, move, edit, delete, swap
        // Only where an agent runs.
        case copyElsewhere, revert, bringBack, showAgain
        case restore, unhide, remove, removeForEveryone, caption, tag, untag

        static let inFolder: [Deed] = [
            .drop, .drop, .dropInNewAlbum, .copy, .rename, .changeCase, .move, .move, .edit, .edit, .delete, .swap,
        ]
        static let whileRunning: [Deed] = inFolder + allCases.suffix(11) + [.caption, .tag, .restore]
    }

    /// In an album with more files, half of them would be too many at once.
    static let lossCountMax = 2
    /// Photos of one album with fewer files may all go at once.
    static let smallAlbumCount = 5

    var random: SplitMix
    var oracle = Oracle()
    private(set) var log: [String] = []
    private var touched: Set<PhotoContent> = []
    private var usedPaths = Oracle.laptops.map { _ in Set<DiskPath>() }
    /// Files that albums lost in this round.
    private var losses: [[Int]: Int] = [:]
    private var nextNumber = 1
    private let start = ContinuousClock.now

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    var lastWords: String { log.suffix(40).joined(separator: "\n") }

    mutating func note(_ what: String) { log.append(what) }

    mutating func beginRound(_ what: String) {
        touched = []
        usedPaths = usedPaths.map { _ in [] }
        losses = [:]
        oracle.inherited = Oracle.laptops.map { _ in [Oracle.Key: DiskPath]() }
        note("-- \(what) (\((ContinuousClock.now - start).components.seconds) s)")
    }

    mutating func draw<Element>(_ elements: some Collection<Element>) -> Element? {
        elements.randomElement(using: &random)
    }

    mutating func touch(_ key: Oracle.Key) { touched.insert(key.content) }

    // MARK: What there is to choose from

    mutating func fresh(byteCount: Int? = nil) -> PhotoContent {
        nextNumber += 1
        return PhotoContent(seed: nextNumber, byteCount: byteCount ?? 1000 + nextNumber)
    }

    /// A file of the laptop whose photo nobody has touched in this round.
    private mutating func source(
        on laptop: Int, single: Bool = false, where isFit: (DiskPath, Oracle.Key) -> Bool = { _, _ in true }
    ) -> (path: DiskPath, key: Oracle.Key)? {
        let files = oracle.files[laptop].files.filter { path, key in
            !touched.contains(key.content) && !usedPaths[laptop].contains(path)
                && (!single || oracle.files[laptop].paths(of: key).count == 1) && isFit(path, key)
        }
        return draw(files.keys.sorted()).map { ($0, files[$0]!) }
    }

    /// A photo that nobody has touched.
    mutating func untouched(where isFit: (Oracle.Key, Oracle.Photo) -> Bool) -> Oracle.Key? {
        draw(oracle.photos.filter { !touched.contains($0.key.content) && isFit($0.key, $0.value) }.keys.sorted())
    }

    /// A directory of an album, at times spelled otherwise than the album's name.
    private mutating func directory(of album: Int, on laptop: Int) -> DiskPath? {
        let used = oracle.directories(of: album, on: laptop).sorted()
        let name = oracle.albums[album].names.sorted()[0]
        let isOwn = used.allSatisfy { Self.isSame($0.text, name) }
        if used.isEmpty || isOwn && random.isOnce(in: 6) {
            // A directory of that name is another album's where that one had the name before.
            let isTaken = oracle.files[laptop].files.contains {
                Self.isSame($0.key.directory.text, name) && $0.value.album != album
            }
            let isAmbiguous = oracle.albums.indices.contains { other in
                other != album && oracle.albums[other].names.contains { Self.isSame($0, name) }
            }
            if isTaken || isAmbiguous { return draw(used) }
            return draw([name, name.uppercased(), name.decomposedStringWithCanonicalMapping].map { DiskPath($0) })
        }
        return draw(used)
    }

    private static func isSame(_ name: String, _ other: String) -> Bool { name.lowercased() == other.lowercased() }

    /// A path that is free, in an album's directory or below that.
    private mutating func freePath(of album: Int, on laptop: Laptop) -> DiskPath? {
        guard var parent = directory(of: album, on: laptop.number) else { return nil }
        if random.isOnce(in: 5) { parent = parent.appending("s") }
        let name = draw(PhotoContent.names)!
        let path = parent.appending(random.isOnce(in: 4) ? name.decomposedStringWithCanonicalMapping : name)
        return isFree(path, on: laptop) ? path : nil
    }

    private mutating func isFree(_ path: DiskPath, on laptop: Laptop) -> Bool {
        path.name.utf8.count <= 255 && !laptop.hands.exists(path.text) && usedPaths[laptop.number].insert(path).inserted
    }

    private mutating func newAlbum(on laptop: Laptop) -> (album: Int, directory: DiskPath) {
        let number = oracle.albums.count
        let name = draw(["Beach", "Caf\u{E9}", "Zo\u{EB}'s day", "club trip"])! + " \(number)"
        let spelled = random.isOnce(in: 3) ? name.decomposedStringWithCanonicalMapping : name
        oracle.albums.append(Oracle.Album(names: [name]))
        return (number, DiskPath(spelled))
    }

    /// Whether one more file of the album may go without looking like an accident.
    private mutating func mayLose(_ key: Oracle.Key, on laptop: Int) -> Bool {
        losses[[laptop, key.album], default: 0] += 1
        return losses[[laptop, key.album]]! <= Self.lossCountMax
            || oracle.fileCount(of: key.album, on: laptop) <= Self.smallAlbumCount
    }
}

// MARK: - Deeds

extension People {
    /// - Returns: false where there was nothing to do it to.
    mutating func act(_ deed: Deed, at laptop: Laptop) async throws -> Bool {
        switch deed {
        case .drop: drop(at: laptop)
        case .dropInNewAlbum: dropInNewAlbum(at: laptop)
        case .copy: copy(at: laptop)
        case .rename: rename(at: laptop)
        case .changeCase: changeCase(at: laptop)
        case .move: move(at: laptop)
        case .edit: edit(at: laptop)
        case .revert: revert(at: laptop)
        case .delete: delete(at: laptop)
        case .swap: swap(at: laptop)
        case .copyElsewhere: copyElsewhere(at: laptop)
        case .bringBack: dropAgain(at: laptop) { !$0.isLive }
        case .showAgain: dropAgain(at: laptop) { $0.isLive && $0.hidden.contains(laptop.number) }
        case .restore, .unhide, .remove, .removeForEveryone: try await order(deed, at: laptop)
        case .caption, .tag, .untag: try await say(deed, at: laptop)
        }
    }

    mutating func drop(_ key: Oracle.Key, at path: DiskPath, on laptop: Laptop) {
        touched.insert(key.content)
        note("\(laptop.name): drop \(key) at \(path)")
        laptop.hands.drop(key.content.bytes, at: path.text)
        oracle.drop(key, at: path, on: laptop.number)
    }

    private mutating func drop(at laptop: Laptop) -> Bool {
        guard let album = draw(oracle.albums.indices), let path = freePath(of: album, on: laptop) else { return false }
        drop(Oracle.Key(album: album, content: fresh()), at: path, on: laptop)
        return true
    }

    private mutating func dropInNewAlbum(at laptop: Laptop) -> Bool {
        let (album, directory) = newAlbum(on: laptop)
        let path = directory.appending(draw(PhotoContent.names)!)
        drop(Oracle.Key(album: album, content: fresh()), at: path, on: laptop)
        return true
    }

    /// Within the album, as a link or as a file of its own.
    private mutating func copy(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number), let target = freePath(of: key.album, on: laptop) else {
            return false
        }
        guard random.isOnce(in: 2) else {
            drop(key, at: target, on: laptop)
            return true
        }
        touched.insert(key.content)
        note("\(laptop.name): link \(path) to \(target)")
        laptop.hands.link(path.text, to: target.text)
        oracle.drop(key, at: target, on: laptop.number)
        return true
    }

    private mutating func copyElsewhere(at laptop: Laptop) -> Bool {
        guard let (_, key) = source(on: laptop.number),
            let album = draw(oracle.albums.indices.filter { $0 != key.album }),
            let path = freePath(of: album, on: laptop)
        else { return false }
        drop(Oracle.Key(album: album, content: key.content), at: path, on: laptop)
        return true
    }

    private mutating func dropAgain(at laptop: Laptop, where isFit: (Oracle.Photo) -> Bool) -> Bool {
        guard let key = untouched(where: { isFit($1) }), let path = freePath(of: key.album, on: laptop) else {
            return false
        }
        drop(key, at: path, on: laptop)
        return true
    }

    private mutating func rename(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number), let target = freePath(of: key.album, on: laptop) else {
            return false
        }
        rename(path, to: target, key, at: laptop)
        return true
    }

    private mutating func changeCase(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number) else { return false }
        let name = path.name == path.name.lowercased() ? path.name.uppercased() : path.name.lowercased()
        let target = path.parent.appending(name)
        guard target != path, isFree(target, on: laptop) else { return false }
        rename(path, to: target, key, at: laptop)
        return true
    }

    private mutating func rename(_ path: DiskPath, to target: DiskPath, _ key: Oracle.Key, at laptop: Laptop) {
        touched.insert(key.content)
        usedPaths[laptop.number].insert(path)
        note("\(laptop.name): rename \(path) to \(target), \(key)")
        laptop.hands.move(path.text, to: target.text)
        oracle.rename(path, to: target, on: laptop.number)
    }

    private mutating func move(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number, single: true),
            let album = draw(oracle.albums.indices.filter { $0 != key.album }),
            oracle.files[laptop.number].paths(of: Oracle.Key(album: album, content: key.content)).isEmpty,
            let target = freePath(of: album, on: laptop)
        else { return false }
        touched.insert(key.content)
        usedPaths[laptop.number].insert(path)
        note("\(laptop.name): move \(path) to \(target), \(key)")
        laptop.hands.move(path.text, to: target.text)
        oracle.move(path, to: target, of: album, on: laptop.number)
        return true
    }

    /// An edit that leaves no trace may come before its directory is watched, and is taken for damage then: each leaves one.
    private mutating func edit(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number), mayLose(key, on: laptop.number) else { return false }
        var way = draw(FolderHands.Editing.allCases)!
        if way == .inPlaceUnseen { way = .inPlace }
        let (linkCount, isWritable) = Disk.links(laptop.hands.root + "/" + path.text)
        if way == .inPlace {
            if linkCount > 1, !mayOverwrite(key, linkCount: linkCount, isWritable: isWritable, on: laptop.number) {
                way = .renameOver
            } else if linkCount > 1 {
                oracle.overwritten[laptop.number].insert(key.content)
            }
        }
        edit(path, to: fresh(), way, at: laptop)
        return true
    }

    /// Writing through a link changes the store's file as well. People's programs are denied that, and whoever insists
    /// finds that the others still have the photo; here each photo bears it once.
    private func mayOverwrite(_ key: Oracle.Key, linkCount: Int, isWritable: Bool, on laptop: Int) -> Bool {
        let files = oracle.files[laptop].files.values.count { $0.content == key.content }
        return !isWritable && linkCount == 2 && files == 1
            && !oracle.overwritten.contains { $0.contains(key.content) }
    }

    private mutating func edit(
        _ path: DiskPath, to content: PhotoContent, _ way: FolderHands.Editing, at laptop: Laptop
    ) {
        let key = oracle.files[laptop.number].files[path]!
        touched.formUnion([key.content, content])
        usedPaths[laptop.number].insert(path)
        note("\(laptop.name): edit \(path) \(way), \(key) to \(content.seed)")
        laptop.hands.edit(path.text, content.bytes, way)
        oracle.edit(path, to: content, on: laptop.number)
    }

    /// Takes an edit back: what the album had before is there again.
    private mutating func revert(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number, single: true), mayLose(key, on: laptop.number),
            let old = untouched(where: { $0.album == key.album && !$1.isLive })
        else { return false }
        edit(path, to: old.content, .renameOver, at: laptop)
        return true
    }

    private mutating func delete(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number), mayLose(key, on: laptop.number) else { return false }
        delete(path, at: laptop)
        return true
    }

    mutating func delete(_ path: DiskPath, at laptop: Laptop) {
        let key = oracle.files[laptop.number].files[path]!
        touched.insert(key.content)
        usedPaths[laptop.number].insert(path)
        note("\(laptop.name): delete \(path), \(key)")
        laptop.hands.remove(path.text)
        oracle.delete(path, on: laptop.number)
    }

    private mutating func swap(at laptop: Laptop) -> Bool {
        guard let (path, key) = source(on: laptop.number, single: true),
            let (other, otherKey) = source(on: laptop.number, single: true, where: { $1.content != key.content }),
            key.album == otherKey.album
                || isAlone(key, otherKey.album, on: laptop) && isAlone(otherKey, key.album, on: laptop)
        else { return false }
        touched.formUnion([key.content, otherKey.content])
        usedPaths[laptop.number].formUnion([path, other])
        note("\(laptop.name): swap \(path) and \(other), \(key) and \(otherKey)")
        laptop.hands.swap(path.text, other.text)
        oracle.swap(path, other, on: laptop.number)
        return true
    }

    /// Whether another album has no file of the same photo here.
    private func isAlone(_ key: Oracle.Key, _ album: Int, on laptop: Laptop) -> Bool {
        oracle.files[laptop.number].paths(of: Oracle.Key(album: album, content: key.content)).isEmpty
    }
}
