/// A parser of bytes that others wrote, as tests call it.
public struct FuzzTarget: Sendable {
    /// Named after what it reads, in lower case.
    public let name: String
    /// The longest input that is tried, in bytes. Real limits are beyond it where they are megabytes.
    public let byteCountMax: Int
    /// Inputs that the parser accepts, which tests begin with.
    public let seeds: [[UInt8]]
    private let read: @Sendable ([UInt8]) throws(OracleFailure) -> Bool

    /// What a parser made of its input cannot be right.
    public struct OracleFailure: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Whether the parser accepts `bytes`.
    ///
    /// - Throws: where what it made of them breaks a property. What traps, traps.
    public func check(_ bytes: [UInt8]) throws(OracleFailure) -> Bool { try read(bytes) }

    /// A parser without an encoder, which only may not trap.
    public init(
        _ name: String, byteCountMax: Int, seeds: [[UInt8]], accepts: @escaping @Sendable ([UInt8]) -> Bool
    ) {
        (self.name, self.byteCountMax, self.seeds) = (name, byteCountMax, seeds)
        read = { bytes throws(OracleFailure) in accepts(bytes) }
    }

    /// A parser and its encoder: whatever was read can be written, the parser accepts that, and what is written of it
    /// then stays the same.
    ///
    /// The first writing may differ: it puts lists in order, and leaves out what means nothing.
    public init<Value>(
        _ name: String, byteCountMax: Int, seeds: [[UInt8]], decode: @escaping @Sendable ([UInt8]) -> Value?,
        encode: @escaping @Sendable (Value) -> [UInt8]
    ) {
        (self.name, self.byteCountMax, self.seeds) = (name, byteCountMax, seeds)
        read = { bytes throws(OracleFailure) in
            guard let value = decode(bytes) else { return false }
            guard let second = decode(encode(value)) else {
                throw OracleFailure(description: "\(name): what was read is refused once it is written")
            }
            let written = encode(second)
            guard let third = decode(written), encode(third) == written else {
                throw OracleFailure(description: "\(name): what is written does not stay the same")
            }
            return true
        }
    }
}
