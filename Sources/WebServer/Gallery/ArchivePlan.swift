import AlbumModel
import HTTPTypes
import OutputFormats
import PotluckAPI
import WebGallery

/// What somebody wants to take home of an album.
struct ArchiveOrder: Sendable {
    enum Size: String, Sendable, CaseIterable {
        case original
        /// Pictures of 2,048 px for those that have one.
        case small = "2048"
    }

    var size = Size.original
    /// `nil` for all.
    var photos: Set<BlobID>?
    /// Only what this browser did not take home before.
    var browser: String?
    var filter: GalleryFilter

    /// - Parameter pairs: Decoded names and values of a query and a form.
    /// - Throws: ``Problem`` with 400.
    init(_ pairs: [(name: String, value: String)]) throws(Problem) {
        do throws(GalleryFilter.Failure) {
            filter = try GalleryFilter(pairs)
        } catch {
            throw Problem.wrongQuery(error.name)
        }
        for (name, value) in pairs where !value.isEmpty {
            switch name {
            case "size":
                guard let size = Size(rawValue: value) else { throw Problem.wrongQuery(name) }
                self.size = size
            case "photos":
                var photos: Set<BlobID> = []
                for part in value.split(separator: ",") {
                    guard let photo = BlobID(hex: part) else { throw Problem.wrongQuery(name) }
                    photos.insert(photo)
                }
                self.photos = photos
            case "new_for":
                guard TakenHome.isBrowser(value) else { throw Problem.wrongQuery(name) }
                browser = value
            default: break
            }
        }
    }
}

/// What is known of an archive before it is sent.
enum ArchivePlan: Sendable {
    /// All of its files are there.
    case measured(MeasuredArchive)
    /// Some are still to be made: they come as they are ready, and its length is known at its end.
    case growing(ArchiveContents)
}

/// The files of one archive, in their order; what each of them holds is asked for when its turn comes.
struct MeasuredArchive: Sendable {
    struct File: Sendable {
        enum Content: Sendable {
            case picture(PictureKind, BlobID, EntityTag)
            case text([UInt8])
        }

        var entry: ZipEntry
        var byteCount: UInt64
        var content: Content
    }

    var files: [File]
    /// Those that are all in it.
    var photos: [PhotoKey]

    /// Equal for archives of equal bytes alone.
    var entityTag: EntityTag {
        var text = ""
        for file in files {
            text += "\(file.entry.name)\n\(file.entry.localMilliseconds) \(file.entry.milliseconds) \(file.byteCount) "
            switch file.content {
            case .picture(_, _, let tag): text += "\(tag.text)\n"
            case .text(let bytes): text += "\(EntityTag(hashing: bytes).text)\n"
            }
        }
        return EntityTag(hashing: text.utf8)
    }
}

/// The albums of which an archive has photos.
struct ArchiveScope: Sendable {
    struct Album: Sendable {
        var id: AlbumID
        /// By which photos are found; `nil` for the archive of one album, as for ``directory``.
        var name: String?
        /// `nil` for the archive of one album, whose files are in no directory.
        var directory: String?
    }

    /// The archive's, without its ending.
    let name: String
    let albums: [Album]

    init(_ album: AlbumID, name: String) {
        self.name = name
        albums = [Album(id: album)]
    }

    /// Of several albums, with a directory for each.
    init(_ albums: [(id: AlbumID, name: String)], name: String) {
        self.name = name
        // Files of ours stand beside the directories, and an album may be called like one of them.
        let names = ArchiveNames.distinct(ArchiveNotes.names + albums.map(\.name))
        self.albums = zip(albums, names.dropFirst(ArchiveNotes.names.count)).map { album, directory in
            Album(id: album.id, name: album.name, directory: directory)
        }
    }
}
