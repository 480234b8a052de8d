import AlbumModel
import PeerTransport
import PotluckAPI
import PotluckAgent
import PotluckClient
import TestSupport
import Testing
import WireFormat

extension HostileTests {
    /// Summaries that many invented devices sign.
    struct Summaries: Sendable, CustomTestStringConvertible {
        var deviceCount: Int
        var byteCount: Int

        var testDescription: String { "\(deviceCount) of \(byteCount) bytes" }
    }

    /// As long as a message, and as long as any that is kept.
    private static let summaries = [
        Summaries(deviceCount: 6, byteCount: (4 << 20) - 4096), Summaries(deviceCount: 60, byteCount: (4 << 20) - 4096),
        Summaries(deviceCount: 60, byteCount: (1 << 20) - 4096),
    ]

    /// Invented devices, each of which shares a photo, say at length what they hold. Whoever is connected stays so, and
    /// whoever comes later gets all photos.
    @Test(arguments: summaries)
    func longSummariesCutNobodyOff(_ summaries: Summaries) async throws {
        try await Reunion.run { reunion in
            let target = try await reunion.target()
            let presences = LongPresence.all(byteCount: summaries.byteCount)
            var devices = (0..<Scale.full(summaries.deviceCount)).map { _ in InventedDevice() }
            let attacker = try await Member.connect(to: reunion.vera)
            try await attacker.push(
                devices.indices.map { number in
                    let name = "Device \(number).jpg"
                    return devices[number].sign([
                        .photoAdded(Nonsense.addition(target.album, target.blob, name: name))
                    ])
                })
            try await reunion.endure("summaries: \(summaries.testDescription)") {
                for (number, device) in devices.enumerated() {
                    let message = Message.summaries([device.summary(presences[number % presences.count])]).encoded()
                    try await attacker.raw.write(RawConnection.frames(ofMessage: message))
                }
                _ = try await attacker.ping()
            }
            // Somebody asks for all of it, and takes it.
            let asking = try await Member.connect(to: reunion.vera)
            asking.send(.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)))
            _ = try await asking.ping()

            for _ in 0..<10 { _ = try await reunion.drop(from: reunion.anna, to: reunion.vera) }
            let cleo = try await reunion.welcome("Cleo")
            try await reunion.expectAllPhotos(on: [cleo])
        }
    }

    /// The same of devices that share nothing, which nobody needs to hear of, with numbers at the end of what a number can
    /// be; and of a device of the gathering whose key the attacker does not have.
    @Test func summariesOfNobodyCostNothing() async throws {
        try await Reunion.run { reunion in
            let attacker = try await Member.connect(to: reunion.vera)
            try await reunion.endure("summaries of devices without photos") {
                let presence = LongPresence.bytes(.blobs, byteCount: (1 << 20) - 4096)
                for number in 0..<Scale.full(20) {
                    var device = InventedDevice()
                    if number.isMultiple(of: 2) { try await attacker.push([device.sign([.deviceNamed("Nobody")])]) }
                    let statement = device.summary(presence, number: .max - UInt64(number))
                    try await attacker.raw.write(
                        RawConnection.frames(ofMessage: Message.summaries([statement]).encoded()))
                }
                let anna = try await reunion.anna.control.status(skipped: false, all: false).device.id
                let content = Proto.bytes(1, Hexadecimal.bytes(anna) ?? []) + Proto.number(2, .max)
                let forged = SignedStatement(content: content, signature: InventedDevice().identity.sign(content))
                attacker.send(.summaries([forged]))
                _ = try await attacker.ping()
            }
        }
    }
}

/// Presence that takes many bytes.
struct LongPresence {
    enum Form: CaseIterable {
        /// One replica of many runs.
        case runs
        /// Many replicas, of a run each.
        case replicas
        /// Many photos by name.
        case blobs
    }

    /// Of every form in turn, `byteCount` bytes each at most.
    static func all(byteCount: Int) -> [[UInt8]] { Form.allCases.map { bytes($0, byteCount: byteCount) } }

    static func bytes(_ form: Form, byteCount: Int) -> [UInt8] {
        switch form {
        case .runs: Proto.bytes(1, Proto.bytes(1, randomBytes(16)) + runs(byteCount: byteCount - 64))
        case .replicas: replicas(byteCount: byteCount)
        case .blobs: blobs(byteCount: byteCount)
        }
    }

    /// Of one change each: they must go up, and not touch.
    private static func runs(byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        var first: UInt64 = 1
        while bytes.count < byteCount - 16 {
            let number = Proto.varint(first)
            bytes.append(2 << 3 | 2)
            bytes.append(UInt8(number.count + 3))
            bytes.append(1 << 3)
            bytes += number
            bytes.append(2 << 3)
            bytes.append(1)
            first += 2
        }
        return bytes
    }

    private static func replicas(byteCount: Int) -> [UInt8] {
        let head = Proto.bytes(3, Proto.number(1, 1000) + Proto.fixed(2, 7))
        let run = Proto.bytes(2, Proto.number(1, 1) + Proto.number(2, 1000))
        var bytes: [UInt8] = []
        for number in 0..<WireLimits.replicaCountMax where bytes.count < byteCount - 64 {
            bytes += Proto.bytes(1, Proto.bytes(1, ReplicaID(number: number).bytes) + run + head)
        }
        return bytes
    }

    private static func blobs(byteCount: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for number in 0..<WireLimits.presenceBlobCountMax where bytes.count < byteCount - 64 {
            bytes += Proto.bytes(2, BlobID(number: number).bytes)
        }
        return bytes
    }
}
