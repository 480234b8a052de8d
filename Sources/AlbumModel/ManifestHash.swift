import Crypto

/// A value that a register holds, as bytes that tell it from every other one.
protocol ManifestValue {
    var manifestBytes: [UInt8] { get }
}

extension String: ManifestValue {
    var manifestBytes: [UInt8] { Array(utf8) }
}

extension Int64: ManifestValue {
    var manifestBytes: [UInt8] { BigEndian.bytes(self) }
}

extension BlobID?: ManifestValue {
    var manifestBytes: [UInt8] { self?.bytes ?? [] }
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
        update(counted: text.utf8)
    }

    private mutating func update(counted more: some Collection<UInt8>) {
        update(UInt64(more.count))
        update(raw: more)
    }

    mutating func update(_ write: Register<some ManifestValue>.Write) {
        update(write.dot)
        update(write.clock.microseconds)
        update(counted: write.value.manifestBytes)
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
