import AlbumModel
import TestSupport
import Testing

@testable import WireFormat

extension HostileTests {
    /// How long one flood goes on at most.
    private static let floodMax = Duration.seconds(1.5)

    /// A member asks, announces and tells without a pause, and reads the answers.
    @Test func floodsOfQuestionsFreezeNobody() async throws { try await flood(Flood.allCases, isReading: true) }

    /// The same from a member that reads nothing: what it is owed grows no further than its bound.
    @Test func floodsWithoutReadingFillNoMemory() async throws {
        try await flood(Flood.questions, isReading: false)
    }

    private func flood(_ floods: [Flood], isReading: Bool) async throws {
        try await Reunion.run { reunion in
            let target = try await reunion.target()
            var device = InventedDevice()
            for flood in floods {
                let member = try await Member.connect(to: reunion.vera)
                try await member.push([device.sign([.photoFavoured(target.album, target.blob)])])
                try await member.raw.setReading(isReading)
                let frames = RawConnection.frames(ofMessage: flood.message(target.blob, device))
                let count = Scale.full(flood.count)
                try await reunion.endure("\(count) \(flood), \(isReading ? "read" : "not read")", lateDrops: 3) {
                    // Whoever is not read from would wait for ever.
                    await member.raw.orClose(after: Self.floodMax) {
                        await Self.send(frames, count: count, over: member.raw)
                    }
                }
                member.close()
            }
        }
    }

    /// Sends the same bytes again and again, until all is sent, it has taken too long, or the agent has closed.
    private static func send(_ bytes: [UInt8], count: Int, over raw: RawConnection) async {
        let perWrite = max(1, min(count, (64 << 10) / bytes.count))
        let block = Proto.repeated(bytes, byteCount: perWrite * bytes.count)
        for _ in 0..<(count / perWrite) {
            do {
                try await raw.write(block)
            } catch {
                // The agent need not stand all of it.
                return
            }
        }
    }

    /// Hundreds of connections are admitted and never say hello. They may be closed; the others are not.
    @Test func connectionsThatNeverGreetTakeLittle() async throws {
        try await Reunion.run { reunion in
            let count = Scale.full(400)
            try await reunion.endure("\(count) connections that never greet") {
                let members = await withTaskGroup(of: [Member].self) { group in
                    for lane in 0..<4 {
                        group.addTask {
                            await Self.silentMembers(count / 4, of: reunion.vera, from: "127.0.1.\(1 + lane)")
                        }
                    }
                    return await group.reduce(into: []) { $0 += $1 }
                }
                #expect(members.count >= min(16, count / 4), "the attack came about")
                // A message is due from each: a mebibyte of one comes, and its end never does.
                let beginning = Proto.repeated(
                    RawConnection.frame(1, [UInt8](repeating: 0, count: 60_000)), byteCount: 1 << 20)
                for member in members where member.raw.isOpen {
                    // The agent may close, or not read.
                    try? await member.raw.orClose(after: .seconds(1)) { try await member.raw.write(beginning) }
                }
                for _ in 0..<5 { _ = try await reunion.drop(from: reunion.anna, to: reunion.ben) }
                for member in members { member.close() }
            }
        }
    }

    /// Members that were admitted one after the other and say nothing, two connections of each device.
    private static func silentMembers(_ count: Int, of laptop: Laptop, from source: String) async -> [Member] {
        var members: [Member] = []
        var credentials: Credentials?
        for number in 0..<count {
            if number.isMultiple(of: 2) { credentials = try? Credentials() }
            // Some are refused, which is fine.
            let member = try? await Member.connect(to: laptop, as: credentials, from: source, isGreeting: false)
            if let member { members.append(member) }
        }
        return members
    }

    /// Messages of four megabytes that consist of empty elements: in every field that may be repeated, and in every field
    /// of those.
    @Test func messagesOfEmptyElementsTakeLittle() async throws {
        try await Reunion.run { reunion in
            let credentials = try Credentials()
            try await reunion.endure("messages of empty elements") {
                for path in EmptyElements.paths {
                    let member = try await Member.connect(to: reunion.vera, as: credentials)
                    defer { member.close() }
                    // The agent may close before all of it is sent.
                    try? await member.raw.write(RawConnection.frames(ofMessage: EmptyElements.message(path)))
                    // A ping after it is answered, or the connection is closed: either way it was read.
                    _ = try? await member.ping()
                    try reunion.expectLittleMemory(of: reunion.vera, after: "a message of empty elements at \(path)")
                }
            }
        }
    }

    /// The same in a signed batch: changes without anything, and a change that names nothing many times over.
    @Test func batchesOfEmptyElementsTakeLittle() async throws {
        try await Reunion.run { reunion in
            let byteCount = CatalogLimits.batchByteCountMax - 4096
            var device = InventedDevice()
            let attacker = try await Member.connect(to: reunion.vera)
            let empty = Proto.repeated([0x12, 0], byteCount: byteCount)
            var batches = [device.sign([.deviceNamed("Empty")])]
            batches.append(device.sign(Array(repeating: .unknown(kind: 0, payload: []), count: byteCount / 8)))
            for kind in ChangeKind.known {
                for field in UInt8(1)...7 {
                    let payload = Proto.repeated([field << 3 | 2, 0], byteCount: byteCount / 4)
                    batches.append(device.sign([.unknown(kind: kind, payload: payload)]))
                }
                batches.append(device.sign([.unknown(kind: kind, payload: empty)]))
            }
            try await reunion.endure("batches of empty elements") {
                try await attacker.push(batches)
                try await reunion.expectKnown(device.head, of: device.replica)
            }
        }
    }
}

/// Messages whose every element is empty.
enum EmptyElements {
    /// Of the message, and of fields in it: the last one is repeated.
    static let paths: [[UInt64]] = [
        [1, 2], [2, 1], [2, 1, 2], [3, 1], [3, 2], [4, 2], [5, 1], [5, 1, 2], [5, 2], [6, 1], [6, 2], [11, 2], [14, 1],
        [16, 1], [19, 1], [22, 1], [23, 1], [24, 1], [26, 2], [27, 1], [27, 1, 4], [28, 1],
    ]

    static func message(_ path: [UInt64]) -> [UInt8] {
        let element = Proto.bytes(path.last!, [])
        let elements = Proto.repeated(element, byteCount: WireLimits.messageByteCountMax - 64)
        return path.dropLast().reversed().reduce(elements) { Proto.bytes($1, $0) }
    }
}
