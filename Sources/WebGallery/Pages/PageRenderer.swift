import AlbumModel
public import OutputFormats

/// Fills the gallery's templates: pages that show everything without scripts, which build on them.
public struct PageRenderer: Sendable {
    /// What stands in templates of its own.
    private enum Template: String, CaseIterable {
        case albums, album, photo, join, open, message, wall, owner, cards, probe, onward
        case firstRun = "first-run"
        case partFirstRunChoice = "part-first-run-choice"
        case partFirstRunStart = "part-first-run-start"
        case partFirstRunJoin = "part-first-run-join"
        case partFirstRunEntered = "part-first-run-entered"
        case partFirstRunRecovery = "part-first-run-recovery"
        case partFirstRunFields = "part-first-run-fields"
        case partAlbum = "part-album"
        case partDay = "part-day"
        case partPhoto = "part-photo"
        case partPage = "part-page"
        case partWords = "part-words"

        var texts: Set<String> {
            switch self {
            case .albums: ["summary"]
            case .album: ["album_id", "album_name", "summary"]
            case .photo: ["album_id", "album_name", "album_address", "photo_id", "title", "by"]
            case .join: ["session", "name", "message"]
            case .message: ["title", "sentence"]
            case .wall, .cards: ["link"]
            case .owner, .probe, .open, .partFirstRunChoice: []
            case .onward: ["address", "words"]
            case .firstRun: ["way"]
            case .partFirstRunStart: ["message", "gathering_name"]
            case .partFirstRunJoin: ["message", "phrase"]
            case .partFirstRunEntered: ["title", "sentence", "message", "phrase"]
            case .partFirstRunRecovery: ["code"]
            case .partFirstRunFields: ["laptop_name", "folder"]
            case .partAlbum: ["album_id", "album_name", "words"]
            case .partDay: ["day"]
            case .partPhoto: ["address", "photo_id", "thumbnail", "width", "height", "alt"]
            case .partPage: ["address", "words"]
            case .partWords: ["by", "text"]
            }
        }

        var markup: Set<String> {
            switch self {
            case .albums: ["albums"]
            case .album: ["photos", "pages"]
            case .photo: ["picture", "around", "words"]
            case .message: ["actions"]
            case .firstRun: ["content"]
            case .partFirstRunStart, .partFirstRunJoin: ["fields"]
            case .partFirstRunEntered: ["code", "recovery"]
            case .partAlbum: ["covers"]
            case .partDay: ["photos"]
            default: []
            }
        }
    }

    /// In every template.
    private static let common: Set<String> = ["static", "gathering", "laptop"]
    /// Pixels of a small picture's longer side.
    private static let thumbnailSide = 480

    private let staticPrefix: String
    private var templates: [Template: HTMLTemplate] = [:]
    private let cover: HTMLTemplate
    private let picture: HTMLTemplate
    private let video: HTMLTemplate

    /// - Throws: where a template is missing, or has a place for which there is nothing.
    public init(_ files: StaticFiles = .embedded) throws(HTMLTemplateError) {
        staticPrefix = files.prefix
        for template in Template.allCases {
            let name = template.rawValue + ".html"
            guard let text = files.template(name) else {
                throw HTMLTemplateError(description: "\(name): there is no such template")
            }
            templates[template] = try HTMLTemplate(
                name: name, text, texts: template.texts.union(Self.common), markup: template.markup)
        }
        cover = try HTMLTemplate(
            name: "cover", #"<img data-photo="{{photo_id}}" src="{{thumbnail}}" alt="" loading="lazy">"#,
            texts: ["photo_id", "thumbnail"])
        picture = try HTMLTemplate(
            name: "picture",
            #"<img data-photo="{{photo_id}}" src="{{preview}}" width="{{width}}" height="{{height}}" alt="{{alt}}">"#,
            texts: ["photo_id", "preview", "width", "height", "alt"])
        video = try HTMLTemplate(
            name: "video",
            #"<video data-photo="{{photo_id}}" src="{{video}}" poster="{{poster}}" width="{{width}}" height="{{height}}" controls preload="metadata" playsinline aria-label="{{alt}}"></video>"#,
            texts: ["photo_id", "video", "poster", "width", "height", "alt"])
    }

    private func fill(
        _ template: Template, _ setting: PageSetting?, _ texts: [String: String], markup: [String: HTMLMarkup] = [:]
    ) -> HTMLMarkup {
        guard let page = templates[template] else { preconditionFailure("no template \(template)") }
        let common = [
            "static": staticPrefix, "gathering": setting?.gathering ?? "", "laptop": setting?.laptop ?? "",
        ]
        return page.fill(texts.merging(common) { own, _ in own }, markup: markup)
    }

