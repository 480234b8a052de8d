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
        self.init(name, byteCountMax: byteCountMax, seeds: seeds) { bytes throws(OracleFailure) in accepts(bytes) }
    }

    /// A parser with properties of its own; `check` says whether it accepts its input.
    init(
        _ name: String, byteCountMax: Int, seeds: [[UInt8]],
        check: @escaping @Sendable ([UInt8]) throws(OracleFailure) -> Bool
    ) {
        (self.name, self.byteCountMax, self.seeds, read) = (name, byteCountMax, seeds, check)
    }

    /// A parser and its encoder: whatever was read can be written, the parser accepts that, and what is written of it
    /// then stays the same.
    ///
    /// The first writing may differ: it puts lists in order, and leaves out what means nothing.
    public init<Value>(
        _ name: String, byteCountMax: Int, seeds: [[UInt8]], decode: @escaping @Sendable ([UInt8]) throws -> Value?,
        encode: @escaping @Sendable (Value) -> [UInt8]
    ) {
        (self.name, self.byteCountMax, self.seeds) = (name, byteCountMax, seeds)
        read = { bytes throws(OracleFailure) in
            guard let value = try? decode(bytes) else { return false }
            let first = encode(value)
            let second = try readAgain(name, first, decode, readFrom: bytes)
            let written = encode(second)
            guard encode(try readAgain(name, written, decode, readFrom: bytes)) == written else {
                throw OracleFailure(description: "\(name): what is written of \(bytes) does not stay the same")
            }
            return true
        }
    }
}

private func readAgain<Value>(
    _ name: String, _ written: [UInt8], _ decode: ([UInt8]) throws -> Value?, readFrom bytes: [UInt8]
) throws(FuzzTarget.OracleFailure) -> Value {
    let reason: String
    do {
        if let value = try decode(written) { return value }
        reason = "it is nothing"
    } catch {
        reason = "\(error)"
    }
    throw FuzzTarget.OracleFailure(
        description: "\(name): what was read of \(bytes) is refused once it is written as \(written): \(reason)")
}
