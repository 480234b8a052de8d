import AlbumModel
import WireFormat

/// More than the protocol allows, and more than anybody needs.
enum Flood {
    static func distort(_ message: Message, known: [BlobID], _ random: inout SeededRandom) -> [Message] {
        guard random.chance(0.05) else { return [message] }
        switch message {
        case .batches(let page):
            return [message]
                + (1...20).map { .batches(BatchPage(batches: page.batches, page: page.page + 1_000 + UInt64($0))) }
        case .request(let request):
            return [message]
                + (1...100).map { offset in
                    var other = request
                    other.number = 1_000_000 + request.number &* 100 + UInt32(offset)
                    other.blob = known.randomElement(using: &random) ?? request.blob
                    return .request(other)
                }
        case .ping: return [Message](repeating: message, count: 100)
        case .vector, .vectorDifference: return [Message](repeating: message, count: 10)
        default: return [message]
        }
    }
}
