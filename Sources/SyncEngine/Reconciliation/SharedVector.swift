import AlbumModel
import Crypto
import WireFormat

/// A vector that this device and a peer both have, because it was told by one of them and answered by the other: they
/// tell each other later vectors as what changed since.
struct SharedVector: Hashable, Sendable {
    let vector: VersionVector
    /// Tells whether both mean the same vector.
    let name: [UInt8]

    init(_ vector: VersionVector) {
        self.vector = vector
        name = Array(SHA256.hash(data: vector.encoded()).prefix(WireLimits.vectorNameByteCount))
    }

    func difference(to later: VersionVector) -> VectorDifference {
        var changed = later.heads.filter { vector.heads[$0.key] != $0.value }
        // The shared vector may be the peer's, which knew replicas that are not known here.
        for replica in vector.heads.keys where later.heads[replica] == nil {
            if !PlantedFault.isPlanted(.unknownReplicasNotTold) { changed[replica] = [] }
        }
        return VectorDifference(base: name, changed: changed)
    }

    /// The vector that a peer told; `nil` if it told how that differs from another vector than this.
    func applying(_ difference: VectorDifference) -> VersionVector? {
        guard difference.base == name else { return nil }
        return VersionVector(heads: vector.heads.merging(difference.changed) { $1 })
    }
}

extension VersionVector {
    /// As much of it as one message tells: the vector itself, unless it is that of a hostile gathering.
    var told: VersionVector {
        Self.told(heads).map { VersionVector(heads: $0) } ?? self
    }

    /// Heads that fit into one message, where not all do. Of replicas with many branches fewer are told then: whoever is
    /// told less sends more, and loses nothing.
    static func told(_ heads: [ReplicaID: [Head]]) -> [ReplicaID: [Head]]? {
        var countMax = WireLimits.headCountMax
        let areTooMany = heads.count > WireLimits.replicaCountMax || heads.values.contains { $0.count > countMax }
        guard areTooMany || byteCount(heads, countMax) > byteCountMax else { return nil }
        let sorted = heads.sorted { $0.key < $1.key }.prefix(WireLimits.replicaCountMax)
        let part = Dictionary(uniqueKeysWithValues: sorted.map { ($0.key, $0.value.sorted()) })
        while byteCount(part, countMax) > byteCountMax, countMax > 1 { countMax /= 2 }
        return part.mapValues { Array($0.suffix(countMax)) }
    }

    /// 65,536 replicas with one head each are 2.9 MB.
    private static let byteCountMax = WireLimits.messageByteCountMax * 3 / 4

    private static func byteCount(_ heads: [ReplicaID: [Head]], _ countMax: Int) -> Int {
        heads.values.reduce(0) { $0 + 22 + 23 * min($1.count, countMax) }
    }
}

/// The vector last exchanged with each of the devices that there were connections with lately.
struct SharedVectors: Sendable {
    /// Those of the latest exchanges, the newest last.
    private var entries: [(device: DeviceID, vector: VersionVector)] = []
    private let countMax: Int
    private let replicaCountMax: Int

    init(countMax: Int, replicaCountMax: Int = EngineLimits().sharedReplicaCountMax) {
        self.countMax = countMax
        self.replicaCountMax = replicaCountMax
    }

    var count: Int { entries.count }

    /// Of how many replicas heads are remembered, in sum.
    var replicaCount: Int { entries.reduce(0) { $0 + $1.vector.heads.count } }

    subscript(device: DeviceID) -> SharedVector? {
        entries.first { $0.device == device }.map { SharedVector($0.vector) }
    }

    mutating func keep(_ vector: VersionVector, of device: DeviceID) {
        entries.removeAll { $0.device == device }
        // What is not sent whole the other side does not have like this.
        if vector.isSentWhole { entries.append((device, vector)) }
        while entries.count > countMax || replicaCount > replicaCountMax { entries.removeFirst() }
    }
}
