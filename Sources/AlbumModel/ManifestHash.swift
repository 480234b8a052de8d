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

/// How manifests are hashed: texts and lists with their lengths before them.
extension SHA256 {
    mutating func update(_ dot: Dot) {
        update(data: dot.replica.bytes)
        update(data: BigEndian.bytes(dot.sequence))
        update(data: BigEndian.bytes(dot.branch))
    }

    mutating func update(text: String) { update(counted: Array(text.utf8)) }

    private mutating func update(counted bytes: [UInt8]) {
        update(data: BigEndian.bytes(UInt64(bytes.count)))
        update(data: bytes)
    }

    mutating func update(_ write: Register<some ManifestValue>.Write) {
        update(write.dot)
        update(data: BigEndian.bytes(write.clock.microseconds))
        update(counted: write.value.manifestBytes)
    }

    mutating func update(_ register: Register<some ManifestValue>) {
        update(data: BigEndian.bytes(UInt64(register.writes.count)))
        for write in register.writes { update(write) }
    }

    mutating func update(_ camera: CameraKey) {
        update(data: camera.contributor.bytes)
        for text in [camera.make, camera.model, camera.serial] { update(text: text) }
    }
}
