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
            self.chain = chain
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
        // In its place, so that nothing of it is copied: a million of these are asked for at once.
        guard let place = chains.index(forKey: replica), let index = chains.values[place].index(of: head) else {
            return nil
        }
        let isForked = chains.values[place].isForked
        return isForked ? Line(of: chains.values[place], to: index) : Line(last: chains.values[place].links[index].last)
    }
}
