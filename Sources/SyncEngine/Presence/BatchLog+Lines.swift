import AlbumModel

extension BatchLog {
    /// The batches at or before a head, on the branch that ends there: what a run of presence can speak of.
    struct Line: Sendable {
        /// The head's sequence number.
        let last: UInt64
        /// `nil` for a replica that did not fork, where the number tells.
        private let chain: Chain?
        /// Of the batch that ends at the head.
        private let index: Int

        init(last: UInt64) {
            self.last = last
            chain = nil
            index = 0
        }

        init(of chain: Chain, to index: Int) {
            last = chain.links[index].last
            self.chain = chain.isForked ? chain : nil
            self.index = index
        }

        /// Whether numbers alone tell what is on it.
        var isOnlyOne: Bool { chain == nil }

        /// - Parameters: those of a change that is known here.
        func contains(_ sequence: UInt64, _ branch: UInt64) -> Bool {
            guard sequence <= last else { return false }
            guard let chain else { return true }
            return chain.index(of: sequence, before: index).map { chain.links[$0].id.prefix == branch } ?? false
        }
    }

    /// - Returns: `nil` where the head is not known here: nobody can tell what lies before it.
    func line(to head: Head, of replica: ReplicaID) -> Line? {
        if PlantedFault.isPlanted(.runsIgnoreBranches) { return Line(last: head.sequence) }
        guard let chain = chains[replica], let index = chain.index(of: head) else { return nil }
        return Line(of: chain, to: index)
    }
}
