import AlbumModel
import PotluckAPI

/// Something that happened, as each visitor may hear of it.
struct EventNote: Sendable {
    /// Who hears of something.
    enum Audience: Hashable, Sendable {
        /// Whoever follows how the laptop is.
        case watchers
        /// All who see one of these albums.
        case seers(of: Set<AlbumID>)
        case everyone
    }

    let number: UInt64
    private let audience: Audience
    /// Whether programs of the home's socket do not get it.
    private let isForPages: Bool
    private let bytes: [UInt8]
    /// Without what tells of this laptop.
    private let bytesForGuests: [UInt8]

    /// `nil` where it cannot be told.
    ///
    /// - Parameter id: Of the event, for `Last-Event-ID`.
    init?(_ record: EventRecord, number: UInt64, id: String) {
        // An event is made of texts and numbers; a type that cannot be encoded fails its tests.
        guard let text = try? ReportJSON.text(record) else { return nil }
        let kind = record.event.rawValue
        self.number = number
        isForPages = false
        bytes = ServerSentEvent(id: id, name: kind, data: text).bytes
        let isOfAlbum = kind.hasPrefix("album.") || kind.hasPrefix("photo.")
        guard isOfAlbum, let album = record.album.flatMap({ AlbumID(hex: $0) }) else {
            audience = .watchers
            bytesForGuests = []
            return
        }
        audience = .seers(of: [album])
        var told = record
        (told.file, told.address) = (nil, nil)
        bytesForGuests =
            told == record
            ? bytes : (try? ReportJSON.text(told)).map { ServerSentEvent(id: id, name: kind, data: $0).bytes } ?? []
    }

    init(_ event: PageEvent, number: UInt64, id: String) {
        self.number = number
        audience = event.audience
        isForPages = true
        bytes = ServerSentEvent(id: id, name: event.name, data: event.data).bytes
        bytesForGuests = bytes
    }

    var byteCount: Int { bytes.count }

    /// `nil` where it is none of this visitor's business.
    func bytes(for visitor: Visitor) -> [UInt8]? {
        if isForPages, visitor.session == nil { return nil }
        if visitor.rights.contains(.watch) { return bytes }
        switch audience {
        case .watchers: return nil
        case .everyone: return bytesForGuests
        case .seers(let albums): return albums.contains(where: visitor.sees) ? bytesForGuests : nil
        }
    }
}

/// Something that pages alone are told.
struct PageEvent: Sendable {
    let name: String
    /// JSON on one line.
    let data: String
    let audience: EventNote.Audience

    private init(_ name: String, _ members: [String: String], for audience: EventNote.Audience) {
        self.name = name
        self.audience = audience
        // Texts alone.
        data = (try? ReportJSON.text(members)) ?? "{}"
    }

    /// A picture can be had that was not there before; `nil` for kinds that have events of their own.
    static func ready(_ kind: PictureKind, _ photo: BlobID, in albums: Set<AlbumID>) -> PageEvent? {
        let name: String? =
            switch kind {
            case .preview: "preview.ready"
            case .playable: "video.ready"
            case .thumbnail: "thumbnail.ready"
            case .original, .placeless: nil
            }
        return name.map { PageEvent($0, ["photo": photo.hex], for: .seers(of: albums)) }
    }

    /// The wall may show it now.
    static func wall(_ photo: PhotoKey) -> PageEvent {
        PageEvent(
            "wall.changed", ["album": photo.album.hex, "photo": photo.blob.hex], for: .seers(of: [photo.album]))
    }

    static let guests = PageEvent("guests.changed", [:], for: .watchers)
    /// Guests come by another link from now on, or by none; pages ask which.
    static let link = PageEvent("link.changed", [:], for: .everyone)
    static let laptops = PageEvent("laptops.changed", [:], for: .everyone)
}
