/// The epochs whose secrets a device holds, as it shows them to whoever connects. A value without I/O.
public struct HeldEpochs: Hashable, Sendable {
    /// Tags that are shown: older epochs' are left out.
    public static let shownCountMax = 256

    public struct Epoch: Hashable, Sendable {
        /// The ruling that began it; `nil` where that is not known: nobody is known to have founded the gathering, or a
        /// person typed the phrase and no other laptop was met since.
        public let ruling: RulingID?
        /// What is shown of its phrase.
        public let tag: [UInt8]

        public init(ruling: RulingID?, tag: [UInt8]) {
            self.ruling = ruling
            self.tag = tag
        }
    }

    /// What a device knows of its newest phrase. The values are those on the wire.
    public enum Knowledge: UInt8, Hashable, Sendable {
        /// That a person typed it; no founding is known.
        case phraseAlone = 0
        /// The ruling that began its epoch.
        case ruling = 1
        /// That a person typed it; a founding is known, and no ruling that begins its epoch.
        case typed = 2
    }

    /// What a device says of its newest epoch.
    public struct Newest: Hashable, Sendable {
        public let tag: [UInt8]
        public var knowledge: Knowledge

        public init(tag: [UInt8], _ knowledge: Knowledge) {
            self.tag = tag
            self.knowledge = knowledge
        }
    }

    /// What two devices found out about each other's epochs before either proved anything.
    public struct Meeting: Hashable, Sendable {
        /// Under whose keys both prove themselves.
        public let common: Epoch
        /// The common epoch is the newest one of both, and both know equally much of it.
        public let areLevel: Bool

        public init(common: Epoch, areLevel: Bool) {
            self.common = common
            self.areLevel = areLevel
        }
    }

    /// Newest first, at least one. A phrase that a person typed and of which no ruling is known goes first.
    public let epochs: [Epoch]
    /// Of the newest epoch.
    public let knowledge: Knowledge

    public init(_ epochs: [Epoch], _ knowledge: Knowledge) {
        precondition(!epochs.isEmpty, "a device holds the epoch that it entered in")
        self.epochs = epochs
        self.knowledge = knowledge
    }

    /// Tags, newest first.
    public var shownTags: [[UInt8]] { epochs.prefix(Self.shownCountMax).map(\.tag) }

    /// As the dialler finds it from what the acceptor shows. Where no tag is common it proves itself under its own newest
    /// epoch, which the acceptor takes for a wrong proof.
    ///
    /// A phrase that was typed by a person who may have mistyped it, or been told a wrong one, counts only with a device
    /// that knows more of it, or no other: with everybody else it is as if it had not been typed.
    ///
    /// - Parameters:
    ///   - tags: the acceptor's, newest first; at least one.
    ///   - knowledge: the acceptor's, of the first of them.
    /// - Returns: also what the dialler is to say of its newest epoch.
    public func meeting(tags: [[UInt8]], _ knowledge: Knowledge) -> (Meeting, own: Newest) {
        let newest = tags.first ?? []
        let isTypedByBoth = self.knowledge == .typed && knowledge == .typed && newest == epochs[0].tag
        let own = isTypedByBoth || !tags.contains(epochs[0].tag) ? withoutTyped : self
        var (theirs, theirKnowledge) = (tags[...], knowledge)
        if knowledge == .typed, tags.count > 1, isTypedByBoth || !epochs.contains(where: { $0.tag == newest }) {
            (theirs, theirKnowledge) = (theirs.dropFirst(), .ruling)
        }
        let shown = Set(theirs)
        let common = own.epochs.first { shown.contains($0.tag) } ?? own.epochs[0]
        let peer = Newest(tag: theirs.first ?? [], theirKnowledge)
        return (own.meeting(common, peer), Newest(tag: own.epochs[0].tag, own.knowledge))
    }

    /// As the acceptor finds it from what the dialler shows.
    ///
    /// - Parameters:
    ///   - common: the tag under which the dialler proves itself.
    ///   - newest: what it says of its newest epoch.
    /// - Returns: `nil` if that epoch is not held here: whatever is proved under it is wrong.
    public func meeting(common: [UInt8], newest: Newest) -> Meeting? {
        guard let epoch = epochs.first(where: { $0.tag == common }) else { return nil }
        return (common == epochs[0].tag ? self : withoutTyped).meeting(epoch, newest)
    }

    /// As if no phrase had been typed.
    private var withoutTyped: HeldEpochs {
        guard knowledge == .typed, epochs.count > 1 else { return self }
        return HeldEpochs(Array(epochs.dropFirst()), .ruling)
    }

    private func meeting(_ common: Epoch, _ newest: Newest) -> Meeting {
        let areNewest = common.tag == epochs[0].tag && common.tag == newest.tag
        return Meeting(common: common, areLevel: areNewest && knowledge == newest.knowledge)
    }
}