    // MARK: Pages

    public func albums(_ page: AlbumsPage, _ setting: PageSetting) -> HTMLMarkup {
        let photoCount = page.albums.reduce(0) { $0 + $1.photoCount }
        let summary = "\(CountText.text(page.albums.count, "album")), \(CountText.text(photoCount, "photo"))"
        let albums = page.albums.map { album in
            fill(
                .partAlbum, setting,
                [
                    "album_id": album.id, "album_name": album.name,
                    "words": CountText.text(album.photoCount, "photo"),
                ],
                markup: [
                    "covers": album.covers.prefix(4).map { photo in
                        cover.fill(["photo_id": photo.hex, "thumbnail": PhotoAddress.thumbnail(photo, nil)])
                    }.joined()
                ])
        }
        return fill(.albums, setting, ["summary": summary], markup: ["albums": albums.joined()])
    }

    public func album(_ page: AlbumPage, _ setting: PageSetting) -> HTMLMarkup {
        var pages: [HTMLMarkup] = []
        if page.number > 1 { pages.append(link(to: page, number: page.number - 1, "Newer photos")) }
        if page.number < page.pageCount { pages.append(link(to: page, number: page.number + 1, "Older photos")) }
        return fill(
            .album, setting,
            [
                "album_id": page.album.id, "album_name": page.album.name,
                "summary": CountText.text(page.photoCount, "photo"),
            ],
            markup: ["photos": days(page).joined(), "pages": pages.joined()])
    }

    private func link(to page: AlbumPage, number: Int, _ words: String) -> HTMLMarkup {
        fill(
            .partPage, nil,
            [
                "address": PhotoAddress.album(page.album.id, page: number, query: page.query), "words": words,
            ])
    }

    /// Photos of one day together.
    private func days(_ page: AlbumPage) -> [HTMLMarkup] {
        var days: [HTMLMarkup] = []
        var rest = page.photos[...]
        while let first = rest.first {
            let ofDay = rest.prefix { $0.month == first.month && $0.day == first.day }
            rest = rest.dropFirst(ofDay.count)
            days.append(
                fill(
                    .partDay, nil, ["day": DayName.text(first.taken)],
                    markup: ["photos": ofDay.map { tile($0, on: page) }.joined()]))
        }
        return days
    }

    private func tile(_ photo: GridEntry, on page: AlbumPage) -> HTMLMarkup {
        let (width, height) = Self.size(photo, within: Self.thumbnailSide)
        return fill(
            .partPhoto, nil,
            [
                "address": PhotoAddress.page(photo.photo, in: page.album.id, query: page.query),
                "photo_id": photo.photo.hex,
                "thumbnail": PhotoAddress.thumbnail(photo.photo, photo.thumbnail), "width": "\(width)",
                "height": "\(height)", "alt": Self.description(photo),
            ])
    }

    public func photo(_ page: PhotoPage, _ setting: PageSetting) -> HTMLMarkup {
        func link(_ photo: BlobID, _ words: String) -> HTMLMarkup {
            fill(
                .partPage, nil,
                ["address": PhotoAddress.page(photo, in: page.album.id, query: page.query), "words": words])
        }
        let around = [page.newer.map { link($0, "Newer photo") }, page.older.map { link($0, "Older photo") }]
        let caption = page.caption.isEmpty ? [] : [PhotoPage.Comment(by: "", text: page.caption)]
        let words = (caption + page.comments).map { fill(.partWords, nil, ["by": $0.by, "text": $0.text]) }
        return fill(
            .photo, setting,
            [
                "album_id": page.album.id, "album_name": page.album.name,
                "album_address": PhotoAddress.album(page.album.id, page: 1, query: page.query),
                "photo_id": page.photo.photo.hex,
                "title": page.photo.taken.map { DayName.textWithTime($0) } ?? page.name, "by": page.by,
            ],
            markup: [
                "picture": large(page.photo), "around": around.compactMap { $0 }.joined(), "words": words.joined(),
            ])
    }

    private func large(_ photo: GridEntry) -> HTMLMarkup {
        let (width, height) = Self.size(photo, within: 2048)
        let texts = [
            "photo_id": photo.photo.hex, "width": "\(width)", "height": "\(height)", "alt": Self.description(photo),
            "preview": PhotoAddress.preview(photo.photo), "video": PhotoAddress.video(photo.photo),
            "poster": PhotoAddress.thumbnail(photo.photo, photo.thumbnail),
        ]
        return (photo.kind == .video ? video : picture).fill(texts)
    }

    public func join(_ page: JoinPage, _ setting: PageSetting) -> HTMLMarkup {
        fill(.join, setting, ["session": page.session.rawValue, "name": page.name, "message": page.message])
    }

