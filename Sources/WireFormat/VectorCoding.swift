public import AlbumModel
import FoundationEssentials
import SwiftProtobuf

extension Head {
    var part: Potluck_HeadPart {
        .with {
            $0.sequence = sequence
            $0.branch = branch
        }
    }

    init(part: Potluck_HeadPart) {
        self.init(sequence: part.sequence, branch: part.branch)
    }
}

extension VersionVector {
    /// The vector's bytes, equal for equal vectors.
    public func encoded() -> [UInt8] { part.encodedBytes() }

    var part: Potluck_VectorPart { .with { $0.entries = Self.parts(heads) } }

    /// In the order of the replicas, so that equal entries are equal bytes.
    static func parts(_ entries: [ReplicaID: [Head]]) -> [Potluck_VectorEntryPart] {
        // A gathering with more replicas than this is warned long before; what is left out is sent once more.
        entries.sorted { $0.key < $1.key }.prefix(WireLimits.replicaCountMax).map { replica, heads in
            .with {
                $0.replica = .init(replica.bytes)
                $0.heads = heads.suffix(WireLimits.headCountMax).map(\.part)
            }
        }
    }

    static func heads(_ parts: [Potluck_VectorEntryPart]) throws(WireError) -> [ReplicaID: [Head]] {
        var heads: [ReplicaID: [Head]] = [:]
        for entry in parts {
            heads[try .decoding(entry.replica, "replica")] = entry.heads.map(Head.init(part:))
        }
        return heads
    }
}

extension VersionVector {
    /// Nothing of it is left out when it is sent.
    public var isSentWhole: Bool {
        heads.count <= WireLimits.replicaCountMax && heads.values.allSatisfy { $0.count <= WireLimits.headCountMax }
    }
}

extension VectorDifference {
    var part: Potluck_VectorDifferencePart {
        .with {
            $0.base = .init(base)
            $0.changed = VersionVector.parts(changed)
        }
    }

    init(part: Potluck_VectorDifferencePart) throws(WireError) {
        guard part.base.count == WireLimits.vectorNameByteCount else { throw .wrongByteCount(field: "base") }
        self.init(base: Array(part.base), changed: try VersionVector.heads(part.changed))
    }
}
