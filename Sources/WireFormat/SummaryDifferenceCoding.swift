import FoundationEssentials
import SwiftProtobuf

extension SummaryDifference {
    var part: Potluck_SummaryDifferencePart {
        .with {
            $0.device = device
            $0.base = base
            $0.number = number
            $0.pieces = pieces.map { piece in
                .with {
                    $0.start = UInt32(piece.copied.lowerBound)
                    $0.count = UInt32(piece.copied.count)
                    $0.added = .init(piece.added)
                }
            }
            $0.signature = .init(signature)
        }
    }

    init(part: Potluck_SummaryDifferencePart) {
        let pieces = part.pieces.map { piece in
            Piece(copied: Int(piece.start)..<Int(piece.start) + Int(piece.count), added: Array(piece.added))
        }
        self.init(
            device: part.device, base: part.base, number: part.number, pieces: pieces,
            signature: Array(part.signature))
    }

    /// How long the content is.
    public var contentByteCount: Int { pieces.reduce(0) { $0 + $1.copied.count + $1.added.count } }
}

extension Potluck_SummaryDifferencesPart {
    /// - Throws: also where the contents would be longer than the message that tells them whole may be.
    func read() throws(WireError) -> [SummaryDifference] {
        let read = differences.map(SummaryDifference.init(part:))
        let byteCount = read.reduce(0) { $0 + $1.contentByteCount }
        guard byteCount <= WireLimits.messageByteCountMax else { throw .tooLong }
        return read
    }
}