    /// Takes the one-time code of the owner's browser.
    public func open(_ setting: PageSetting) -> HTMLMarkup { fill(.open, setting, [:]) }

    /// Also for what is not there, and for people who have to sign in.
    public func message(_ page: MessagePage, _ setting: PageSetting) -> HTMLMarkup {
        let actions = page.actions.map { fill(.partPage, nil, ["address": $0.address, "words": $0.words]) }
        return fill(
            .message, setting, ["title": page.title, "sentence": page.sentence],
            markup: ["actions": actions.joined()])
    }

    /// - Parameter link: The guests' link that is shown as QR code; empty for none.
    public func wall(link: String, _ setting: PageSetting) -> HTMLMarkup { fill(.wall, setting, ["link": link]) }

    public func owner(_ setting: PageSetting) -> HTMLMarkup { fill(.owner, setting, [:]) }

    /// Cards to print.
    ///
    /// - Parameter link: The guests' link; empty while the door is closed.
    public func cards(link: String, _ setting: PageSetting) -> HTMLMarkup { fill(.cards, setting, ["link": link]) }

    /// The hidden frame that looks for other laptops; it needs ``PageHeaders/probe(origins:)``.
    public func probe(_ setting: PageSetting) -> HTMLMarkup { fill(.probe, setting, [:]) }

    /// Leads the browser on to a page of another address.
    ///
    /// - Parameter words: What the link says where a browser does not go on by itself.
    public func onward(to address: String, words: String = "See the photos") -> HTMLMarkup {
        fill(.onward, nil, ["address": address, "words": words])
    }

    // MARK: The first run

    private func firstRun(_ content: HTMLMarkup, comesByLink: Bool = false) -> HTMLMarkup {
        fill(.firstRun, nil, ["way": comesByLink ? "link" : "typed"], markup: ["content": content])
    }

    /// Asks whether to start a gathering or to join one.
    public func firstRun() -> HTMLMarkup { firstRun(fill(.partFirstRunChoice, nil, [:])) }

    /// - Parameter message: Why the form comes back, as a sentence; empty the first time.
    public func firstRun(_ form: FirstRunForm, message: String = "") -> HTMLMarkup {
        let fields = fill(.partFirstRunFields, nil, ["laptop_name": form.laptop, "folder": form.folder])
        switch form.way {
        case .start:
            let texts = ["message": message, "gathering_name": form.gathering]
            return firstRun(fill(.partFirstRunStart, nil, texts, markup: ["fields": fields]))
        case .join(let comesByLink):
            let texts = ["message": message, "phrase": form.phrase]
            return firstRun(
                fill(.partFirstRunJoin, nil, texts, markup: ["fields": fields]), comesByLink: comesByLink)
        }
    }

    /// - Parameters:
    ///   - gathering: Its name; `nil` where it is not known yet.
    ///   - link: What the QR code holds.
    ///   - recoveryCode: Where the gathering was started here: what is shown this once.
    ///   - message: Why the agent does not run yet, as a sentence; else empty.
    public func firstRunEntered(
        gathering: String?, phrase: String, link: String, recoveryCode: String?, message: String
    ) -> HTMLMarkup {
        let recovery = recoveryCode.map { fill(.partFirstRunRecovery, nil, ["code": $0]) } ?? .empty
        return firstRun(
            fill(
                .partFirstRunEntered, nil,
                [
                    "title": gathering.map { "“\($0)” is open" } ?? "You are in",
                    "sentence": "What you put into the folder is on every other laptop here a moment later.",
                    "message": message, "phrase": phrase,
                ],
                markup: [
                    "code": QRPicture(link)?.svg(label: "The phrase as a QR code") ?? .empty, "recovery": recovery,
                ]))
    }

    // MARK: Pictures

    /// What a picture is, for those who do not see it.
    private static func description(_ photo: GridEntry) -> String {
        let kind =
            switch photo.kind {
            case .photo, .raw: "Photo"
            case .video: "Video"
            case .live: "Live photo"
            }
        return photo.taken == nil ? "\(kind) without a date" : "\(kind), \(DayName.text(photo.taken))"
    }

    /// Pixels of a copy whose longer side is at most `side`.
    private static func size(_ photo: GridEntry, within side: Int) -> (width: Int, height: Int) {
        let aspect = photo.aspectThousandths
        let longer = max(photo.width, photo.height) == 0 ? side : min(side, Int(max(photo.width, photo.height)))
        return aspect >= 1000
            ? (longer, max(1, longer * 1000 / aspect)) : (max(1, longer * aspect / 1000), longer)
    }
}
