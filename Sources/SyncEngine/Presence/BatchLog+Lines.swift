import AlbumModel

extension BatchLog {
    /// The batches at or before a head, on the branch that ends there: what a run of presence can speak of.
    struct Line: Sendable {
        /// The head's sequence number.
        let last: UInt64
        /// ``BatchID/prefix`` of each batch; `nil` for a replica that did not fork, where the number tells.
        let branches: Set<UInt64>?

        /// - Parameter dot: a change that is known here.
        func contains(_ dot: Dot) -> Bool { dot.sequence <= last && (branches?.contains(dot.branch) ?? true) }
    }

    /// - Returns: `nil` where the head is not known here: nobody can tell what lies before it.
    func line(to head: Head, of replica: ReplicaID) -> Line? {
        if PlantedFault.isPlanted(.runsIgnoreBranches) { return Line(last: head.sequence, branches: nil) }
        guard let chain = chains[replica] else { return nil }
        if !chain.isForked {
            let end = chain.links[chain.heads[0]]
            let isEnd = end.last == head.sequence && end.id.prefix == head.branch
            return isEnd || chain.index(of: head) != nil ? Line(last: head.sequence, branches: nil) : nil
        }
        guard var index = chain.index(of: head) else { return nil }
        var branches: Set<UInt64> = []
        while index >= 0 {
            branches.insert(chain.links[index].id.prefix)
            index = chain.links[index].previous
        }
        return Line(last: head.sequence, branches: branches)
    }
}
