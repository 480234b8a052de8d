import AlbumModel
import Glibc
import PhotoStore

@testable import SharedFolder

/// Somebody who does things to files, and knows what is where.
struct RandomPerson: Sendable {
    struct Content: Hashable, Sendable {
        var seed: Int
        var byteCount: Int

        var bytes: [UInt8] { SamplePhoto.jpeg(seed, byteCount: byteCount) }
        var blob: BlobID { blobID(bytes) }
    }

    /// An operation that must not cost a photo its caption.
    struct Continuity: Sendable {
        enum Way: CaseIterable { case rename, move, inPlace, inPlaceUnseen, makeAgain, renameOver, caseOnly, directory }
        var way: Way
        var path: String
        var target: String
        var before: Content
        var after: Content
        var fromAlbum: String
        var toAlbum: String
    }

    private static let albums = ["A", "B", "C", "Dé"]
    private static let names = [
        "a.jpg", "b.jpg", "c.jpg", "A.JPG", "caf\u{E9}.jpg", "nin\u{303}o.jpg", "none",
        String(repeating: "n", count: 251) + ".jpg",
    ]

    var random: SplitMix
    private var log: [String] = []
    /// Which file is at which path; hard links share one.
    private var files: [String: Int] = [:]
    private var contents: [Int: Content] = [:]
    private var nextNumber = 1

    init(seed: UInt64) {
        random = SplitMix(state: seed)
    }

    /// What was done of late.
    var lastWords: String { log.suffix(40).joined(separator: "\n") }

    // MARK: The oracle

    /// What is otherwise than it should be; `nil` for nothing.
    func difference(from kit: Kit) async -> String? {
        let shown = Dictionary(
            uniqueKeysWithValues: kit.folder.files().filter { !$0.path.hasPrefix("sentinel") }.map {
                ($0.path, $0.blob)
            })
        let wanted = files.mapValues { contents[$0]!.blob }
        if shown != wanted {
            let paths = Set(shown.keys).union(wanted.keys).filter { shown[$0] != wanted[$0] }
            return "the folder's state differs at \(paths.sorted())"
        }
        let photos = await kit.host.photos
        let names = await kit.host.names
        for album in Self.albums {
            let here = files.filter { $0.key.hasPrefix(album + "/") }
            let there = photos.filter { $0.album == AlbumName.identifier(album) }
            let missing = Set(here.values.map { contents[$0]!.blob }).symmetricDifference(there.map(\.blob))
            if !missing.isEmpty {
                let paths = here.filter { missing.contains(contents[$0.value]!.blob) }.keys.sorted()
                return "album \(album) differs by \(missing.count) photos, at \(paths)"
            }
            for photo in there {
                let own = here.filter { contents[$0.value]!.blob == photo.blob }.keys.map { Drop.name(FolderPath($0)) }
                if !own.contains(names[photo] ?? "") {
                    return "a photo of \(album) is called \(names[photo] ?? "nothing"), and its files \(own.sorted())"
                }
            }
        }
        return nil
    }

    // MARK: What the person does

    /// One operation. While nothing runs, nothing is brought back that an album once had: a scan does not add it.
    mutating func act(in root: String, isLive: Bool) {
        let source = files.keys.sorted().randomElement(using: &random)
        let target = randomPath()
        switch Int.random(in: 0..<(isLive ? 13 : 11), using: &random) {
        case 0, 1, 2: drop(fresh(), at: target, in: root)
        case 3: source.map { edit($0, fresh(), .inPlace, in: root) }
        case 4: source.map { edit($0, fresh(like: content($0)), .inPlaceUnseen, in: root) }
        case 5: source.map { edit($0, fresh(), .makeAgain, in: root) }
        case 6: source.map { edit($0, fresh(), .renameOver, in: root) }
        case 7:
            // One of several files that moves is a copy there, which a scan does not add where the photo was removed.
            source.map { if isLive || isSingle($0) { move($0, to: target, in: root) } }
        case 8: source.map { remove($0, in: root) }
        case 9: source.map { renameDirectory(of: $0, in: root) }
        case 10: source.map { makeDirectoryAgain(of: $0, in: root) }
        case 11: source.map { copy($0, to: target, in: root) }
        default: source.map { swap($0, target, in: root) }
        }
    }

    /// An operation on a photo that has one file only, to a name that is free, in an album that does not have it.
    mutating func plannedContinuity() -> Continuity? {
        guard let path = files.keys.filter({ isSingle($0) }).sorted().randomElement(using: &random) else { return nil }
        let way = Continuity.Way.allCases.randomElement(using: &random)!
        let (album, before) = (Self.album(path), content(path))
        var plan = Continuity(
            way: way, path: path, target: path, before: before, after: before, fromAlbum: album, toAlbum: album)
        switch way {
        case .rename: plan.target = album + "/s/" + Self.names.randomElement(using: &random)!
        case .move:
            plan.toAlbum = Self.albums.filter { $0 != album }.randomElement(using: &random)!
            plan.target = plan.toAlbum + "/" + Self.names.randomElement(using: &random)!
        case .caseOnly:
            let name = path.split(separator: "/").last!
            plan.target =
                String(path.dropLast(name.count)) + (name == name.lowercased() ? name.uppercased() : name.lowercased())
        case .inPlace, .makeAgain, .renameOver: plan.after = fresh()
        case .inPlaceUnseen: plan.after = fresh(like: before)
        case .directory: break
        }
        if plan.target.split(separator: "/").last!.utf8.count > 255 { return nil }
        return plan.target != path && files[plan.target] != nil ? nil : plan
    }

