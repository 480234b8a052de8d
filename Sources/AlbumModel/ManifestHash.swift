import Crypto

/// A value that a register holds.
protocol ManifestValue {
    /// Bytes that tell it from every other one, and their number before them.
    func update(_ hasher: inout ManifestHasher)
}

extension String: ManifestValue {
    func update(_ hasher: inout ManifestHasher) { hasher.update(text: self) }
}

extension Int64: ManifestValue {
    func update(_ hasher: inout ManifestHasher) {
        hasher.update(UInt64(Self.bitWidth / 8))
        hasher.update(self)
    }
}

extension BlobID?: ManifestValue {
    func update(_ hasher: inout ManifestHasher) {
        hasher.update(UInt64(self == nil ? 0 : BlobID.byteCount))
        if let self { hasher.update(self) }
    }
}

/// Hashes what manifests consist of: texts and lists with their lengths before them.
///
/// The bytes are gathered and hashed as one, since every update of a hasher costs more than the hash of what it is given.
struct ManifestHasher {
    private var bytes: [UInt8] = []

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
        update(raw: text.utf8)
    }

    mutating func update(_ write: Register<some ManifestValue>.Write) {
        update(write.dot)
        update(write.clock.microseconds)
        write.value.update(&self)
    }

    mutating func update(_ register: Register<some ManifestValue>) {
        update(UInt64(register.writes.count))
        for write in register.writes { update(write) }
    }

    mutating func update(_ camera: CameraKey) {
        update(camera.contributor)
        for text in [camera.make, camera.model, camera.serial] { update(text: text) }
    }
}
