public import AlbumModel
import Crypto
public import WireFormat

/// All rulings that are known and of the right form, with the seeds of epochs that this device was handed.
///
/// A value type without I/O. What is not of the form is refused, whoever sends it, and nothing of it is kept:
/// - the signature is the author's;
/// - everything that it follows is here, and so leads to the founding;
/// - its author is the founder, the recovery key, or named host by something that it follows;
/// - of its author there are not too many that no other one's ruling follows, and not too many in all (``RulingLimits``).
///
/// Whether a ruling counts is another question, which ``Roll`` answers.
public struct RulingBook: Sendable {
    private var graph = RulingGraph()
    private var statements: [RulingID: SignedStatement] = [:]
    /// By the rulings that begin their epochs.
    public private(set) var seeds: [RulingID: Seed] = [:]
    private var rooms: [Keyholder: Room] = [:]
    private let limits: RulingLimits

    /// Who share a room.
    private enum Keyholder: Sendable {
        /// Whoever has the recovery code can put the founder out, however much that one rules, and whom they name can rule then.
        case recovery
        case founder
        case others
    }

    /// How much there is of some authors' rulings.
    private struct Room: Sendable {
        var count = 0
        var byteCount = 0

        mutating func add(_ statement: SignedStatement) {
            count += 1
            byteCount += statement.content.count
        }
    }

    /// Without a founding.
    public init(limits: RulingLimits = RulingLimits()) {
        self.limits = limits
    }

    /// - Parameters:
    ///   - kept: from an earlier run, in any order. What is not of the form is left out: members send it again.
    ///   - seeds: those that fit no epoch among them are left out.
    public init(
        _ kept: [SignedStatement], seeds: [RulingID: Seed] = [:], using signing: any BatchSigning,
        limits: RulingLimits = RulingLimits()
    ) {
        self.init(limits: limits)
        let statements = Dictionary(kept.map { (RulingID(content: $0.content), $0) }) { first, _ in first }
        // What cannot be read is refused below by whatever follows it.
        let readable = statements.compactMapValues { try? Ruling(decoding: $0.content) }
        for id in RulingGraph(readable).ids { _ = try? insert(statements[id]!, using: signing) }
        for (epoch, seed) in seeds where isSeed(seed, of: epoch) { self.seeds[epoch] = seed }
    }

    // MARK: Taking in

    /// Takes in a ruling; the founding alone where there is none yet.
    ///
    /// - Returns: its ID; `nil` if it is known already.
    public mutating func insert(
        _ statement: SignedStatement, using signing: any BatchSigning
    ) throws(RulingFlaw) -> RulingID? {
        let id = RulingID(content: statement.content)
        guard !graph.contains(id) else { return nil }
        let ruling: Ruling
        do {
            ruling = try Ruling(decoding: statement.content)
        } catch {
            throw .malformed(error)
        }
        guard (ruling.founding != nil) == (founding == nil) else { throw .foreign }
        guard ruling.after.allSatisfy({ graph.contains($0) }) else { throw .followsUnknown }
        guard ruling.founding != nil || graph.isEntitled(ruling.author, after: ruling.after) else {
            throw .notEntitled
        }
        var room = rooms[keyholder(of: ruling), default: Room()]
        room.add(statement)
        guard room.count <= limits.countMax, room.byteCount <= limits.byteCountMax else { throw .tooMany }
        guard graph.unfollowedCount(by: ruling.author) < limits.unfollowedCountMax else { throw .tooManyOfAuthor }
        guard signing.isSigned(statement, .ruling, by: ruling.authorKey) else { throw .wrongSignature }
        append(ruling, statement, id: id)
        return id
    }

    private mutating func append(_ ruling: Ruling, _ statement: SignedStatement, id: RulingID) {
        graph.append(ruling, id: id)
        statements[id] = statement
        rooms[keyholder(of: ruling), default: Room()].add(statement)
    }

    private func keyholder(of ruling: Ruling) -> Keyholder {
        guard let first = graph.founding.flatMap({ graph[$0] }), ruling.author != first.author else { return .founder }
        guard let recovery = first.founding?.recoveryDevice, ruling.author != recovery else { return .recovery }
        // Nor does anybody take the room of whom it named: the founder could name hosts without end.
        return graph.isNamed(ruling.author, by: recovery) ? .recovery : .others
    }

