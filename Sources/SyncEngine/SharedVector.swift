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

/// The vector last exchanged with each of the devices that there were connections with lately.
struct SharedVectors: Sendable {
    /// Those of the latest exchanges, the newest last.
    private var entries: [(device: DeviceID, vector: VersionVector)] = []
    private let countMax: Int

    init(countMax: Int) { self.countMax = countMax }

    var count: Int { entries.count }

    subscript(device: DeviceID) -> SharedVector? {
        entries.first { $0.device == device }.map { SharedVector($0.vector) }
    }

    mutating func keep(_ vector: VersionVector, of device: DeviceID) {
        entries.removeAll { $0.device == device }
        // What is not sent whole the other side does not have like this.
        if vector.isSentWhole { entries.append((device, vector)) }
        if entries.count > countMax { entries.removeFirst() }
    }
}
