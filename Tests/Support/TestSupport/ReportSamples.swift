public import PotluckAPI

/// Reports with something in every field, and with nothing in those that may be unknown.
public enum Sample {
    public static let instant = Instant(millisecondsSince1970: 1_795_268_669_250)

    public static let albums = AlbumsReport(albums: [
        .init(
            id: "a1", name: "Beach day", photos: 12, bytes: 48_000_000, here: 3, copiesMin: 2, updated: instant,
            digest: "d1", digestLevel: 1, cover: "b1"),
        .init(
            id: "a2", name: "Empty", photos: 0, bytes: 0, here: 0, copiesMin: nil, updated: nil, digest: "d2",
            digestLevel: 1),
    ])

    public static let verifyProgress = VerifyProgress(files: 1, fileTotal: 2, bytes: 3, byteTotal: 4)

    public static let verify = VerifyReport(
        findings: [
            .init(
                .photoDamaged, photo: "b1", album: "Beach day", name: "IMG_0001.HEIC", message: "It is damaged.",
                remedy: "Mend it.", mended: true),
            .init(.journalDamaged, message: "The journal is damaged.", remedy: "Restore it."),
        ], batches: 1, files: 2, bytes: 3, folderFiles: 4, resumed: 1, unneeded: .init(photos: 5, bytes: 6),
        quarantine: .init(files: 7, bytes: 8))

    public static let photos = PhotosReport(album: "Beach day", albumID: "a1", photos: [fullPhoto, barePhoto])

    /// A photo of which everything is known.
    public static let fullPhoto = {
        var photo = PhotosReport.Photo(
            id: "b1", name: "IMG_0001.HEIC", file: "Beach day/IMG_0001.HEIC", bytes: 4_200_000, type: "image/heic",
            by: "Anna", contributors: ["Anna", "Ben"], here: true, copies: 2, where: ["Anna"])
        photo.kind = .live
        (photo.width, photo.height) = (4032, 3024)
        (photo.taken, photo.takenFrom) = ("2026-08-01T12:00:00+02:00", .exif)
        (photo.make, photo.model, photo.lens) = ("Apple", "iPhone 11 Pro Max", "back triple camera 4.25mm f/1.8")
        (photo.latitude, photo.longitude, photo.altitude) = (39.051344, -94.288772, 260.5)
        photo.duration = 1.91
        photo.companions = [.init(id: "b3", name: "IMG_0001.MOV", bytes: 2_100_000, role: "video")]
        photo.thumbnail = "e1"
        photo.problem = "Its colour profile is damaged."
        photo.tags = ["first swim", "sea"]
        photo.caption = "Waves"
        photo.favourites = ["Ben"]
        return photo
    }()

    /// A photo of which nothing is known.
    public static let barePhoto = PhotosReport.Photo(
        id: "b2", name: "IMG_0002.JPG", file: nil, bytes: 1, type: "image/jpeg", by: nil, contributors: [],
        here: false, copies: nil, where: [])

    public static let tags = TagsReport(
        album: nil, albumID: nil, tags: [.init(tag: "sea", photos: 12), .init(tag: "first swim", photos: 1)])

    public static let cover = CoverReport(album: "Beach day", albumID: "a1", cover: "b1", name: "IMG_0001.HEIC")

    public static let clocks = {
        var wrong = ClocksReport.Camera(
            by: "Anna", device: "c1", make: "Canon", model: "Canon EOS 7D", serial: "0123", photos: 142)
        wrong.applied = 60
        wrong.verdict = .wrong
        wrong.proposed = 3725
        wrong.fault = .astray
        wrong.evidence = .init(moments: 14, cameras: 3, gpsPhotos: 9, spread: 1.5)
        var changed = ClocksReport.Camera(by: nil, device: "c2", make: nil, model: nil, serial: nil, photos: 12)
        changed.doubt = .changed
        changed.periods = [
            .init(from: LocalTime(milliseconds: 0), to: LocalTime(milliseconds: 1_000), photos: 12, seconds: -5)
        ]
        return ClocksReport(album: "Beach day", albumID: "a1", cameras: [wrong, changed])
    }()

    public static let peers = PeersReport(peers: [
        .init(
            id: "c1", name: "Anna", connected: true, address: "10.77.0.1:4711", found: .dnsSD, lastSeen: instant,
            photos: 12, isHost: true),
        .init(id: "c2", name: nil, connected: false, address: nil, found: nil, lastSeen: nil, photos: nil),
    ])

