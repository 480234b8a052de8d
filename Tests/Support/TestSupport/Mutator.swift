/// Makes of bytes in order such as are not; equal seeds give equal bytes.
public struct Mutator {
    private var random: SplitMix

    public init(seed: UInt64) { random = SplitMix(state: seed) }

    /// Bytes that numbers are made of where something overflows.
    private static let edges: [UInt8] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF]

    /// - Precondition: there are elements.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &random)! }

    /// True once in `count` times.
    public mutating func isOnce(in count: Int) -> Bool { random.isOnce(in: count) }

    /// One to four changes at random.
    public mutating func mutated(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        for _ in 0...Int.random(in: 0...3, using: &random) { change(&bytes) }
        return bytes
    }

    private mutating func change(_ bytes: inout [UInt8]) {
        let place = bytes.isEmpty ? 0 : Int.random(in: 0..<bytes.count, using: &random)
        let length = Int.random(in: 1...32, using: &random)
        let end = min(bytes.count, place + length)
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1 where !bytes.isEmpty: bytes[place] = pick(Self.edges)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 5: bytes.insert(contentsOf: (0..<length).map { _ in pick(Self.edges) }, at: place)
        // The longest number that protobuf has.
        case 6: bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: 9) + [1], at: place)
        default: bytes.append(UInt8.random(in: 0...255, using: &random))
        }
    }
}
