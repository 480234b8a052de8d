import AlbumModel
import Foundation
import PotluckAPI
import Simulator
import TestSupport

@testable import PotluckAgent

extension Oracle {
    /// What a laptop's folder has otherwise than it should; `nil` for nothing. Learns where photos were placed.
    mutating func compareFiles(_ sight: Sight, of laptop: Int) -> String? {
        if let difference = followNames(sight, of: laptop) { return difference }
        let news = files[laptop].differences(from: sight.disk, as: \.content.blob)
        if let path = news.first(where: { files[laptop].files[$0] != nil }) {
            return "\(path) \(sight.disk[path] == nil ? "is missing" : "is otherwise"), \(files[laptop].files[path]!)"
        }
        var wanted = photos.filter { key, photo in
            photo.isLive && !photo.hidden.contains(laptop) && (files[laptop].paths(of: key).isEmpty || photo.isOpen)
        }.map(\.key).sorted()
        for path in news {
            guard let index = wanted.firstIndex(where: { isPlace(path, for: $0, sight.disk[path]!, on: laptop) }) else {
                return "\(path) should not be there"
            }
            let key = wanted.remove(at: index)
            files[laptop].put(key, at: path)
            placed[laptop][path] = key
            moving[laptop].remove(key)
        }
        if let key = wanted.first(where: { files[laptop].paths(of: $0).isEmpty }) { return "no file holds \(key)" }
        let path = files[laptop].differences(from: sight.known.mapValues(\.blob), as: \.content.blob).first
        return path.map { path in
            let holds = files[laptop].files[path].map { "holds \($0)" } ?? "is not there"
            return "\(path) \(holds), and the agent \(sight.known[path] == nil ? "does not know" : "says otherwise")"
        }
    }

    /// Placed files have their photos' names, or names that are made of these, while they are the only ones of these and no
    /// other album's are beside them; an edit that of what it replaces, once nothing has it. Where such a one is then is
    /// learned anew.
    ///
    /// - Returns: what is still to follow.
    private mutating func followNames(_ sight: Sight, of laptop: Int) -> String? {
        placed[laptop] = placed[laptop].filter { files[laptop].files[$0.key] == $0.value }
        for (path, key) in placed[laptop].sorted(by: { $0.key < $1.key }) {
            let photo = photo(key)
            let isShared = files[laptop].files.contains {
                $0.key.directory == path.directory && $0.value.album != key.album
            }
            guard photo.isLive, files[laptop].paths(of: key) == [path], !isShared else { continue }
            // Another photo's file may have got the name since.
            if sight.disk[path] != key.content.blob {
                files[laptop].take(path)
                moving[laptop].insert(key)
            } else if !photo.names.contains(where: { Self.fits(path, $0, key.content, of: photo.contributors) }) {
                return "\(path) has a former name of \(key), which is called \(photo.names)"
            } else if mayInherit(key, path, sight, of: laptop) {
                return "\(path) has not the name of what \(key) replaced"
            }
        }
        return nil
    }

    private func mayInherit(_ key: Key, _ path: DiskPath, _ sight: Sight, of laptop: Int) -> Bool {
        guard let name = inherited[laptop][key], name.parent == path.parent else { return false }
        return !sight.disk.keys.contains { DiskPath.isSame($0.text, name.text) }
    }

    /// The same of listings. Learns what was left open.
    mutating func compareListings(_ sight: Sight, of laptop: Int) -> String? {
        if let difference = compareAlbums(sight) { return difference }
        // Since its files were looked at one may have got its photo's name.
        for (path, key) in files[laptop].files.sorted(by: { $0.key < $1.key })
        where sight.known[path]?.album.hex != albums[key.album].id {
            return "the agent does not take \(path) for \(key)"
        }
        for album in albums.indices {
            guard let id = albums[album].id else { continue }
            if let difference = comparePhotos(sight.photos[id] ?? [], of: album, laptop) { return difference }
        }
        let hidden = photos.filter { $0.value.isLive && $0.value.hidden.contains(laptop) }.keys
        if let difference = difference(sight.hidden, Set(hidden), "hidden") { return difference }
        let maybe = Set(trash[laptop].filter { overwritten[laptop].contains($0.content) }.compactMap { photoKey($0) })
        let certain = trash[laptop].filter { !overwritten[laptop].contains($0.content) }
        return difference(sight.trash.subtracting(maybe), certain, "in the trash")
    }

    private mutating func compareAlbums(_ sight: Sight) -> String? {
        for index in albums.indices {
            let name = sight.albums.first { listed in
                albums[index].id.map { $0 == listed.id }
                    ?? (albums[index].names.contains(listed.name) && !albums.contains { $0.id == listed.id })
            }
            guard let name else {
                let isNeeded = photos.contains { $0.key.album == index && $0.value.isLive }
                if isNeeded { return "album \(index), \(albums[index].names), is not listed" }
                continue
            }
            guard albums[index].names.contains(name.name) else {
                return "album \(index) is called \(name.name), not \(albums[index].names)"
            }
            albums[index].id = name.id
            albums[index].names = [name.name]
        }
        let surplus = sight.albums.first { listed in !albums.contains { $0.id == listed.id } }
        return surplus.map { "there should be no album \($0.name)" }
    }

    private mutating func comparePhotos(
        _ listed: [PhotosReport.Photo], of album: Int, _ laptop: Int
    ) -> String? {
        let live = photos.filter { $0.key.album == album && $0.value.isLive }.keys.sorted()
        let ids = Dictionary(grouping: listed, by: \.id)
        if let key = live.first(where: { ids[$0.content.blob.hex] == nil }) { return "\(key) is not listed" }
        if listed.count != live.count { return "album \(album) lists \(listed.count) photos, not \(live.count)" }
        for key in live {
            if let difference = compare(ids[key.content.blob.hex]![0], key, laptop) { return "\(key): \(difference)" }
        }
        return nil
    }

