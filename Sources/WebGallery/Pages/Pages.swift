public import AlbumModel

/// Where a page stands: what is the same on all of them.
public struct PageSetting: Hashable, Sendable {
    public var gathering: String
    public var laptop: String

    public init(gathering: String, laptop: String) {
        self.gathering = gathering
        self.laptop = laptop
    }
}

/// The start page.
public struct AlbumsPage: Hashable, Sendable {
    public struct Album: Hashable, Sendable {
        /// Hexadecimal digits.
        public var id: String
        public var name: String
        public var photoCount: Int
        /// Up to four.
        public var covers: [BlobID]

        public init(id: String, name: String, photoCount: Int, covers: [BlobID]) {
            self.id = id
            self.name = name
            self.photoCount = photoCount
            self.covers = covers
        }
    }

    public var albums: [Album]

    public init(albums: [Album]) {
        self.albums = albums
    }
}

/// The plain list of an album's photos, which scripts replace by the grid.
public struct AlbumPage: Hashable, Sendable {
    public static let photoCountMax = 60

    public var album: GridIndex.Album
    /// Of all pages.
    public var photoCount: Int
    /// Of this page, in the grid's order.
    public var photos: [GridEntry]
    /// Counts from 1.
    public var number: Int
    /// The search as its address has it, without `?` and without the page; empty for none.
    public var query: String

    public init(album: GridIndex.Album, photoCount: Int, photos: [GridEntry], number: Int, query: String = "") {
        self.album = album
        self.photoCount = photoCount
        self.photos = photos
        self.number = number
        self.query = query
    }

    /// A page of an index; a number beyond the last page is that of the last.
    public init(of index: GridIndex, album: GridIndex.Album, number: Int, query: String = "") {
        let pageCount = max(1, (index.count + Self.photoCountMax - 1) / Self.photoCountMax)
        let number = min(max(1, number), pageCount)
        self.init(
            album: album, photoCount: index.count,
            photos: index.photos(from: (number - 1) * Self.photoCountMax, count: Self.photoCountMax), number: number,
            query: query)
    }

    var pageCount: Int { max(1, (photoCount + Self.photoCountMax - 1) / Self.photoCountMax) }
}

/// One photo as a page of its own.
public struct PhotoPage: Hashable, Sendable {
    public struct Comment: Hashable, Sendable {
        public var by: String
        public var text: String

        public init(by: String, text: String) {
            self.by = by
            self.text = text
        }
    }

    public var album: GridIndex.Album
    public var photo: GridEntry
    /// The name that the gathering shares.
    public var name: String
    /// Who added it; empty where nobody knows.
    public var by: String
    public var caption: String
    /// Oldest first.
    public var comments: [Comment]
    public var newer: BlobID?
    public var older: BlobID?
    /// As in ``AlbumPage/query``.
    public var query: String

    public init(
        album: GridIndex.Album, photo: GridEntry, name: String, by: String = "", caption: String = "",
        comments: [Comment] = [], newer: BlobID? = nil, older: BlobID? = nil, query: String = ""
    ) {
        self.album = album
        self.photo = photo
        self.name = name
        self.by = by
        self.caption = caption
        self.comments = comments
        self.newer = newer
        self.older = older
        self.query = query
    }
}

/// The page at the door.
public struct JoinPage: Hashable, Sendable {
    public enum Session: String, Hashable, Sendable {
        case none = ""
        case guest, owner
    }

    public var session: Session
    /// What was typed, if the form comes back.
    public var name: String
    /// Why the form comes back, as a sentence.
    public var message: String

    public init(session: Session = .none, name: String = "", message: String = "") {
        self.session = session
        self.name = name
        self.message = message
    }
}

/// A page with one message and what to do now.
public struct MessagePage: Hashable, Sendable {
    public struct Action: Hashable, Sendable {
        /// A path on this laptop.
        public var address: String
        public var words: String

        public init(address: String, words: String) {
            self.address = address
            self.words = words
        }
    }

    public var title: String
    public var sentence: String
    public var actions: [Action]

    public init(title: String, sentence: String, actions: [Action] = []) {
        self.title = title
        self.sentence = sentence
        self.actions = actions
    }
}
