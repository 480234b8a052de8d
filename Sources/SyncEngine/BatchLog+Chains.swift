import AlbumModel

extension BatchLog {
    /// One batch's place in its replica's chain. Narrow numbers: there may be a million of them.
    struct Link: Sendable {
        var id: BatchID
        var last: UInt64
        /// Content and signature, as they count in a page.
        var byteCount: Int32
        /// How many batches of all replicas were known with this one: those that came later have greater numbers.
        var number: Int32
        /// Index of the previous batch in the replica's `links`; -1 for the first.
        var previous: Int32
        /// Index of some batch before it, itself for the first: with these any batch before it is found in a logarithm of
        /// steps (Myers, "An applicative random-access stack", 1983).
        var jump: Int32
        /// How many batches are before it.
        var depth: Int32

        var reference: Reference { Reference(id: id, byteCount: Int(byteCount)) }

        var end: Head { Head(sequence: last, branch: id.prefix) }
    }

    /// A stored batch that is to be sent.
    struct Reference: Hashable, Sendable {
        var id: BatchID
        var byteCount: Int
    }

    /// All branches of one replica, each batch after the one that it follows. No step takes more than the logarithm of
    /// their number: a member may fork its replicas without end.
    struct Chain: Sendable {
        let publicKey: [UInt8]
        let author: DeviceID
        private(set) var links: [Link] = []
        private(set) var indexOfBatch: [BatchID: Int] = [:]
        /// Indexes of the batches that nothing follows; empty while there is one, which is the last then.
        private var branchEnds: Set<Int> = []
        /// Of a forked replica, which batch ends where: the first of those that cannot be told apart.
        private var indexOfEnd: [Head: Int] = [:]

        init(publicKey: [UInt8], author: DeviceID) {
            self.publicKey = publicKey
            self.author = author
        }

        var isForked: Bool { !branchEnds.isEmpty }

        /// Indexes of the batches that nothing follows, ordered.
        var heads: [Int] { isForked ? branchEnds.sorted() : links.isEmpty ? [] : [links.count - 1] }

        var ends: [Head] { isForked ? branchEnds.map { links[$0].end } : links.last.map { [$0.end] } ?? [] }

        mutating func append(_ id: BatchID, after previous: BatchID?, last: UInt64, byteCount: Int, number: Int) {
            let previous = previous.flatMap { indexOfBatch[$0] } ?? -1
            let index = links.count
            var link = Link(
                id: id, last: last, byteCount: Int32(clamping: byteCount), number: Int32(clamping: number),
                previous: Int32(previous), jump: Int32(index), depth: 0)
            if previous >= 0 {
                let before = links[previous]
                let jump = links[Int(before.jump)]
                let isEven = before.depth - jump.depth == jump.depth - links[Int(jump.jump)].depth
                link.jump = isEven ? jump.jump : Int32(previous)
                link.depth = before.depth + 1
            }
            if isForked {
                branchEnds.remove(previous)
                branchEnds.insert(index)
            } else if previous != index - 1 {
                branchEnds = [index - 1, index]
                for (place, known) in links.enumerated() where indexOfEnd[known.end] == nil {
                    indexOfEnd[known.end] = place
                }
            }
            if isForked, indexOfEnd[link.end] == nil { indexOfEnd[link.end] = index }
            links.append(link)
            indexOfBatch[id] = index
        }

        /// The index of the batch that ends at `head`.
        func index(of head: Head) -> Int? {
            if isForked { return indexOfEnd[head] }
            // Without forks the links are in the order of their sequence numbers.
            var low = 0
            var high = links.count
            while low < high {
                let middle = (low + high) / 2
                if links[middle].last < head.sequence { low = middle + 1 } else { high = middle }
            }
            return low < links.count && links[low].end == head ? low : nil
        }

        /// The batch that has the change of this number on the branch that ends at `index`; `nil` where that branch ends
        /// before it.
        func index(of sequence: UInt64, before index: Int) -> Int? {
            guard links[index].last >= sequence else { return nil }
            var place = index
            while true {
                let previous = Int(links[place].previous)
                guard previous >= 0, links[previous].last >= sequence else { return place }
                let jump = Int(links[place].jump)
                place = links[jump].last >= sequence ? jump : previous
            }
        }

        /// Whether everything is at or before one of these.
        func isCovered(by known: [Int]) -> Bool {
            isForked ? branchEnds.isSubset(of: known) : (known.max() ?? -1) == links.count - 1
        }

        /// Which links are at or before one of these.
        func marks(_ known: [Int]) -> [Bool] {
            var isKnown = [Bool](repeating: false, count: links.count)
            for start in known {
                var index = start
                while index >= 0, !isKnown[index] {
                    isKnown[index] = true
                    index = Int(links[index].previous)
                }
            }
            return isKnown
        }
    }
}
