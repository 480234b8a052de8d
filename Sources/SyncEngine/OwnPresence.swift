import AlbumModel
import DequeModule
import WireFormat

/// Which of the photos that this device knows it holds, kept ready to be told.
struct OwnPresence: Sendable {
    private struct Add: Sendable {
        var sequence: UInt64
        var branch: UInt64
        var blob: BlobID
        var isHeld: Bool
    }

    /// The live adds of one replica.
    private struct Table: Sendable {
        /// In the order of their numbers.
        var adds: [Add] = []
        /// Made when asked for, and kept until something changes.
        var runs: [ClosedRange<UInt64>]?

        func place(of sequence: UInt64, _ branch: UInt64) -> Int {
            // Mostly the newest comes last.
            guard let last = adds.last, (last.sequence, last.branch) >= (sequence, branch) else { return adds.count }
            var low = 0
            var high = adds.count
            while low < high {
                let middle = (low + high) / 2
                if (adds[middle].sequence, adds[middle].branch) < (sequence, branch) {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            return low
        }

        func index(of dot: Dot) -> Int? {
            let place = place(of: dot.sequence, dot.branch)
            guard place < adds.count, adds[place].sequence == dot.sequence, adds[place].branch == dot.branch else {
                return nil
            }
            return place
        }
    }

    private var tables: [ReplicaID: Table] = [:]
    /// The latest blobs that came or went, the last of them as number ``counter``.
    private var changed: Deque<BlobID> = []
    /// Counts the changes that were told in this run.
    private(set) var counter: UInt64 = 0

    init() {}

    init(of catalog: Catalog, isHeld: (BlobID) -> Bool) {
        var adds: [ReplicaID: [Add]] = [:]
        for album in catalog.albums.values {
            for (blob, photo) in album.livePhotos {
                let isHeld = isHeld(blob)
                for add in photo.adds {
                    adds[add.dot.replica, default: []].append(
                        Add(sequence: add.dot.sequence, branch: add.dot.branch, blob: blob, isHeld: isHeld))
                }
            }
        }
        tables = adds.mapValues { adds in
            Table(adds: adds.sorted { ($0.sequence, $0.branch) < ($1.sequence, $1.branch) })
        }
    }

    // MARK: What changes

    /// A photo came to be live by this add.
    mutating func insert(_ dot: Dot, _ blob: BlobID, isHeld: Bool) {
        var table = tables.removeValue(forKey: dot.replica) ?? Table()
        if table.index(of: dot) == nil {
            table.adds.insert(
                Add(sequence: dot.sequence, branch: dot.branch, blob: blob, isHeld: isHeld),
                at: table.place(of: dot.sequence, dot.branch))
            table.runs = nil
        }
        tables[dot.replica] = table
    }

    /// An add was withdrawn.
    mutating func remove(_ dot: Dot) {
        guard let index = tables[dot.replica]?.index(of: dot) else { return }
        tables[dot.replica]!.adds.remove(at: index)
        tables[dot.replica]!.runs = nil
    }

    /// A blob came to be held, or is no longer.
    mutating func set(_ adds: [Photo.Add], isHeld: Bool) {
        for add in adds {
            guard let index = tables[add.dot.replica]?.index(of: add.dot) else { continue }
            tables[add.dot.replica]!.adds[index].isHeld = isHeld
            tables[add.dot.replica]!.runs = nil
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

    // MARK: What is told

    /// Blobs that came or went after `counter`, each once; `nil` where that is too long ago.
    func changes(since counter: UInt64) -> [BlobID]? {
        guard counter <= self.counter, self.counter - counter <= UInt64(changed.count) else { return nil }
        return Set(changed.suffix(Int(self.counter - counter))).sorted()
    }

    /// Everything that is held.
    mutating func whole(_ log: BatchLog) -> Presence {
        var presence = Presence()
        for replica in tables.keys {
            if log.isForked(replica) {
                presence.others.formUnion(tables[replica]!.adds.lazy.filter(\.isHeld).map(\.blob))
                continue
            }
            let runs = tables[replica]!.runs ?? Self.runs(tables[replica]!.adds)
            tables[replica]!.runs = runs
            if !runs.isEmpty { presence.runs[replica] = runs }
        }
        return presence
    }

    /// Runs of adds that are all held; numbers of other changes may lie between them.
    private static func runs(_ adds: [Add]) -> [ClosedRange<UInt64>] {
        var runs: [ClosedRange<UInt64>] = []
        var continues = false
        for add in adds {
            if add.isHeld, continues {
                runs[runs.count - 1] = runs[runs.count - 1].lowerBound...add.sequence
            } else if add.isHeld {
                runs.append(add.sequence...add.sequence)
            }
            continues = add.isHeld
        }
        return runs
    }
}
