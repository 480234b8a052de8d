/// A path as calls on ``Disk`` take it: a text, or bytes that need not be one.
public protocol DiskPath: Sendable {
    /// For messages.
    var pathText: String { get }
    /// Lends the path with a zero byte at its end, for the operating system.
    func withCString<Value>(_ body: (UnsafePointer<CChar>) throws -> Value) rethrows -> Value
}

extension String: DiskPath {
    public var pathText: String { self }
}

/// A path whose names need not be text, as those in a person's folder.
public struct BytePath: DiskPath, Hashable {
    /// Ended by a zero byte.
    private let bytes: [UInt8]

    /// - Parameter bytes: without a zero byte.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes + [0]
    }

    public var pathText: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

    public func withCString<Value>(_ body: (UnsafePointer<CChar>) throws -> Value) rethrows -> Value {
        try bytes.withUnsafeBytes { try $0.withMemoryRebound(to: CChar.self) { try body($0.baseAddress!) } }
    }
}
