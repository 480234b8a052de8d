import AlbumModel
import PotluckAPI
import TestSupport

@testable import PotluckAgent

/// What people tell the agent, as the command line does.
extension People {
    mutating func order(_ deed: Deed, at laptop: Laptop) async throws -> Bool {
        let number = laptop.number
        let (trash, overwritten) = (oracle.trash[number], oracle.overwritten[number])
        let key = untouched { key, photo in
            switch deed {
            case .restore: trash.contains(key) && !overwritten.contains(key.content)
            case .unhide: photo.isLive && photo.hidden.contains(number) && !overwritten.contains(key.content)
            case .remove: photo.isLive && !photo.hidden.contains(number)
            default: photo.isLive
            }
        }
        guard let key, let album = oracle.albums[key.album].id, let control = await laptop.control else {
            return false
        }
        touch(key)
        note("\(laptop.name): \(deed) \(key)")
        let action: RemovalOrder.Action
        switch deed {
        case .restore:
            action = .restore
            oracle.restore(key, on: number)
        case .unhide:
            action = .unhide
            oracle.unhide(key, on: number)
        case .remove:
            action = .remove
            oracle.part(with: key, on: number)
        default:
            action = .removeForEveryone
            oracle.remove(key)
        }
        let report = try await control.remove(RemovalOrder(action, album: album, photos: [key.content.blob.hex]))
        guard report.photos.count == 1 else {
            throw TookTooLong(description: "\(deed) of \(key) concerned \(report.photos.map(\.name))")
        }
        return true
    }

    mutating func say(_ deed: Deed, at laptop: Laptop) async throws -> Bool {
        let key = untouched { _, photo in photo.isLive && (deed != .untag || !photo.tags.isEmpty) }
        guard let key, let album = oracle.albums[key.album].id, let control = await laptop.control else {
            return false
        }
        touch(key)
        var edit = PhotoEdit(album: album, photos: [key.content.blob.hex])
        switch deed {
        case .caption:
            let caption = random.isOnce(in: 5) ? "" : "caption \(log.count)"
            edit.caption = caption
            oracle.photos[key]!.caption = caption
        case .tag:
            let tag = draw(["sun", "rain", "caf\u{E9}"])!
            edit.addedTags = [tag]
            oracle.photos[key]!.tags.insert(tag)
        default:
            let tag = draw(oracle.photo(key).tags.sorted())!
            edit.removedTags = [tag]
            oracle.photos[key]!.tags.remove(tag)
        }
        note("\(laptop.name): \(deed) \(key), \(edit.caption ?? (edit.addedTags ?? edit.removedTags ?? [])[0])")
        _ = try await control.edit(edit)
        return true
    }
}
