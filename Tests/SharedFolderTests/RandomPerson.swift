import AlbumModel
import FolderEngine
import Glibc
import PhotoStore
import Simulator
import TestSupport

@testable import SharedFolder

/// Somebody who does things to files, and knows what is where.
struct RandomPerson: Sendable {
    typealias Content = PhotoContent

    /// An operation that must not cost a photo its caption.
    struct Continuity: Sendable {
        enum Way: Sendable {
            case rename, move, caseOnly, directory
            case edit(FolderHands.Editing)

            static let all = [rename, move, caseOnly, directory] + FolderHands.Editing.allCases.map { edit($0) }
        }
        var way: Way
        var path: String
        var target: String
        var before: Content
        var after: Content
        var fromAlbum: String
        var toAlbum: String
    }

    private static let albums = ["A", "B", "C", "Dé"]

    var random: SplitMix
    private var log: [String] = []
    private var ledger = FolderLedger<String, File>()
    private var nextNumber = 1

    /// Hard links share one number.
    private struct File: Hashable {
        var number: Int
        var content: Content
    }

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
        let paths = ledger.differences(from: shown, as: \.content.blob)
        if !paths.isEmpty { return "the folder's state differs at \(paths)" }
        let photos = await kit.host.photos
        let names = await kit.host.names
        for album in Self.albums {
            let here = ledger.files.filter { $0.key.hasPrefix(album + "/") }.mapValues(\.content.blob)
            let there = photos.filter { $0.album == AlbumName.identifier(album) }
            let missing = Set(here.values).symmetricDifference(there.map(\.blob))
            if !missing.isEmpty {
                let paths = here.filter { missing.contains($0.value) }.keys.sorted()
                return "album \(album) differs by \(missing.count) photos, at \(paths)"
            }
            for photo in there {
                let own = here.filter { $0.value == photo.blob }.keys.map { Drop.name(FolderPath($0)) }
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
        let source = ledger.files.keys.sorted().randomElement(using: &random)
        let target = randomPath()
        switch Int.random(in: 0..<(isLive ? 13 : 11), using: &random) {
        case 0, 1, 2: drop(fresh(), at: target, in: root)
        case 3: source.map { edit($0, fresh(), .inPlace, in: root) }
        case 4: source.map { edit($0, fresh(like: content($0)), .inPlace, in: root) }
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
        guard let path = ledger.files.keys.filter({ isSingle($0) }).sorted().randomElement(using: &random) else {
            return nil
        }
        let way = Continuity.Way.all.randomElement(using: &random)!
        let (album, before) = (Self.album(path), content(path))
        var plan = Continuity(
            way: way, path: path, target: path, before: before, after: before, fromAlbum: album, toAlbum: album)
        switch way {
        case .rename: plan.target = album + "/s/" + PhotoContent.names.randomElement(using: &random)!
        case .move:
            plan.toAlbum = Self.albums.filter { $0 != album }.randomElement(using: &random)!
            plan.target = plan.toAlbum + "/" + PhotoContent.names.randomElement(using: &random)!
        case .caseOnly:
            let name = path.split(separator: "/").last!
            plan.target =
                String(path.dropLast(name.count)) + (name == name.lowercased() ? name.uppercased() : name.lowercased())
        case .edit(.inPlaceUnseen): plan.after = fresh(like: before)
        case .edit: plan.after = fresh()
        case .directory: break
        }
        if plan.target.split(separator: "/").last!.utf8.count > 255 { return nil }
        return plan.target != path && ledger.files[plan.target] != nil ? nil : plan
    }

    mutating func carryOut(_ plan: Continuity, in root: String) {
        switch plan.way {
        case .rename, .move, .caseOnly: move(plan.path, to: plan.target, in: root)
        case .directory: makeDirectoryAgain(of: plan.path, in: root)
        case .edit(let way): edit(plan.path, plan.after, way, in: root)
        }
    }
}

extension RandomPerson {
    private func content(_ path: String) -> Content { ledger.files[path]!.content }

    /// Whether no other file holds the same.
    private func isSingle(_ path: String) -> Bool {
        ledger.files.values.count { $0.content == content(path) } == 1
    }

    private static func album(_ path: String) -> String { String(path.prefix { $0 != "/" }) }

    private mutating func randomPath() -> String {
        let directory =
            Self.albums.randomElement(using: &random)! + (Int.random(in: 0..<4, using: &random) == 0 ? "/s" : "")
        return directory + "/" + PhotoContent.names.randomElement(using: &random)!
    }

    private mutating func fresh(like other: Content? = nil) -> Content {
        nextNumber += 1
        return Content(seed: nextNumber, byteCount: other?.byteCount ?? 1000 + nextNumber)
    }

    private mutating func put(_ content: Content, at path: String) {
        nextNumber += 1
        ledger.put(File(number: nextNumber, content: content), at: path)
    }

    private mutating func note(_ what: String) { log.append(what) }

    /// From outside, as a file manager does.
    private mutating func drop(_ content: Content, at path: String, in root: String) {
        note("drop \(content.seed) at \(path)")
        FolderHands(root: root).drop(content.bytes, at: path)
        put(content, at: path)
    }

    /// An edit that leaves no trace may come before its directory is watched, and is taken for damage then: each leaves one.
    private mutating func edit(_ path: String, _ content: Content, _ way: FolderHands.Editing, in root: String) {
        let way = way == .inPlaceUnseen ? .inPlace : way
        note("edit \(path) \(way) from \(self.content(path).seed) to \(content.seed)")
        // Through one of several links nobody is told of the others.
        let isLinked = way == .inPlace && ledger.paths(of: ledger.files[path]!).count > 1
        FolderHands(root: root).edit(path, content.bytes, isLinked ? .renameOver : way)
        put(content, at: path)
    }

    private mutating func move(_ path: String, to target: String, in root: String) {
        note("move \(path) to \(target)")
        FolderHands(root: root).move(path, to: target)
        // Of two links to one file both stay.
        if ledger.files[path] != ledger.files[target] { ledger.move(path, to: target) }
    }

    private mutating func remove(_ path: String, in root: String) {
        note("remove \(path)")
        FolderHands(root: root).remove(path)
        ledger.take(path)
    }

    private mutating func copy(_ path: String, to target: String, in root: String) {
        if ledger.files[target] == nil, Self.album(path) == Self.album(target) {
            note("link \(path) to \(target)")
            FolderHands(root: root).link(path, to: target)
            ledger.put(ledger.files[path]!, at: target)
        } else if path != target {
            drop(content(path), at: target, in: root)
        }
    }

    private mutating func swap(_ path: String, _ other: String, in root: String) {
        guard ledger.files[other] != nil, path != other else { return }
        note("swap \(path) and \(other)")
        FolderHands(root: root).swap(path, other)
        ledger.swap(path, other)
    }

    private mutating func renameDirectory(of path: String, in root: String) {
        let album = Self.album(path)
        let target = path.hasPrefix(album + "/s/") ? album + "/t" : Self.albums.randomElement(using: &random)!
        let source = path.hasPrefix(album + "/s/") ? album + "/s" : album
        guard access(root + "/" + target, F_OK) != 0 else { return }
        note("rename directory \(source) to \(target)")
        precondition(Glibc.rename(root + "/" + source, root + "/" + target) == 0)
        ledger.moveAll { $0.hasPrefix(source + "/") ? target + $0.dropFirst(source.count) : nil }
    }

    /// As restoring it from elsewhere does: other files, the same bytes.
    private mutating func makeDirectoryAgain(of path: String, in root: String) {
        let directory = String(path.prefix(upTo: path.lastIndex(of: "/")!))
        note("make \(directory) again")
        let inside = ledger.files.keys.filter {
            $0.hasPrefix(directory + "/") && !$0.dropFirst(directory.count + 1).contains("/")
        }
        let files = inside.sorted().map { (path: $0, content: content($0)) }
        FolderHands(root: root).makeDirectoryAgain(directory, files: files.map { ($0.path, $0.content.bytes) })
        for file in files { put(file.content, at: file.path) }
    }
}