    public static let hosts = HostsReport(
        founding: .known,
        hosts: [.init(id: "c1", name: "Anna", isHere: false), .init(id: "c0", name: nil, isHere: true)], ownID: "c0")

    public static let hostReport = HostReport(
        gathering: "Kuh reunion", phrase: "lusab-babad-gutih-tugad-kabok",
        link: "potluck://join/lusab-babad-gutih-tugad-kabok",
        recoveryCode: "sogan-sorar-sugat-suraz-tagid-tarig-tigij-tiril-gigud")

    public static let putOutPlan = PutOutPlan(
        out: [
            .init(
                laptop: .init(id: "c2c2c2c2c2c2", name: "Ben's laptop"), photos: 214,
                alone: .init(photos: 12, bytes: 48_000_000))
        ],
        formerly: [.init(id: "c4c4c4c4c4c4", name: "Ben's laptop")],
        formerlyStaying: [.init(id: "c6c6c6c6c6c6", name: "Old Ben")],
        continuing: [.init(id: "c5c5c5c5c5c5", name: "Ben (2)")],
        hostsNoMore: [.init(id: "c7c7c7c7c7c7", name: "Carla")],
        outAgain: [.init(id: "c8c8c8c8c8c8", name: "Dora")],
        comingBack: [.init(id: "c1", name: "Anna")], leftBehind: [.init(id: "c9c9c9c9c9c9", name: "Eve")],
        staying: [.init(id: "c0", name: "Grandma"), .init(id: "c1", name: "Anna")])

    public static let status = StatusReport(
        device: .init(id: "c0", name: "Grandma"), gathering: .init(name: "Kuh reunion", tag: "0011223344556677"),
        agent: .running, folder: "/home/g/Pictures/Potluck",
        missing: .init(
            photos: 1, bytes: 4_200_000, unreachable: 0,
            items: [.init(id: "b2", album: "Beach day", name: "IMG_0002.JPG", reason: "asking Anna")]),
        rate: 2_100_000, atRisk: .init(photos: 2, bytes: 8_000_000), connected: 1, problems: [])

    public static let stoppedStatus = StatusReport(
        device: .init(id: "c0", name: "Grandma"), gathering: .init(name: nil, tag: "0011223344556677"),
        agent: .stopped, folder: nil, missing: .init(photos: 0, bytes: 0, unreachable: nil, items: []), rate: nil,
        atRisk: .init(photos: 0, bytes: 0), connected: 0, problems: [],
        skipped: [SkippedFile(path: "a.txt", reason: "it is not a photo or video")])

    public static let invite = InviteReport(
        gathering: nil, phrase: "lusab-babad-gutih-tugad-kabok", link: "potluck://join/lusab-babad-gutih-tugad-kabok")
}

extension Sample {
    public static let packPlan = PackPlan(
        gathering: "Kuh reunion", tag: "00", device: "Grandma",
        photos: [.init(id: "b1", name: "IMG_0001.JPG", bytes: 4_200_000)], thumbnails: ["b2"], absent: 1)

    public static let unpackReport = {
        var report = UnpackReport(directory: "/media/stick", isRunning: true)
        report.packedAt = instant
        report.damaged = [PackedPhoto(id: "b1", name: "IMG_0001.JPG", reason: "its bytes are damaged")]
        return report
    }()
}

extension Sample {
    public static func originals(_ name: String, _ policy: OriginalsReport.Policy) -> OriginalsReport {
        OriginalsReport(albums: [
            .init(
                id: "a1", name: name, originals: policy, photos: 12, here: 2, leftOut: .init(photos: 10, bytes: 1000))
        ])
    }
}

extension Sample {
    public static let figures = FiguresReport(
        version: "1.0", uptimeSeconds: 90.5, status: status, knownDevices: 3, albums: 2,
        photos: .init(photos: 12, bytes: 48_000_000), held: .init(photos: 11, bytes: 43_800_000),
        trash: .init(photos: 4, bytes: 9_000_000), traffic: .init(received: 5_000_000, sent: 6_000_000),
        pulling: .init(wanted: 1, active: 1, requestedBytes: 1_048_576), batches: 7, skippedFiles: 2,
        health: HealthReport(problems: [], kinds: ["folder", "disk"]))
}
