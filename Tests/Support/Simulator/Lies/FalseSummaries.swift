import AlbumModel
import SyncEngine
import WireFormat

/// Summaries, signed as they must be, of what the signer does not hold: another one for each who is told.
enum FalseSummaries {
    static func distort(
        _ message: Message, known: [BlobID], _ signing: any BatchSigning, _ random: inout SeededRandom
    ) -> [Message] {
        guard case .summaries(let statements) = message else { return [message] }
        var distorted: [SignedStatement] = []
        for statement in statements {
            distorted.append(distort(statement, known: known, signing, &random) ?? statement)
        }
        return [.summaries(distorted)]
    }

    private static func distort(
        _ statement: SignedStatement, known: [BlobID], _ signing: any BatchSigning, _ random: inout SeededRandom
    ) -> SignedStatement? {
        guard var summary = try? PresenceSummary(decoding: statement.content),
            summary.device == BatchSignature.deviceID(publicKey: signing.publicKey)
        else { return nil }
        summary.presence.others.formUnion(known.filter { _ in random.chance(0.5) })
        summary.presence.branches = summary.presence.branches.map { branch in
            let head = branch.head.map { Head(sequence: $0.sequence + random.next() % 3, branch: $0.branch) }
            return Presence.Branch(replica: branch.replica, head: head, runs: [1...(head?.sequence ?? 1)])
        }
        if random.chance(0.3) { summary.number += random.next() % (400 * 24 * 3600 * 1_000_000) }
        if random.chance(0.3) { summary.position?.counter += random.next() % 1000 }
        let content = summary.encoded()
        let message = Array("potluck summary 1".utf8) + content
        return SignedStatement(content: content, signature: signing.signature(over: message))
    }
}
