import AlbumModel
import WireFormat

enum OtherVersion {
    static func distort(_ message: Message) -> [Message] {
        guard case .hello(var hello) = message else { return [message] }
        hello.versions = 98...99
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
        case .presence(var presence, let counter):
            presence.others.formUnion(known.filter { _ in random.chance(0.7) })
            return [.presence(presence, counter: counter)]
        case .presenceChanged(var change):
            change.held += known.filter { _ in random.chance(0.3) }.prefix(100)
            return [.presenceChanged(change)]
        case .partHeld(var part):
            part.pieces = part.pieces.map { _ in random.chance(0.8) }
            part.coming = part.coming.map { _ in random.chance(0.8) }
            return [.partHeld(part)]
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
        guard random.chance(0.5) else { return [message] }
        switch message {
        case .vector(let vector):
            return [.vector(VersionVector(heads: distort(vector.heads, &random)))]
        case .vectorDifference(var difference):
            difference.changed = distort(difference.changed, &random)
            return [.vectorDifference(difference)]
        case .vectorReply(let heads): return [.vectorReply(distort(heads, &random))]
        case .announced(let heads): return [.announced(distort(heads, &random))]
        default: return [message]
        }
    }

    private static func distort(
        _ honest: [ReplicaID: [Head]], _ random: inout SeededRandom
    ) -> [ReplicaID: [Head]] {
        var heads = honest
        for (replica, own) in honest.sorted(by: { $0.key < $1.key }) {
            switch Int.random(in: 0..<5, using: &random) {
            case 0: heads[replica] = nil
            case 1: heads[replica] = own.map { Head(sequence: $0.sequence + 5, branch: $0.branch) }
            case 2: heads[replica] = own.map { Head(sequence: $0.sequence, branch: $0.branch ^ 1) }
            default: break
            }
        }
        return heads
    }
}
