import AlbumModel
import TestSupport
import Testing
import WireFormat

extension HostileTests {
    /// A member says that it has photos before anybody drops them, and answers with other bytes, with a refusal or not at
    /// all. They come from elsewhere: at once past a wrong answer, and past a silent one when it has had its time.
    @Test func lyingHoldersKeepNothingAway() async throws {
        try await Reunion.run { reunion in
            for answer in Member.Answer.allCases where answer != .right {
                let liar = try await Member.connect(to: reunion.ben, manners: Member.Manners(answer: answer))
                for byteCount in [20_000, 20_000, 3 << 20] {
                    let photo = reunion.makePhoto(byteCount: byteCount)
                    liar.hold(photo.bytes)
                    _ = try await liar.ping()
                    let duration = try await reunion.drop(
                        photo, from: reunion.anna, to: reunion.ben, within: Promise.silenceMax * 2)
                    // A photo of several pieces has a list of them, which it does not give either.
                    let isSilent = answer == .silence || byteCount > Pieces.byteCount
                    let limit = isSilent ? Promise.silenceMax : Promise.delayMax
                    #expect(duration <= limit, "\(byteCount) bytes past a holder with \(answer)")
                }
                liar.close()
            }
        }
    }

    /// A member describes photos wrongly before they are dropped: as smaller, and as larger and of many pieces. The right
    /// descriptions win in time.
    @Test func falseDescriptionsKeepNothingAway() async throws {
        try await Reunion.run { reunion in
            let album = try await reunion.target().album
            let attacker = try await Member.connect(to: reunion.vera)
            var device = InventedDevice()
            for byteCount: UInt64 in [999, 5 << 30] {
                let photo = reunion.makePhoto()
                var addition = Nonsense.addition(album, blobID(photo.bytes), name: "False.jpg", byteCount: byteCount)
                if byteCount > Pieces.byteCount { addition.pieceListHash = BlobID(number: 3) }
                try await attacker.push([device.sign([.photoAdded(addition)])])
                attacker.hold(photo.bytes)
                // Takes its time, and has its limit.
                _ = try await reunion.drop(photo, from: reunion.anna, to: reunion.vera)
                try await reunion.expectAllPhotos(on: [reunion.ben], within: .seconds(30))
            }
        }
    }

    /// A member tells that it knows more of everybody's changes than they made, of replicas that nobody has, and that it
    /// knows nothing. No change is lost, and everybody can go on.
    @Test func falseVectorsLoseNothing() async throws {
        try await Reunion.run { reunion in
            for laptop in reunion.row {
                let liar = try await Member.connect(to: laptop, manners: Member.Manners(learns: true))
                liar.send(.vector(VersionVector()))
                try await eventually("the liar knows the changes of \(laptop.name)") {
                    .when(!liar.replicas.isEmpty, "no page has come")
                }
                let heads = liar.replicas.mapValues { [Head(sequence: $0 + 1000, branch: 7)] }
                let others = (0..<1000).map { (ReplicaID(number: $0), [Head(sequence: 5, branch: 5)]) }
                try await reunion.endure("false vectors to \(laptop.name)") {
                    for number in 0..<20 {
                        liar.send(.vector(VersionVector(heads: heads)))
                        liar.send(.vectorReply(heads))
                        liar.send(.vector(VersionVector(heads: Dictionary(uniqueKeysWithValues: others))))
                        liar.send(.announced(heads))
                        _ = try await liar.ping()
                        if number.isMultiple(of: 5) {
                            let other = laptop === reunion.anna ? reunion.ben : reunion.anna
                            _ = try await reunion.drop(from: laptop, to: other)
                        }
                    }
                }
                liar.close()
            }
        }
    }
}