    /// Takes in what another book has; all that it follows must be here.
    mutating func adopt(_ id: RulingID, from other: RulingBook) {
        append(other.graph[id]!, other.statements[id]!, id: id)
        seeds[id] = other.seeds[id]
    }

    /// Keeps the seed of an epoch, which must fit it.
    mutating func keep(_ seed: Seed, of epoch: RulingID) { seeds[epoch] = seed }

    // MARK: Ruling

    /// A ruling of this device that follows all that is known.
    func sign(_ kind: Ruling.Kind, using signing: any BatchSigning) -> SignedStatement {
        let ruling = Ruling(authorKey: signing.publicKey, after: [], kind: kind)
        return Ruling(authorKey: signing.publicKey, after: ends(for: ruling.author), kind: kind).signed(using: signing)
    }

    /// The same with a ruling of whoever has this key, which follows all that is known; the same as before where they may not
    /// rule so.
    func adding(_ kind: Ruling.Kind, using key: any BatchSigning) -> RulingBook {
        var book = self
        _ = try? book.insert(book.sign(kind, using: key), using: key)
        return book
    }

    /// What a new ruling follows: all ends, sorted. Of more than it may name those of each author in turn, and something by
    /// which its own author is a host: one who leaves many ends keeps nobody from ruling.
    private func ends(for author: DeviceID) -> [RulingID] {
        var turns: [DeviceID: Int] = [:]
        let ends = graph.newest.map { id in
            let turn = turns[graph[id]!.author, default: 0]
            turns[graph[id]!.author] = turn + 1
            return (turn: turn, id: id)
        }
        let inTurn = ends.sorted { ($0.turn, $0.id) < ($1.turn, $1.id) }
        var after = inTurn.prefix(WireLimits.rulingAfterCountMax).map(\.id)
        if !graph.isEntitled(author, after: after), let naming = graph.naming(of: author) {
            after[after.count - 1] = naming
        }
        return after.sorted()
    }

    // MARK: Questions

    public var founding: RulingID? { graph.founding }

    /// Each after all that it follows.
    public var ids: [RulingID] { graph.ids }

    public subscript(id: RulingID) -> Ruling? { graph[id] }

    /// All rulings, as ``Roll`` takes them.
    public var rulings: [RulingID: Ruling] { Dictionary(uniqueKeysWithValues: ids.map { ($0, graph[$0]!) }) }

    /// As it was signed.
    public func statement(_ id: RulingID) -> SignedStatement? { statements[id] }

    /// Whether the seed is what the epoch's ruling speaks of.
    func isSeed(_ seed: Seed, of epoch: RulingID) -> Bool {
        let ruling = graph[epoch]
        let commitment = ruling?.founding?.commitment ?? ruling?.epoch?.commitment
        return commitment == seed.commitment || PlantedFault.isPlanted(.commitmentUnchecked)
    }

    /// Epochs whose seeds are held: valid ones first, and of these the newest.
    public var heldEpochs: [RulingID] { newestFirst(seeds.keys) }

    /// Valid epochs, newest first, and then the others.
    func newestFirst(_ epochs: some Collection<RulingID>) -> [RulingID] {
        let all = Set(epochs)
        // Which rulings are valid is for rulings alone to say.
        let valid = Roll(rulings: rulings, proofs: [:], lineage: Lineage()).newestFirst(all)
        return valid + all.subtracting(valid).sorted()
    }

    /// As far as which the batches of devices that are out count on this device.
    public func cuts(on device: DeviceID) -> Cuts {
        // Who is out is for rulings alone to say.
        Roll(rulings: rulings, proofs: [:], lineage: Lineage()).cuts(on: device)
    }

    /// What a hello says of the book: equal where both have the same rulings.
    var digest: [UInt8] {
        var hasher = SHA256()
        for id in ids.sorted() { id.withUnsafeBytes { hasher.update(bufferPointer: $0) } }
        return Array(hasher.finalize().prefix(WireLimits.rulingsDigestByteCount))
    }

    /// ``digest`` of a book without rulings.
    static let emptyDigest = RulingBook().digest
}

extension Ruling {
    /// The ruling as it is told to others; its author must be the one that signs.
    public func signed(using signing: any BatchSigning) -> SignedStatement { signing.sign(encoded(), .ruling) }
}
