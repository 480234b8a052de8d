import Crypto

/// A value that a register holds.
public protocol ManifestValue: Hashable, Sendable {
    /// Bytes that tell it from every other one, and their number before them.
    func updateManifest(_ hasher: inout ManifestHasher)
}

extension String: ManifestValue {
    public func updateManifest(_ hasher: inout ManifestHasher) { hasher.update(text: self) }
}

extension Int64: ManifestValue {
    public func updateManifest(_ hasher: inout ManifestHasher) {
        hasher.update(UInt64(Self.bitWidth / 8))
        hasher.update(self)
    }
}

extension BlobID?: ManifestValue {
    public func updateManifest(_ hasher: inout ManifestHasher) {
        hasher.update(UInt64(self == nil ? 0 : BlobID.byteCount))
        if let self { hasher.update(self) }
    }
}

/// Hashes what manifests consist of: texts and lists with their lengths before them.
///
/// The bytes are gathered and hashed as one, since every update of a hasher costs more than the hash of what it is given.
public struct ManifestHasher {
    /// Of a longer text its length and its beginning are hashed: the dot beside it names the change, and so the rest. Else
    /// a few long captions would make every change to their photo dear.
    private static let textByteCountMax = 256

    private var bytes: [UInt8] = []

    var byteCount: Int { bytes.count }

    init() { bytes.reserveCapacity(256) }

    func finalize() -> SHA256Digest { SHA256.hash(data: bytes) }

    mutating func update(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    mutating func update(_ id: some ByteIdentifier) { id.withUnsafeBytes { bytes.append(contentsOf: $0) } }

    /// Big-endian.
    mutating func update(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func update(_ dot: Dot) {
        update(dot.replica)
        update(dot.sequence)
        update(dot.branch)
    }

    mutating func update(text: String) {
        update(UInt64(text.utf8.count))
        if text.utf8.count <= Self.textByteCountMax {
            update(raw: text.utf8)
        } else {
            update(raw: text.utf8.prefix(Self.textByteCountMax))
        }
    }

    mutating func update(_ person: Person) {
        update(person.device)
        update(UInt64(person.guest == nil ? 0 : GuestID.byteCount))
        if let guest = person.guest { update(guest) }
    }

    mutating func update(_ register: Register<some ManifestValue>) { register.writes.update(&self) }

    mutating func update(_ camera: CameraKey) {
        update(camera.contributor)
        for text in [camera.make, camera.model, camera.serial] { update(text: text) }
    }
}
