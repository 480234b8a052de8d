import AlbumModel

/// What an acceptor says first: its nonce, what it knows of its newest epoch, and the tags of the epochs whose phrases it
/// has, the newest first.
struct AdmissionOffer {
    private typealias Sizes = AdmissionSizes

    let nonce: [UInt8]
    let knowledge: HeldEpochs.Knowledge
    /// Never empty.
    let tags: [[UInt8]]

    init(nonce: [UInt8], _ held: HeldEpochs) {
        (self.nonce, knowledge, tags) = (nonce, held.knowledge, held.shownTags)
    }

    /// `nil` for what is not of the form.
    init?(_ payload: [UInt8]) {
        var rest = payload[...]
        nonce = rest.take(Sizes.nonceByteCount)
        guard let knowledge = rest.takeKnowledge(), !rest.isEmpty, rest.count.isMultiple(of: Sizes.tagByteCount),
            rest.count <= HeldEpochs.shownCountMax * Sizes.tagByteCount
        else { return nil }
        self.knowledge = knowledge
        var tags: [[UInt8]] = []
        while !rest.isEmpty { tags.append(rest.take(Sizes.tagByteCount)) }
        self.tags = tags
    }

    var bytes: [UInt8] { nonce + [knowledge.rawValue] + tags.joined() }
}

/// What a dialler answers: the tag of the epoch that its proof is under and of its newest one, what it knows of that, its
/// nonce, its proof, and words by which it goes on from other devices.
struct AdmissionClaim {
    private typealias Sizes = AdmissionSizes

    let tag: [UInt8]
    let newest: HeldEpochs.Newest
    let nonce: [UInt8]
    var proof: [UInt8]
    /// Each 171 bytes: the former key, 16 random bytes, the former key's signature. This version sends none and looks at
    /// none; later ones may.
    let successions: [UInt8]

    init(tag: [UInt8], newest: HeldEpochs.Newest, nonce: [UInt8]) {
        (self.tag, self.newest, self.nonce) = (tag, newest, nonce)
        (proof, successions) = ([], [])
    }

    /// `nil` for what is not of the form.
    init?(_ payload: [UInt8]) {
        var rest = payload[...]
        tag = rest.take(Sizes.tagByteCount)
        let newestTag = rest.take(Sizes.tagByteCount)
        guard let knowledge = rest.takeKnowledge() else { return nil }
        newest = HeldEpochs.Newest(tag: newestTag, knowledge)
        nonce = rest.take(Sizes.nonceByteCount)
        proof = rest.take(Sizes.proofByteCount)
        successions = Array(rest)
        guard proof.count == Sizes.proofByteCount, successions.count.isMultiple(of: Sizes.successionByteCount),
            successions.count <= Sizes.successionCountMax * Sizes.successionByteCount
        else { return nil }
    }

    private var beforeProof: [UInt8] { tag + newest.tag + [newest.knowledge.rawValue] + nonce }

    /// What the proof covers of this frame.
    var covered: [UInt8] { beforeProof + successions }

    var bytes: [UInt8] { beforeProof + proof + successions }
}

extension ArraySlice<UInt8> {
    /// Takes so many bytes off the front, or all where there are fewer.
    fileprivate mutating func take(_ byteCount: Int) -> [UInt8] {
        defer { self = dropFirst(byteCount) }
        return Array(prefix(byteCount))
    }

    /// Takes one byte; `nil` for one that means nothing, or at the end.
    fileprivate mutating func takeKnowledge() -> HeldEpochs.Knowledge? {
        popFirst().flatMap(HeldEpochs.Knowledge.init(rawValue:))
    }
}