    private mutating func compare(_ listed: PhotosReport.Photo, _ key: Key, _ laptop: Int) -> String? {
        let photo = photo(key)
        let contributors = Set(listed.contributors.compactMap { Self.laptopNames.firstIndex(of: $0) })
        let isRight =
            photo.isOpen
            ? !contributors.isEmpty && contributors.isSubset(of: photo.contributors)
            : contributors == photo.contributors
        if !isRight { return "contributed by \(listed.contributors), not \(photo.contributors)" }
        if !photo.names.contains(listed.name) { return "called \(listed.name), not \(photo.names)" }
        if (listed.caption ?? "") != (photo.caption ?? "") {
            return "its caption is \(listed.caption ?? "none"), not \(photo.caption ?? "none")"
        }
        if Set(listed.tags) != photo.tags || listed.tags.count != photo.tags.count {
            return "its tags are \(listed.tags), not \(photo.tags)"
        }
        let mayLack = photo.hidden.contains(laptop) && overwritten[laptop].contains(key.content)
        if !listed.here && !mayLack { return "its bytes are not here" }
        if (listed.file == nil) != files[laptop].paths(of: key).isEmpty {
            return "its file is \(listed.file ?? "none")"
        }
        photos[key]!.contributors = contributors
        photos[key]!.names = [listed.name]
        photos[key]!.isOpen = false
        return nil
    }

    private func difference(_ shown: Set<PhotoKey>, _ wanted: Set<Key>, _ what: String) -> String? {
        let keys = Dictionary(grouping: wanted) { photoKey($0) }
        if let (_, missing) = keys.first(where: { !($0.key.map { shown.contains($0) } ?? false) }) {
            return "\(missing[0]) is not \(what)"
        }
        let surplus = shown.filter { keys[$0] == nil }
        return surplus.isEmpty ? nil : "\(surplus.map(\.blob)) should not be \(what)"
    }

    private func photoKey(_ key: Key) -> PhotoKey? {
        albums[key.album].id.flatMap { AlbumID(hex: $0) }.map { PhotoKey(album: $0, blob: key.content.blob) }
    }
}

// MARK: - Names of placed files

extension Oracle {
    /// Whether an agent may have put the photo there.
    private func isPlace(_ path: DiskPath, for key: Key, _ blob: BlobID, on laptop: Int) -> Bool {
        guard blob == key.content.blob, path.parent == path.directory else { return false }
        let used = directories(of: key.album, on: laptop)
        // Of an album that is new to all, a person and the agent may make a directory at once, and spell it otherwise.
        let isNew = used.isEmpty || albums[key.album].id == nil
        let isNamed = isNew && albums[key.album].names.contains { Self.isDirectory(path.directory.text, for: $0) }
        let photo = photo(key)
        return (isNamed || used.contains(path.directory))
            && photo.names.contains { name in
                // An edit may have got its name just before that was spelled otherwise.
                Self.isName(path, for: name, key.content)
                    || moving[laptop].contains(key) && Self.fits(path, name, key.content, of: photo.contributors)
            }
    }

    /// Its name, whatever the case, or one with a number where other albums' files are in that.
    private static func isDirectory(_ directory: String, for album: String) -> Bool {
        let plain = album.precomposedStringWithCanonicalMapping.lowercased()
        let text = directory.precomposedStringWithCanonicalMapping.lowercased()
        return text == plain || text.hasPrefix(plain + " (") && text.hasSuffix(")")
    }

    /// Whether a file keeps its name, whose case does not count. A long one may have been cut for another directory.
    private static func fits(
        _ path: DiskPath, _ shared: String, _ content: PhotoContent, of contributors: Set<Int>
    ) -> Bool {
        func plain(_ text: String) -> String { text.precomposedStringWithCanonicalMapping.lowercased() }
        return isName(
            DiskPath(plain(path.text)), for: plain(shared), content,
            by: contributors.map { laptopNames[$0].lowercased() }, mayBeCut: path.name.utf8.count > 100)
    }

    /// The shared name with an ending that tells the type; where that is taken, with a device's name; where that is
    /// taken too, with more and more of the photo's hash. All within what a name, and a path below the folder, may have.
    private static func isName(
        _ path: DiskPath, for shared: String, _ content: PhotoContent, by devices: [String] = laptopNames,
        mayBeCut: Bool = false
    ) -> Bool {
        let name = path.name
        let dot = shared.lastIndex(of: ".")
        let ending = dot.map { String(shared[$0...]) } ?? ".jpg"
        let stem = dot.map { String(shared[..<$0]) } ?? shared
        // A file stays as it is where a person gave its directory a longer name.
        guard name.hasSuffix(ending), name.utf8.count <= 255, mayBeCut || path.text.utf16.count <= 220 else {
            return false
        }
        let rest = name.dropLast(ending.count)
        func isStem(_ text: some StringProtocol) -> Bool {
            text == stem
                || stem.hasPrefix(text) && (mayBeCut || name.utf8.count > 250 || path.text.utf16.count > 215)
        }
        if isStem(rest) { return true }
        return devices.contains { device in
            stride(from: 0, through: 64, by: 4).contains { digits in
                let note = digits == 0 ? " (\(device))" : " (\(device) \(content.blob.hex.prefix(digits)))"
                return rest.hasSuffix(note) && isStem(rest.dropLast(note.count))
            }
        }
    }
}