    mutating func carryOut(_ plan: Continuity, in root: String) {
        switch plan.way {
        case .rename, .move, .caseOnly: move(plan.path, to: plan.target, in: root)
        case .directory: makeDirectoryAgain(of: plan.path, in: root)
        case .inPlace, .inPlaceUnseen, .makeAgain, .renameOver: edit(plan.path, plan.after, plan.way, in: root)
        }
    }
}

extension RandomPerson {
    private func content(_ path: String) -> Content { contents[files[path]!]! }

    /// Whether no other file holds the same.
    private func isSingle(_ path: String) -> Bool {
        files.values.count { contents[$0] == content(path) } == 1
    }

    private static func album(_ path: String) -> String { String(path.prefix { $0 != "/" }) }

    private mutating func randomPath() -> String {
        let directory =
            Self.albums.randomElement(using: &random)! + (Int.random(in: 0..<4, using: &random) == 0 ? "/s" : "")
        return directory + "/" + Self.names.randomElement(using: &random)!
    }

    private mutating func fresh(like other: Content? = nil) -> Content {
        nextNumber += 1
        return Content(seed: nextNumber, byteCount: other?.byteCount ?? 1000 + nextNumber)
    }

    private mutating func put(_ content: Content, at path: String) {
        nextNumber += 1
        files[path] = nextNumber
        contents[nextNumber] = content
    }

    private mutating func note(_ what: String) { log.append(what) }

    private func makeParents(_ path: String, in root: String) {
        let parts = path.split(separator: "/").dropLast()
        for count in parts.indices { mkdir(root + "/" + parts[...count].joined(separator: "/"), 0o755) }
    }

    private func write(_ content: Content, to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        precondition(file >= 0 && Glibc.write(file, content.bytes, content.byteCount) == content.byteCount)
        close(file)
    }

    /// From outside, as a file manager does.
    private mutating func drop(_ content: Content, at path: String, in root: String) {
        note("drop \(content.seed) at \(path)")
        makeParents(path, in: root)
        write(content, to: root + "-outside")
        precondition(Glibc.rename(root + "-outside", root + "/" + path) == 0)
        put(content, at: path)
    }

    private mutating func edit(_ path: String, _ content: Content, _ way: Continuity.Way, in root: String) {
        note("edit \(path) \(way) from \(self.content(path).seed) to \(content.seed)")
        let absolute = root + "/" + path
        let isLinked = files.values.count { $0 == files[path] } > 1
        switch way {
        // Through one of several links nobody is told of the others.
        case .inPlace where !isLinked, .inPlaceUnseen where !isLinked:
            var info = stat()
            stat(absolute, &info)
            write(content, to: absolute)
            if way == .inPlaceUnseen {
                var times = [info.st_atim, info.st_mtim]
                utimensat(AT_FDCWD, absolute, &times, 0)
            }
        case .makeAgain:
            unlink(absolute)
            write(content, to: absolute)
        default:
            let beside = absolute.prefix(through: absolute.lastIndex(of: "/")!) + ".editing"
            write(content, to: String(beside))
            precondition(Glibc.rename(String(beside), absolute) == 0)
        }
        put(content, at: path)
    }

    private mutating func move(_ path: String, to target: String, in root: String) {
        note("move \(path) to \(target)")
        makeParents(target, in: root)
        precondition(Glibc.rename(root + "/" + path, root + "/" + target) == 0)
        // Of two links to one file both stay.
        guard files[path] != files[target] else { return }
        files[target] = files.removeValue(forKey: path)
    }

    private mutating func remove(_ path: String, in root: String) {
        note("remove \(path)")
        unlink(root + "/" + path)
        files[path] = nil
    }

    private mutating func copy(_ path: String, to target: String, in root: String) {
        makeParents(target, in: root)
        if files[target] == nil, Self.album(path) == Self.album(target) {
            note("link \(path) to \(target)")
            precondition(link(root + "/" + path, root + "/" + target) == 0)
            files[target] = files[path]
        } else if path != target {
            drop(content(path), at: target, in: root)
        }
    }

    private mutating func swap(_ path: String, _ other: String, in root: String) {
        guard files[other] != nil, path != other else { return }
        note("swap \(path) and \(other)")
        precondition(Glibc.rename(root + "/" + path, root + "-outside") == 0)
        precondition(Glibc.rename(root + "/" + other, root + "/" + path) == 0)
        precondition(Glibc.rename(root + "-outside", root + "/" + other) == 0)
        (files[path], files[other]) = (files[other], files[path])
    }

    private mutating func renameDirectory(of path: String, in root: String) {
        let album = Self.album(path)
        let target = path.hasPrefix(album + "/s/") ? album + "/t" : Self.albums.randomElement(using: &random)!
        let source = path.hasPrefix(album + "/s/") ? album + "/s" : album
        guard access(root + "/" + target, F_OK) != 0 else { return }
        note("rename directory \(source) to \(target)")
        precondition(Glibc.rename(root + "/" + source, root + "/" + target) == 0)
        for (path, file) in files where path.hasPrefix(source + "/") {
            files[path] = nil
            files[target + path.dropFirst(source.count)] = file
        }
    }

    /// As restoring it from elsewhere does: other files, the same bytes.
    private mutating func makeDirectoryAgain(of path: String, in root: String) {
        let directory = String(path.prefix(upTo: path.lastIndex(of: "/")!))
        note("make \(directory) again")
        let inside = files.keys.filter {
            $0.hasPrefix(directory + "/") && !$0.dropFirst(directory.count + 1).contains("/")
        }
        for path in inside.sorted() { unlink(root + "/" + path) }
        rmdir(root + "/" + directory)
        mkdir(root + "/" + directory, 0o755)
        for path in inside.sorted() {
            write(content(path), to: root + "/" + path)
            put(content(path), at: path)
        }
    }
}

/// SplitMix64: equal seeds give equal tests.
struct SplitMix: RandomNumberGenerator, Sendable {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
