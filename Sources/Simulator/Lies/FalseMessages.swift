import AlbumModel
import WireFormat

enum OtherVersion {
    static func distort(_ message: Message) -> [Message] {
        guard case .hello(var hello) = message else { return [message] }
        hello.version = 99
        return [.hello(hello)]
    }
}

enum FalsePieceLists {
    static func distort(_ message: Message) -> [Message] {
        switch message {
        case .pieceList(let blob, let list?): return [.pieceList(blob, falsified(list))]
        case .batches(var page):
            page.pieceLists = page.pieceLists.mapValues(falsified)
            return [.batches(page)]
        default: return [message]
        }
    }

    private static func falsified(_ list: PieceList) -> PieceList { PieceList(hashes: list.hashes.reversed()) }
}

enum FalsePresence {
    static func distort(_ message: Message, known: [BlobID], _ random: inout SeededRandom) -> [Message] {
        switch message {
        case .presence(var presence):
            presence.others.formUnion(known.filter { _ in random.chance(0.7) })
            return [.presence(presence)]
        case .held(let blobs): return [.held(blobs + known.filter { _ in random.chance(0.3) }.prefix(100))]
        default: return [message]
        }
    }
}

enum Reordering {
    static func distort(_ message: Message, _ random: inout SeededRandom) -> [Message] {
        guard case .batches(var page) = message, page.batches.count > 1, random.chance(0.3) else { return [message] }
        page.batches.shuffle(using: &random)
        return [.batches(page)]
    }
}

enum Replay {
    static func distort(_ message: Message, _ random: inout SeededRandom) -> [Message] {
        guard random.chance(0.2) else { return [message] }
        switch message {
        case .batches(var page):
            page.page = 0
            return [message, .batches(page)]
        case .hello: return [message]
        default: return [message, message]
        }
    }
}

enum FalseSignatures {
    static func distort(_ message: Message, _ random: inout SeededRandom) -> [Message] {
        guard case .batches(var page) = message, !page.batches.isEmpty, random.chance(0.3) else { return [message] }
        let index = page.batches.indices.randomElement(using: &random)!
        if random.chance(0.5), !page.batches[index].signature.isEmpty {
            page.batches[index].signature[0] ^= 1
        } else {
            page.batches[index].content.append(0)
        }
        return [.batches(page)]
    }
}

enum FalseVectors {
    static func distort(_ message: Message, _ random: inout SeededRandom) -> [Message] {
        guard case .vector(let vector) = message, random.chance(0.5) else { return [message] }
        var heads = vector.heads
        for (replica, own) in vector.sortedEntries {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: heads[replica] = nil
            case 1: heads[replica] = own.map { Head(sequence: $0.sequence + 5, branch: $0.branch) }
            case 2: heads[replica] = own.map { Head(sequence: $0.sequence, branch: $0.branch ^ 1) }
            default: break
            }
        }
        return [.vector(VersionVector(heads: heads))]
    }
}
