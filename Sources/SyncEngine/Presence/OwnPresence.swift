import AlbumModel
import DequeModule
import WireFormat

/// Which of the photos and thumbnails that this device knows it holds, kept ready to be told.
struct OwnPresence: Sendable {
    /// A change that names a blob: an add, withdrawn or not, or facts with a thumbnail.
    private struct Mention: Sendable {
        var sequence: UInt64
        var branch: UInt64
        var blob: BlobID
        /// When the photo was added; `nil` for facts, and for an add that was withdrawn.
        var added: ClockReading?
        var isHeld: Bool
    }

    /// Those of one replica.
    private struct Table: Sendable {
        /// In the order of their numbers.
        var mentions: [Mention] = []
        /// Of a replica that did not fork: made when asked for, and kept until something changes.
        var runs: [ClosedRange<UInt64>]?

        func place(of sequence: UInt64, _ branch: UInt64) -> Int {
            // Mostly the newest comes last.
            guard let last = mentions.last, (last.sequence, last.branch) >= (sequence, branch) else {
                return mentions.count
            }
            var low = 0
            var high = mentions.count
            while low < high {
                let middle = (low + high) / 2
                if (mentions[middle].sequence, mentions[middle].branch) < (sequence, branch) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        func index(of dot: Dot) -> Int? {
            let place = place(of: dot.sequence, dot.branch)
            return isThere(dot.sequence, dot.branch, at: place) ? place : nil
        }

        mutating func insert(_ mention: Mention) {
            let place = place(of: mention.sequence, mention.branch)
            guard !isThere(mention.sequence, mention.branch, at: place) else { return }
            mentions.insert(mention, at: place)
            runs = nil
        }

        private func isThere(_ sequence: UInt64, _ branch: UInt64, at place: Int) -> Bool {
            place < mentions.count && (mentions[place].sequence, mentions[place].branch) == (sequence, branch)
        }
    }

    private var tables: [ReplicaID: Table] = [:]
    /// The latest blobs that came or went, the last of them as number ``counter``.
    private var changed: Deque<BlobID> = []
    /// Counts the changes that were told in this run.
    private(set) var counter: UInt64 = 0

    init() {}

    init(of catalog: Catalog, isHeld: (BlobID) -> Bool) {
        var mentions: [ReplicaID: [Mention]] = [:]
        func mention(_ dot: Dot, _ blob: BlobID, _ added: ClockReading?, _ isHeld: Bool) {
            mentions[dot.replica, default: []].append(
                Mention(sequence: dot.sequence, branch: dot.branch, blob: blob, added: added, isHeld: isHeld))
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
            Table(mentions: mentions.sorted { ($0.sequence, $0.branch) < ($1.sequence, $1.branch) })
        }
    }

    // MARK: What changes

    /// A blob came to be named by this change.
    ///
    /// - Parameter added: when, if it is an add.
    mutating func insert(_ dot: Dot, _ blob: BlobID, added: ClockReading?, isHeld: Bool) {
        tables[dot.replica, default: Table()].insert(
            Mention(sequence: dot.sequence, branch: dot.branch, blob: blob, added: added, isHeld: isHeld))
    }

    /// An add was withdrawn. Whoever has not heard of that asks by it still.
    mutating func withdraw(_ dot: Dot) {
        guard let index = tables[dot.replica]?.index(of: dot) else { return }
        tables[dot.replica]!.mentions[index].added = nil
    }

    /// A blob came to be held, or is no longer.
    mutating func set(_ dots: [Dot], isHeld: Bool) {
        for dot in dots {
            guard let index = tables[dot.replica]?.index(of: dot) else { continue }
            tables[dot.replica]!.mentions[index].isHeld = isHeld
            tables[dot.replica]!.runs = nil
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
        guard let table = tables[dot.replica], let index = table.index(of: dot), let time = table.mentions[index].added
        else { return false }
        var last: ClockReading?
        var earlierCount = 0
        for place in stride(from: index - 1, through: 0, by: -1) {
            guard let earlier = table.mentions[place].added else { continue }
            last = last ?? earlier
            earlierCount += 1
            guard earlierCount == limits.importCountMin else { continue }
            let span = time.seconds(since: earlier)
            return span <= limits.importSeconds
                && time.seconds(since: last!) <= max(limits.importGapMin, 4 * span / Double(limits.importCountMin))
        }
        return false
    }

    // MARK: What is told

    /// Blobs that came or went after `counter`, in that order, and again for each time; `nil` where that is too long ago.
    func changes(since counter: UInt64) -> [BlobID]? {
        guard counter <= self.counter, self.counter - counter <= UInt64(changed.count) else { return nil }
        return Array(changed.suffix(Int(self.counter - counter)))
    }

    /// Everything that is held, branch by branch.
    mutating func whole(_ log: BatchLog) -> Presence {
        var presence = Presence()
        for replica in tables.keys {
            let heads = log.heads(of: replica)
            if heads.count == 1 {
                let runs = tables[replica]!.runs ?? Self.runs(tables[replica]!.mentions)
                tables[replica]!.runs = runs
                if !runs.isEmpty { presence.branches.append(.init(replica: replica, head: heads[0], runs: runs)) }
                continue
            }
            for head in heads {
                guard let line = log.line(to: head, of: replica) else { continue }
                let mentions = tables[replica]!.mentions.filter {
                    line.contains(Dot(replica: replica, sequence: $0.sequence, branch: $0.branch))
                }
                let runs = Self.runs(mentions)
                if !runs.isEmpty { presence.branches.append(.init(replica: replica, head: head, runs: runs)) }
            }
        }
        return presence
    }

    /// Runs of changes whose blobs are all held; numbers of other changes may lie between them.
    private static func runs(_ mentions: some Sequence<Mention>) -> [ClosedRange<UInt64>] {
        var runs: [ClosedRange<UInt64>] = []
        var continues = false
        let bridges = PlantedFault.isPlanted(.runsBridgeWithdrawnAdds)
        for mention in mentions where mention.isHeld || mention.added != nil || !bridges {
            if mention.isHeld, continues {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound...mention.sequence
            } else if mention.isHeld {
                runs.append(mention.sequence...mention.sequence)
            }
            continues = mention.isHeld
        }
        return runs
    }
}
