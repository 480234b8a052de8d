import PotluckAgent

/// Reports with something in every field, and with nothing in those that may be unknown.
enum Sample {
    static let instant = Instant(millisecondsSince1970: 1_795_268_669_250)

    static let albums = AlbumsReport(albums: [
        .init(
            id: "a1", name: "Beach day", photos: 12, bytes: 48_000_000, here: 3, copiesMin: 2, updated: instant,
            digest: "d1", digestLevel: 1),
        .init(
            id: "a2", name: "Empty", photos: 0, bytes: 0, here: 0, copiesMin: nil, updated: nil, digest: "d2",
            digestLevel: 1),
    ])

    static let photos = PhotosReport(
        album: "Beach day", albumID: "a1",
        photos: [
            .init(
                id: "b1", name: "IMG_0001.JPG", file: "Beach day/IMG_0001.JPG", bytes: 4_200_000, type: "image/jpeg",
                taken: "2026-08-01T12:00:00+02:00", by: "Anna", contributors: ["Anna", "Ben"], here: true, copies: 2,
                where: ["Anna"], tags: ["sea"], caption: "Waves"),
            .init(
                id: "b2", name: "IMG_0002.JPG", file: nil, bytes: 1, type: "image/jpeg", by: nil, contributors: [],
                here: false, copies: nil, where: []),
        ])

    static let peers = PeersReport(peers: [
        .init(
            id: "c1", name: "Anna", connected: true, address: "10.77.0.1:4711", found: .dnsSD, lastSeen: instant,
            photos: 12),
        .init(id: "c2", name: nil, connected: false, address: nil, found: nil, lastSeen: nil, photos: nil),
    ])

    static let status = StatusReport(
        device: .init(id: "c0", name: "Grandma"), gathering: .init(name: "Kuh reunion", tag: "0011223344556677"),
        agent: .running, folder: "/home/g/Pictures/Potluck",
        missing: .init(
            photos: 1, bytes: 4_200_000, unreachable: 0,
            items: [.init(id: "b2", album: "Beach day", name: "IMG_0002.JPG", reason: "asking Anna")]),
        rate: 2_100_000, atRisk: .init(photos: 2, bytes: 8_000_000), connected: 1, problems: [])

    static let stoppedStatus = StatusReport(
        device: .init(id: "c0", name: "Grandma"), gathering: .init(name: nil, tag: "0011223344556677"),
        agent: .stopped, folder: nil, missing: .init(photos: 0, bytes: 0, unreachable: nil, items: []), rate: nil,
        atRisk: .init(photos: 0, bytes: 0), connected: 0, problems: [],
        skipped: [SkippedFile(path: "a.txt", reason: "it is not a photo or video")])

    static let invite = InviteReport(
        gathering: nil, phrase: "lusab-babad-gutih-tugad-kabok", link: "potluck://join/lusab-babad-gutih-tugad-kabok")
}
