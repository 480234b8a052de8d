import AlbumModel
import FoundationEssentials
import SwiftProtobuf

extension Presence {
    var part: Potluck_PresencePart {
        .with {
            $0.originals = branches.sorted().map { branch in
                .with {
                    $0.replica = .init(branch.replica.bytes)
                    if let head = branch.head { $0.head = head.part }
                    $0.runs = branch.runs.map { run in
                        .with {
                            $0.first = run.lowerBound
                            $0.count = UInt64(run.count)
                        }
                    }
                }
            }
            $0.others = others.sorted().prefix(WireLimits.presenceBlobCountMax).map { .init($0.bytes) }
        }
    }

    init(part: Potluck_PresencePart) throws(WireError) {
        self.init()
        for entry in part.originals {
            var ranges: [ClosedRange<UInt64>] = []
            for run in entry.runs {
                let (end, overflow) = run.first.addingReportingOverflow(run.count)
                // So that it can be written again.
                guard run.count >= 1, !overflow, end <= WireLimits.sequenceEnd,
                    run.first > (ranges.last?.upperBound ?? 0)
                else {
                    throw .outOfRange(field: "run")
                }
                ranges.append(run.first...(end - 1))
            }
            branches.append(
                Branch(
                    replica: try .decoding(entry.replica, "replica"),
                    head: entry.hasHead ? Head(part: entry.head) : nil, runs: ranges))
        }
        for blob in part.others { others.insert(try .decoding(blob, "blob")) }
    }

    /// For keeping what a device last said.
    public func encoded() -> [UInt8] { part.encodedBytes() }

    public init(decoding bytes: [UInt8]) throws(WireError) {
        try MessageShape.presence.check(bytes)
        try self.init(part: Potluck_PresencePart(decoding: bytes))
    }
}

extension Potluck_PresencePart {
    func with(_ change: (inout Self) -> Void) -> Self {
        var part = self
        change(&part)
        return part
    }
}

extension FetchingNotice {
    var part: Potluck_FetchingPart {
        .with {
            $0.leftOut = leftOut.sorted().map { .init($0.bytes) }
            $0.isPaused = isPaused
        }
    }

    init(part: Potluck_FetchingPart) throws(WireError) {
        self.init(isPaused: part.isPaused)
        for album in part.leftOut { leftOut.insert(try .decoding(album, "album")) }
    }
}

extension PresenceChange {
    var part: Potluck_HeldPart {
        .with {
            $0.blobs = held.map { .init($0.bytes) }
            $0.lost = lost.map { .init($0.bytes) }
            $0.counter = counter
        }
    }

    init(part: Potluck_HeldPart) throws(WireError) {
        guard part.blobs.count + part.lost.count <= WireLimits.heldCountMax else { throw .tooLong }
        self.init(held: [], lost: [], counter: part.counter)
        for blob in part.blobs { held.append(try .decoding(blob, "blob")) }
        for blob in part.lost where !PlantedFault.isPlanted(.lossesDroppedInDecoding) {
            lost.append(try .decoding(blob, "blob"))
        }
    }
}

extension PartHeld {
    var part: Potluck_PartHeldPart {
        .with {
            $0.blob = .init(blob.bytes)
            $0.pieceCount = UInt32(max(pieces.count, coming.count))
            $0.pieces = .init(Self.bits(pieces))
            $0.coming = .init(Self.bits(coming))
        }
    }

    init(part: Potluck_PartHeldPart) throws(WireError) {
        let count = Int(part.pieceCount)
        guard count <= WireLimits.pieceCountMax else { throw .tooLong }
        self.init(
            blob: try .decoding(part.blob, "blob"), pieces: try Self.flags(Array(part.pieces), count: count),
            coming: try Self.flags(Array(part.coming), count: count))
    }

    private static func bits(_ flags: [Bool]) -> [UInt8] {
        guard flags.contains(true) else { return [] }
        var bits = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
        for (piece, isSet) in flags.enumerated() where isSet { bits[piece / 8] |= 128 >> UInt8(piece % 8) }
        return bits
    }

    private static func flags(_ bits: [UInt8], count: Int) throws(WireError) -> [Bool] {
        guard !bits.isEmpty else { return [] }
        guard bits.count == (count + 7) / 8 else { throw .wrongByteCount(field: "pieces") }
        return (0..<count).map { bits[$0 / 8] & (128 >> UInt8($0 % 8)) != 0 }
    }
}
