import AlbumModel

/// A photo as people search for it: the grid's entry, and the words around it.
public struct GalleryPhoto: Hashable, Sendable {
    public let entry: GridEntry
    /// The names of those who added it.
    public let people: [String]
    public let tags: [String]
    /// Make and model as one text; empty where they are not known.
    public let camera: String
    /// Everything that a search looks at, folded, a line each.
    let searched: [UInt8]
    /// Folded ``people``, ``tags`` and ``camera``, by which filters compare.
    let foldedPeople: [String]
    let foldedTags: [String]
    let foldedCamera: String

    /// - Parameters:
    ///   - name: The name that the gathering shares.
    ///   - people: The one who added it first stands first.
    public init(
        _ entry: GridEntry, name: String, caption: String = "", people: [String] = [], tags: [String] = [],
        camera: String = ""
    ) {
        self.entry = entry
        self.people = people
        self.tags = tags
        self.camera = camera
        foldedPeople = people.map { AlbumName.key($0) }
        foldedTags = tags.map { AlbumName.key($0) }
        foldedCamera = AlbumName.key(camera)
        let words = [name, caption] + people + tags + [camera]
        searched = Array(words.map { PlainText.folded($0) }.joined(separator: "\n").utf8)
    }
}

/// An album as searches over several see it: by its name all of its photos are found.
public struct SearchedAlbum: Sendable {
    /// Folded.
    let name: [UInt8]

    public init(name: String) {
        self.name = Array(PlainText.folded(name).utf8)
    }
}
