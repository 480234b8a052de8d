/// What this device shows to the local network: enough for members of its gathering to find it, and nothing about
/// people, albums or the gathering's name.
public struct Advertisement: Hashable, Sendable {
    /// Eight bytes derived from the invite phrase; equal for all devices of a gathering.
    public var tag: [UInt8]
    /// The first eight bytes of the device's `DeviceID`.
    public var devicePrefix: [UInt8]
    /// The TCP port at which the agent listens, not 0.
    public let port: UInt16

    /// - Precondition: `tag` and `devicePrefix` have eight bytes each.
    public init(tag: [UInt8], devicePrefix: [UInt8], port: UInt16) {
        precondition(tag.count == Self.tagByteCount && devicePrefix.count == Self.devicePrefixByteCount)
        self.tag = tag
        self.devicePrefix = devicePrefix
        self.port = port
    }

    static let tagByteCount = 8
    static let devicePrefixByteCount = 8
    static let serviceType = "_potluck._tcp"

    /// The instance name for the given try: another program on this host may hold the first one. The name means
    /// nothing to readers, since Avahi renames services as it likes; the device stands in the text record.
    func instanceName(attempt: Int) -> String {
        let name = "potluck-" + hex(devicePrefix)
        return attempt == 0 ? name : "\(name)-\(attempt + 1)"
    }

    /// The text record as it is sent (RFC 6763, section 6): about 50 of the 1,200 bytes that fit into one packet.
    var textRecord: [UInt8] {
        TextRecord.encode([("v", "1"), ("g", hex(tag)), ("d", hex(devicePrefix))])
    }
}

/// What another device's text record says; `nil` where it is no Potluck record.
///
/// `v` is not judged here: what a newer agent speaks is settled on the authenticated connection.
struct AdvertisedIdentity: Hashable, Sendable {
    var tag: [UInt8]
    var devicePrefix: [UInt8]

    init?(textRecord: [UInt8]) {
        let entries = TextRecord.decode(textRecord)
        guard
            let tag = entries["g"].flatMap({ bytes(hex: $0, count: Advertisement.tagByteCount) }),
            let prefix = entries["d"].flatMap({ bytes(hex: $0, count: Advertisement.devicePrefixByteCount) })
        else { return nil }
        self.tag = tag
        self.devicePrefix = prefix
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
