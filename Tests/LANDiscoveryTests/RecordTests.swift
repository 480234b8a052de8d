import Testing

@testable import LANDiscovery

@Suite struct RecordTests {
    @Test func earlierTagsAreShown() throws {
        // Shows that tags of earlier phrases are read as they are sent, that as many as fit are, and that others' nonsense
        // makes none.
        let tags = (0..<20).map { [UInt8](repeating: $0, count: 8) }
        let shown = Advertisement(tag: tags[0], earlierTags: tags, devicePrefix: Array(248...255), port: 1)
        let read = try #require(AdvertisedIdentity(textRecord: shown.textRecord))
        #expect(read.earlierTags == Array(tags.prefix(15)) && read.tag == tags[0])
        #expect(FollowedRecords(tags: [tags[14]]).contains(read) && !FollowedRecords(tags: [tags[15]]).contains(read))
        let plain: [(String, String)] = [("g", "0001020304050607"), ("d", "0001020304050607")]
        for (nonsense, count) in [("00", 0), ("zz01020304050607", 0), ("000102030405060700", 1), ("", 0)] {
            let record = TextRecord.encode(plain + [("o", nonsense)])
            #expect(try #require(AdvertisedIdentity(textRecord: record)).earlierTags.count == count)
        }
    }

    @Test func theTextRecordReadsBackInAnyOrder() throws {
        // Shows that what is advertised is understood, also with its strings reversed as Avahi hands them over.
        let shown = Advertisement(tag: Array(0..<8), devicePrefix: Array(248...255), port: 4711)
        #expect(shown.textRecord.count < 400)
        let reversed = TextRecord.encode([("d", "F8f9fafbfcfdfeff"), ("g", "0001020304050607"), ("v", "1")])
        for record in [shown.textRecord, reversed] {
            let identity = try #require(AdvertisedIdentity(textRecord: record))
            #expect(identity.tag == shown.tag)
            #expect(identity.devicePrefix == shown.devicePrefix)
        }
    }

    @Test(
        arguments: [
            [], [0], [255], [1, 0x3d], [2, 0x3d, 0x31], [3, 0x67, 0x3d], [5, 0x67, 0x3d, 0x31],
            TextRecord.encode([("g", "0001020304050607")]),
            TextRecord.encode([("g", "0001020304050607"), ("d", "f8f9fafbfcfdfe")]),
            TextRecord.encode([("g", "000102030405060x"), ("d", "f8f9fafbfcfdfeff")]),
            TextRecord.encode([("g", "00010203040506\u{e9}"), ("d", "f8f9fafbfcfdfeff")]),
        ] as [[UInt8]])
    func whatIsNoPotluckRecordIsRefused(record: [UInt8]) {
        // Shows that cut, empty, short and misspelled records are no identity and no crash.
        #expect(AdvertisedIdentity(textRecord: record) == nil)
    }

    @Test func theFirstOfEqualKeysCounts() {
        // Shows RFC 6763, section 6.4, and that keys are compared without case.
        let entries = TextRecord.decode(TextRecord.encode([("A", "1"), ("a", "2"), ("b", "=x")]))
        #expect(entries == ["a": Array("1".utf8), "b": Array("=x".utf8)])
    }

    @Test(
        arguments: [
            ([10, 77, 0, 2], "10.77.0.2", IPAddress.Reach.routable),
            ([169, 254, 0, 2], "169.254.0.2", .linkLocal),
            ([127, 0, 0, 1], "127.0.0.1", .loopback),
            ([255, 255, 255, 255], "255.255.255.255", .none),
            ([0xfe, 0x80] + Array(repeating: 0, count: 13) + [1], "fe80::1%3", .linkLocal),
            ([0xfd, 0] + Array(repeating: 0, count: 13) + [1], "fd00::1", .routable),
            (Array(repeating: 0, count: 15) + [1], "::1", .loopback),
            (Array(repeating: 0, count: 10) + [255, 255, 127, 0, 0, 1], "::ffff:127.0.0.1", .none),
            ([0xff, 2] + Array(repeating: 0, count: 13) + [1], "ff02::1", .none),
        ] as [([UInt8], String, IPAddress.Reach)])
    func addressesAreWrittenAndJudged(bytes: [UInt8], text: String, reach: IPAddress.Reach) throws {
        // Shows the text of each kind of address, with the scope where it needs one, and how far it reaches.
        let address = try #require(IPAddress(bytes: bytes))
        #expect(address.host(interface: 3) == text)
        #expect(address.reach == reach)
    }
}
