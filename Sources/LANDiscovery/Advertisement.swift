/// What this device shows to the local network: enough for members of its gathering to find it, and nothing about
/// people, albums or the gathering's name.
public struct Advertisement: Hashable, Sendable {
    /// Eight bytes derived from the newest invite phrase; equal for all devices of a gathering that have it.
    public var tag: [UInt8]
    /// The same of earlier phrases, the newest first, by which whoever has an old one finds those that can say so; at most
    /// ``earlierTagCountMax``.
    public let earlierTags: [[UInt8]]
    /// The first eight bytes of the device's `DeviceID`.
    public var devicePrefix: [UInt8]
    /// The TCP port at which the agent listens, not 0.
    public let port: UInt16

    /// - Parameter earlierTags: more than ``earlierTagCountMax`` are left out.
    /// - Precondition: tags and `devicePrefix` have eight bytes each.
    public init(tag: [UInt8], earlierTags: [[UInt8]] = [], devicePrefix: [UInt8], port: UInt16) {
        precondition(tag.count == Self.tagByteCount && devicePrefix.count == Self.devicePrefixByteCount)
        self.tag = tag
        self.earlierTags = Array(earlierTags.prefix(Self.earlierTagCountMax))
        self.devicePrefix = devicePrefix
        self.port = port
    }

    static let tagByteCount = 8
    /// As many as fit into a string of a text record, which has 255 bytes.
    static let earlierTagCountMax = 15
    static let devicePrefixByteCount = 8
    static let serviceType = "_potluck._tcp"

    /// The instance name for the given try: another program on this host may hold the first one. The name means
    /// nothing to readers, since Avahi renames services as it likes; the device stands in the text record.
    func instanceName(attempt: Int) -> String {
        let name = "potluck-" + hex(devicePrefix)
        return attempt == 0 ? name : "\(name)-\(attempt + 1)"
    }

    /// The text record as it is sent (RFC 6763, section 6): about 50, or 300 once the phrase was changed, of the 1,200
    /// bytes that fit into one packet.
    package var textRecord: [UInt8] {
        let earlier = earlierTags.isEmpty ? [] : [("o", hex(Array(earlierTags.joined())))]
        return TextRecord.encode([("v", "1"), ("g", hex(tag)), ("d", hex(devicePrefix))] + earlier)
    }
}

/// What another device's text record says; `nil` where it is no Potluck record.
///
/// `v` is not judged here: what a newer agent speaks is settled on the authenticated connection.
package struct AdvertisedIdentity: Hashable, Sendable {
    package var tag: [UInt8]
    /// Of earlier phrases; empty where none are shown, or none can be read.
    package var earlierTags: [[UInt8]]
    package var devicePrefix: [UInt8]

    package init?(textRecord: [UInt8]) {
        let entries = TextRecord.decode(textRecord)
        guard
            let tag = entries["g"].flatMap({ bytes(hex: $0, count: Advertisement.tagByteCount) }),
            let prefix = entries["d"].flatMap({ bytes(hex: $0, count: Advertisement.devicePrefixByteCount) })
        else { return nil }
        self.tag = tag
        self.devicePrefix = prefix
        let digits = entries["o"] ?? []
        earlierTags = stride(from: 0, to: digits.count, by: 2 * Advertisement.tagByteCount).compactMap { start in
            bytes(
                hex: Array(digits[start..<min(digits.count, start + 2 * Advertisement.tagByteCount)]),
                count: Advertisement.tagByteCount)
        }
    }
}

/// Whose records lead to a device of this gathering.
public struct FollowedRecords: Hashable, Sendable {
    /// Of all epochs whose phrases this device has: whoever was away shows an older one.
    public var tags: Set<[UInt8]>
    /// The first eight bytes of members' `DeviceID`s, whatever tag they show: after two new phrases at one time nobody has
    /// both.
    public var devicePrefixes: Set<[UInt8]>

    public init(tags: Set<[UInt8]>, devicePrefixes: Set<[UInt8]> = []) {
        self.tags = tags
        self.devicePrefixes = devicePrefixes
    }

    func contains(_ identity: AdvertisedIdentity) -> Bool {
        tags.contains(identity.tag) || !tags.isDisjoint(with: identity.earlierTags)
            || devicePrefixes.contains(identity.devicePrefix)
    }
}

/// Lower-case hexadecimal digits, two per byte.
func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
}

/// Exactly `count` bytes from hexadecimal digits of either case; `nil` for anything else.
private func bytes(hex digits: [UInt8], count: Int) -> [UInt8]? {
    guard digits.count == count * 2 else { return nil }
    let nibbles = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue.map(UInt8.init) }
    guard nibbles.count == digits.count else { return nil }
    return (0..<count).map { nibbles[$0 * 2] << 4 | nibbles[$0 * 2 + 1] }
}
