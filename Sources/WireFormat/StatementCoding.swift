import AlbumModel
import FoundationEssentials
import SwiftProtobuf

extension SignedStatement {
    var part: Potluck_SignedStatementPart {
        .with {
            $0.content = .init(content)
            $0.signature = .init(signature)
        }
    }
}

extension Potluck_SignedStatementPart {
    func read() -> SignedStatement { SignedStatement(content: Array(content), signature: Array(signature)) }
}

extension Potluck_SignedListPart {
    func read() -> [SignedStatement] { statements.map { $0.read() } }
}

extension SummaryVersions {
    var part: Potluck_VersionsPart {
        .with {
            $0.isWhole = isWhole
            $0.versions = numbers.sorted { $0.key < $1.key }.map { device, number in
                .with {
                    $0.device = device
                    $0.number = number
                }
            }
        }
    }

    init(part: Potluck_VersionsPart) {
        self.init(
            numbers: Dictionary(part.versions.map { ($0.device, $0.number) }, uniquingKeysWith: max),
            isWhole: part.isWhole)
    }
}

extension AddressStatement {
    /// The bytes that are signed.
    public func encoded() -> [UInt8] {
        Potluck_AddressesPart.with {
            $0.device = .init(device.bytes)
            $0.number = number
            $0.addresses = addresses.map { address in
                .with {
                    $0.host = address.host
                    $0.port = UInt32(address.port)
                }
            }
        }.encodedBytes()
    }

    public init(decoding content: [UInt8]) throws(WireError) {
        try MessageShape.addresses.check(content)
        let part = try Potluck_AddressesPart(decoding: content)
        self.init(device: try .decoding(part.device, "device"), number: part.number, addresses: [])
        for address in part.addresses {
            guard let port = UInt16(exactly: address.port) else { throw .outOfRange(field: "port") }
            guard address.host.utf8.count <= WireLimits.hostByteCountMax else { throw .tooLong }
            addresses.append(Address(host: address.host, port: port))
        }
    }
}

extension PresenceSummary {
    /// The bytes that are signed.
    public func encoded() -> [UInt8] {
        Potluck_SummaryPart.with {
            $0.device = .init(device.bytes)
            $0.number = number
            $0.presence = presence.part.with {
                $0.run = .init(position?.run ?? [])
                $0.counter = position?.counter ?? 0
            }
        }.encodedBytes()
    }

    public init(decoding content: [UInt8]) throws(WireError) {
        try MessageShape.summary.check(content)
        let part = try Potluck_SummaryPart(decoding: content)
        self.init(
            device: try .decoding(part.device, "device"), number: part.number,
            presence: try Presence(part: part.presence),
            position: part.presence.run.isEmpty
                ? nil : PresencePosition(run: Array(part.presence.run), counter: part.presence.counter))
    }
}
