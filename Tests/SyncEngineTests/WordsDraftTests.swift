import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Facts and words that a device contributes: what is known is not said again, and what follows names what it replaces.
@Suite struct WordsDraftTests {
    private let album = AlbumName.identifier("Beach")
    private let blob = file(1).blob
    private var key: PhotoKey { PhotoKey(album: album, blob: blob) }

    private func say(_ contribution: Contribution, _ node: Int, _ network: inout TestNetwork) {
        network.feed(node, .contribute(token: 1, contribution))
        network.settle()
    }

    /// The changes that a node stored after `count` batches.
    private func changes(_ network: TestNetwork, after count: Int) throws -> [Change] {
        try network.nodes[0].journal.dropFirst(count).flatMap { try Batch(decoding: $0.signed.content).changes }
    }

    private func facts(_ version: UInt32, thumbnail: Bool = true, problem: String = "") -> PhotoFacts {
        PhotoFacts(
            readerVersion: version, kind: .photo,
            thumbnail: thumbnail
                ? Thumbnail(
                    blob: file(9).blob, byteCount: 1, size: PixelSize(width: 1, height: 1), mediaType: "image/webp")
                : nil, problem: problem)
    }

    /// Everything reaches the other device and shows there alike; saying it again says nothing.
    @Test func wordsAreSaidOnce() throws {
        var network = try TestNetwork.pair()
        let camera = CameraKey(contributor: network.nodes[0].engine.device, make: "C", model: "", serial: "")
        let words: [Contribution] = [
            .photoFacts(album, blob, facts(1)), .caption(album, blob, "Sea"), .tag(album, blob, " Swim"),
            .favourite(album, blob), .cover(album, blob), .cameraClock(album, camera, seconds: 60),
        ]
        let count = network.nodes[0].journal.count
        for word in words { say(word, 0, &network) }
        #expect(try changes(network, after: count).count == words.count)
        let said = network.nodes[0].journal.count
        for word in words { say(word, 0, &network) }
        say(.tag(album, blob, "SWIM"), 1, &network)
        #expect(network.nodes[0].journal.count == said)
        #expect(network.digests(0) == network.digests(1))
        let photo = try #require(network.nodes[1].engine.catalog.photo(key))
        #expect(photo.facts == facts(1))
        #expect(photo.caption.shown?.value == "Sea")
        #expect(photo.tags == ["Swim"])
        #expect(photo.favouredBy == [network.nodes[0].engine.device])
    }

    /// Taking something back that was never said says nothing; taking back what was, names it.
    @Test func wordsAreTakenBack() throws {
        var network = try TestNetwork.pair()
        let count = network.nodes[0].journal.count
        say(.untag(album, blob, "Swim"), 0, &network)
        say(.unfavourite(album, blob), 0, &network)
        say(.caption(album, blob, ""), 0, &network)
        say(.cover(album, nil), 0, &network)
        #expect(network.nodes[0].journal.count == count)
        say(.tag(album, blob, "Swim"), 1, &network)
        say(.favourite(album, blob), 1, &network)
        say(.caption(album, blob, "Sea"), 1, &network)
        // A favour is its own person's; a tag and a caption are everybody's.
        let before = network.nodes[0].journal.count
        say(.unfavourite(album, blob), 0, &network)
        #expect(network.nodes[0].journal.count == before)
        say(.untag(album, blob, "swim"), 0, &network)
        say(.caption(album, blob, ""), 0, &network)
        say(.unfavourite(album, blob), 1, &network)
        let photo = try #require(network.nodes[0].engine.catalog.photo(key))
        #expect(photo.tags == [] && photo.favouredBy == [])
        #expect(photo.caption.writes.map(\.value) == [""])
    }

    /// Words that queue up for one transaction stay in order: the last one holds, and none is in conflict with another.
    @Test func wordsInAQueueFollowEachOther() throws {
        var network = try TestNetwork.pair()
        let words: [Contribution] = [
            .caption(album, blob, "One"), .tag(album, blob, "Swim"), .caption(album, blob, "Two"),
            .untag(album, blob, "swim"), .favourite(album, blob), .unfavourite(album, blob),
            .photoName(album, blob, "a.jpg"), .photoName(album, blob, "b.jpg"), .favourite(album, blob),
        ]
        for (index, word) in words.enumerated() {
            network.feed(0, .contribute(token: UInt64(10 + index), word))
        }
        network.settle()
        let photo = try #require(network.nodes[1].engine.catalog.photo(key))
        #expect(photo.caption.writes.map(\.value) == ["Two"])
        #expect(photo.name.writes.map(\.value) == ["b.jpg"])
        #expect(photo.tags == [])
        #expect(photo.favouredBy == [network.nodes[0].engine.device])
        for index in words.indices {
            #expect(network.nodes[0].events.contains(.contributed(token: UInt64(10 + index), album: album)))
        }
    }

    /// Captions that were written apart are both there; writing the shown one again settles it.
    @Test func aCaptionSettlesADisagreement() throws {
        var network = TestNetwork()
        for number in 1...2 as ClosedRange<UInt8> {
            try network.add(TestSigning(number))
            say(.photo(albumName: "Beach", file(1)), Int(number) - 1, &network)
            say(.caption(album, blob, "By \(number)"), Int(number) - 1, &network)
        }
        network.connect(0, 1)
        network.settle()
        #expect(network.nodes[0].engine.catalog.conflicts(album).map(\.captions.count) == [2])
        let shown = try #require(network.nodes[0].engine.catalog.photo(key)?.caption.shown?.value)
        say(.caption(album, blob, shown), 0, &network)
        #expect(network.nodes[1].engine.catalog.conflicts(album) == [])
        #expect(network.nodes[1].engine.catalog.photo(key)?.caption.shown?.value == shown)
    }

    /// Facts are told where they are better: of a newer reader, or where the same one could read more.
    @Test func onlyBetterFactsAreTold() throws {
        var network = try TestNetwork.pair()
        let steps: [(PhotoFacts, isTold: Bool)] = [
            (facts(2, thumbnail: false, problem: "No decoder."), true), (facts(1), false),
            (facts(2, thumbnail: false, problem: "Other words."), false), (facts(2, problem: "No place."), true),
            (facts(2, thumbnail: false), false), (facts(2), true), (facts(2), false),
            (facts(3, thumbnail: false), true),
        ]
        for (facts, isTold) in steps {
            let count = network.nodes[0].journal.count
            say(.photoFacts(album, blob, facts), 0, &network)
            #expect(network.nodes[0].journal.count == count + (isTold ? 1 : 0))
        }
    }

    /// What would be without effect is not signed, and facts that say too much are cut.
    @Test func limitsAreKept() throws {
        var network = try TestNetwork.pair()
        let count = network.nodes[0].journal.count
        let unknown = file(7).blob
        let wrong: [Contribution] = [
            .caption(album, blob, String(repeating: "x", count: 5000)), .tag(album, blob, " "),
            .tag(album, blob, String(repeating: "x", count: 101)), .tag(album, unknown, "x"),
            .caption(album, unknown, "x"), .favourite(album, unknown), .photoFacts(album, unknown, facts(1)),
            .cover(AlbumName.identifier("Nowhere"), blob),
        ]
        for word in wrong { say(word, 0, &network) }
        #expect(network.nodes[0].journal.count == count)
        var long = facts(1)
        long.problem = String(repeating: "x", count: 1000)
        say(.photoFacts(album, blob, long), 0, &network)
        #expect(network.nodes[1].engine.catalog.photo(key)?.facts == long.clipped())
    }
}
