import AlbumModel
import TestSupport
import Testing
import WireFormat

extension HostileTests {
    private static let slowByteRate = 10_000
    private static let slowTime = Duration.seconds(12)
    /// Pieces that a member asks for at a time, of a mebibyte each.
    private static let requestCount: UInt32 = 24

    /// A member is owed tens of megabytes of photos, changes and summaries, and reads 10 kB a second, with a window as small
    /// as its machine allows. It is not cut off, the agent keeps little for it, and once it reads on all of it comes.
    @Test func slowReadersAreNotCutOff() async throws {
        try await Reunion.run { reunion in
            let target = try await reunion.target()
            let attacker = try await Member.connect(to: reunion.vera)
            let presence = LongPresence.bytes(.blobs, byteCount: (1 << 20) - 4096)
            for number in 0..<Scale.full(20) {
                var device = InventedDevice()
                let name = "Device \(number).jpg"
                try await attacker.push([
                    device.sign([.photoAdded(Nonsense.addition(target.album, target.blob, name: name))])
                ])
                let message = Message.summaries([device.summary(presence)]).encoded()
                try await attacker.raw.write(RawConnection.frames(ofMessage: message))
            }
            var device = InventedDevice()
            let captions = Nonsense.captions.changes(
                0..<Scale.full(20_000), of: device, target: target, album: target.album)
            try await attacker.push(device.signAll(captions))
            let photo = reunion.makePhoto(byteCount: Int(Pieces.byteCount))
            _ = try await reunion.drop(photo, from: reunion.anna, to: reunion.vera)

            let reader = try await Member.connect(to: reunion.vera)
            try await reunion.endure("a slow reader") {
                try await reader.raw.setReading(false)
                reader.send(.vector(VersionVector()))
                reader.send(.summaryVersions(SummaryVersions(numbers: [:], isWhole: true)))
                for number in 1...Self.requestCount {
                    let request = PieceRequest(
                        number: number, blob: blobID(photo.bytes), piece: 0, byteCount: photo.bytes.count,
                        blobClass: .original)
                    reader.send(.request(request))
                }
                try await Self.readSlowly(reader)
                #expect(reader.raw.isOpen, "a member that reads is not cut off")
            }
            let owedByteCount = photo.bytes.count * Int(Self.requestCount)
            #expect(reader.pieceByteCount < owedByteCount / 2, "it was slow indeed")
            try await reader.raw.setReading(true)
            try await eventually("all that the reader was owed comes", within: .seconds(90)) {
                guard reader.raw.isOpen else { throw TestFailure("the reader was cut off") }
                return .when(reader.pieceByteCount >= owedByteCount, "\(reader.pieceByteCount) of \(owedByteCount)")
            }
            try await eventually("it knows all that was signed") {
                .when(reader.count(ofKind: 3) > 0, "no page has come")
            }
        }
    }

    /// Says now and then that it is there: its answers to the agent's pings wait behind all that it has to read.
    private static func readSlowly(_ reader: Member) async throws {
        let (begin, start) = (ContinuousClock.now, reader.raw.receivedByteCount)
        var number: UInt64 = 1_000_000
        while .now - begin < slowTime {
            let allowed = (.now - begin) / .seconds(1) * Double(slowByteRate)
            if Double(reader.raw.receivedByteCount - start) <= allowed { reader.raw.readMore() }
            number += 1
            reader.send(.ping(number))
            // That it is slow is the test.
            try await Task.sleep(for: .milliseconds(500))
        }
    }
}
