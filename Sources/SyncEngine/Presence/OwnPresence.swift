import AlbumModel
import DequeModule
import WireFormat

/// Which of the photos and thumbnails that this device knows it holds, kept ready to be told.
struct OwnPresence: Sendable {
    /// What is held of one branch, and how many of the changes in it name a blob.
    private struct Told: Sendable {
        var branch: Presence.Branch
        var mentionCount = 0

        /// Room in a summary is for those that tell most in it.
        var density: Double { Double(mentionCount) / Double(branch.byteCount) }
    }

    private struct Table: Sendable {
        var mentions = MentionTable()
        /// Of a replica that did not fork: made when asked for, and kept until something changes.
        var told: Told?
    }

    private var tables: [ReplicaID: Table] = [:]
    /// The latest blobs that came or went, the last of them as number ``counter``.
    private var changed: Deque<BlobID> = []
    /// Counts the changes that were told in this run.
    private(set) var counter: UInt64 = 0

    init() {}

    init(of catalog: Catalog, isHeld: (BlobID) -> Bool) {
        var mentions: [ReplicaID: [BlobMention]] = [:]
        func mention(_ dot: Dot, _ blob: BlobID, _ added: ClockReading?, _ isHeld: Bool) {
            mentions[dot.replica, default: []].append(
                BlobMention(sequence: dot.sequence, branch: dot.branch, blob: blob, added: added, isHeld: isHeld))
        }
        for album in catalog.albums.values {
            for (blob, photo) in album.photos {
                let isPhotoHeld = isHeld(blob)
                for add in photo.adds { mention(add.dot, blob, add.order, isPhotoHeld) }
                for dot in photo.withdrawnAdds { mention(dot, blob, nil, isPhotoHeld) }
                guard photo.isLive, let thumbnail = photo.facts?.thumbnail, let dot = photo.factsDot else { continue }
                mention(dot, thumbnail.blob, nil, isHeld(thumbnail.blob))
            }
        }
        tables = mentions.mapValues { mentions in
            Table(mentions: MentionTable(mentions.sorted { ($0.sequence, $0.branch) < ($1.sequence, $1.branch) }))
        }
    }

    // MARK: What changes

    /// A blob came to be named by this change.
    ///
    /// - Parameter added: when, if it is an add.
    mutating func insert(_ dot: Dot, _ blob: BlobID, added: ClockReading?, isHeld: Bool) {
        let mention = BlobMention(
            sequence: dot.sequence, branch: dot.branch, blob: blob, added: added, isHeld: isHeld)
        if tables[dot.replica, default: Table()].mentions.insert(mention) { tables[dot.replica]!.told = nil }
    }

    /// An add was withdrawn. Whoever has not heard of that asks by it still.
    mutating func withdraw(_ dot: Dot) {
        guard let place = tables[dot.replica]?.mentions.place(of: dot) else { return }
        tables[dot.replica]!.mentions[place].added = nil
    }

    /// A blob came to be held, or is no longer.
    mutating func set(_ dots: [Dot], isHeld: Bool) {
        for dot in dots {
            guard let place = tables[dot.replica]?.mentions.place(of: dot) else { continue }
            tables[dot.replica]!.mentions[place].isHeld = isHeld
            tables[dot.replica]!.told = nil
        }
    }

    /// Takes note of blobs that are about to be told of.
    mutating func count(_ blobs: [BlobID], limits: EngineLimits) {
        counter += UInt64(blobs.count)
        changed.append(contentsOf: blobs)
        if changed.count > limits.presenceChangeCountMax {
            changed.removeFirst(changed.count - limits.presenceChangeCountMax)
        }
    }

    // MARK: Questions

    /// How many changes are kept for peers that come back.
    var keptChangeCount: Int { changed.count }

    /// Whether a photo is one of many that its laptop added one after the other: it followed the last of them about as
    /// soon as they followed each other.
    func isImported(_ dot: Dot, limits: EngineLimits) -> Bool {
        guard let mentions = tables[dot.replica]?.mentions, let own = mentions.place(of: dot),
            let time = mentions[own].added
        else { return false }
        var last: ClockReading?
        var earlierCount = 0
        var next = mentions.place(before: own)
        // Of each photo there are an add and facts; more between says that nothing was imported.
        for _ in 0..<4 * limits.importCountMin {
            guard let place = next else { return false }
            next = mentions.place(before: place)
            guard let earlier = mentions[place].added else { continue }
            last = last ?? earlier
            earlierCount += 1
            guard earlierCount == limits.importCountMin else { continue }
            let span = time.seconds(since: earlier)
            return span <= limits.importSeconds
                && time.seconds(since: last!) <= max(limits.importGapMin, 4 * span / Double(limits.importCountMin))
        }
        return false
    }

    /// Whether what a device says that it holds names anything that is known here.
    func names(_ presence: Presence, in catalog: Catalog) -> Bool {
        presence.branches.contains { tables[$0.replica]?.mentions.names($0.runs) ?? false }
            || presence.others.contains { catalog.contains($0) }
    }

    // MARK: What is told

    /// Blobs that came or went after `counter`, in that order, and again for each time; `nil` where that is too long ago.
    func changes(since counter: UInt64) -> [BlobID]? {
        guard counter <= self.counter, self.counter - counter <= UInt64(changed.count) else { return nil }
        return Array(changed.suffix(Int(self.counter - counter)))
    }

    /// Everything that is held, branch by branch. What others scatter over so many runs that they do not fit into a summary
    /// is left out: those that tell least in their room.
    mutating func whole(_ log: BatchLog, limits: EngineLimits = EngineLimits()) -> Presence {
        var told: [Told] = []
        for replica in tables.keys {
            let heads = log.heads(of: replica)
            if heads.count == 1 {
                var one = tables[replica]!.told ?? Self.told(replica, heads[0], tables[replica]!.mentions.all)
                one.branch.head = heads[0]
                tables[replica]!.told = one
                told.append(one)
                continue
            }
            // No more branches are told of in vectors, either.
            for head in heads.suffix(WireLimits.headCountMax) {
                guard let line = log.line(to: head, of: replica) else { continue }
                let mentions = tables[replica]!.mentions.all.lazy.filter { line.contains($0.sequence, $0.branch) }
                told.append(Self.told(replica, head, mentions))
            }
        }
        told.removeAll { $0.branch.runs.isEmpty }
        var room = limits.toldPresenceByteCountMax
        guard told.reduce(0, { $0 + $1.branch.byteCount }) > room else { return Presence(branches: told.map(\.branch)) }
        let densities = told.map(\.density)
        let order = told.indices.sorted { left, right in
            densities[left] != densities[right]
                ? densities[left] > densities[right] : told[left].branch < told[right].branch
        }
        return Presence(branches: order.compactMap { told[$0].branch.taken(from: &room) })
    }

    /// Runs of changes whose blobs are all held; numbers of other changes may lie between them.
    private static func told(_ replica: ReplicaID, _ head: Head, _ mentions: some Sequence<BlobMention>) -> Told {
        var told = Told(branch: Presence.Branch(replica: replica, head: head, runs: []))
        var runs: [ClosedRange<UInt64>] = []
        var continues = false
        let bridges = PlantedFault.isPlanted(.runsBridgeWithdrawnAdds)
        for mention in mentions where mention.isHeld || mention.added != nil || !bridges {
            if mention.isHeld, continues {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound...mention.sequence
            } else if mention.isHeld {
                runs.append(mention.sequence...mention.sequence)
            }
            if mention.isHeld { told.mentionCount += 1 }
            continues = mention.isHeld
        }
        told.branch.runs = runs
        return told
    }
}
