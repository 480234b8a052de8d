import LANDiscovery
import LaptopDoctor

/// What machines of the same network send to everybody there.
extension FuzzTarget {
    /// Text records of DNS-SD. A record says more than is read of it, and has a port beside it.
    static let records = FuzzTarget(
        "records", byteCountMax: 1024,
        seeds: [
            Advertisement(tag: Array(0..<8), devicePrefix: Array(8..<16), port: 4711),
            Advertisement(
                tag: Array(0..<8), earlierTags: [Array(16..<24), Array(24..<32)], devicePrefix: Array(8..<16),
                port: 4711),
        ].map(\.textRecord), decode: { AdvertisedIdentity(textRecord: $0) },
        encode: {
            Advertisement(tag: $0.tag, earlierTags: $0.earlierTags, devicePrefix: $0.devicePrefix, port: 4711)
                .textRecord
        })

    private static let mark = "abcdefghijklmnop"

    /// Messages of multicast DNS, as far as the doctor looks at them.
    static let multicasts = FuzzTarget(
        "multicasts", byteCountMax: 512, seeds: [MDNSMessage.marked(mark), [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0]]
    ) { MDNSMessage.isAnswer($0) || MDNSMessage.carries(mark, $0) }
}
