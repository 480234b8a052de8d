import AlbumModel

extension Want {
    /// Where a want stands between being learned of and being durable here: exactly one of these.
    ///
    /// Transitions: parked → queued → active → committing → gone; blobs of one piece skip committing. From queued also to
    /// parked, resting and suspended, where nothing can come of it now; from active back to each of them; from committing
    /// to queued and resting, when it failed. Parked, resting and suspended lead back to queued. The store's answers may be
    /// late and concern an earlier want for the same blob: a failed write lets it rest wherever it is.
    enum Place: Hashable, Sendable {
        /// No connected peer has anything of it that is not here, until one says otherwise. So it begins: a laptop that
        /// joins learns of 100,000 photos before it learns who has them.
        case parked
        /// Waits for room in the working set.
        case queued
        /// Waits for a time; `nil` where only news ends it.
        case resting(Rest, until: MonotonicInstant?)
        /// The terms do not allow it now (``PullTerms``).
        case suspended
        /// In the working set.
        case active(Step)
        /// All pieces are here, and the store makes the blob durable under its name.
        case committing
    }

    /// What a want of the working set waits for. Transitions: needsList → opening → receiving; blobs of one piece skip
    /// the first two.
    enum Step: Hashable, Sendable {
        case needsList(asked: ListRequest?)
        case opening
        case receiving
    }

    enum Rest: Hashable, Sendable {
        /// All who have some of it did not answer, or sent what is wrong; ends early when another one has some.
        case unanswered
        /// The disk refused it; a sentence that says why. While the disk refuses all, it waits until all others were
        /// tried.
        case unwritten(String)
        /// Every contributor's description of it turned out wrong; ends early with another description.
        case rejected
    }

    struct ListRequest: Hashable, Sendable {
        var link: LinkID
        var since: MonotonicInstant
    }

    var isActive: Bool { step != nil }

    var isReceiving: Bool { step == .receiving }

    /// Its file in staging is open: what comes whole has none.
    var isStaging: Bool { isReceiving && pieceCount > 1 }

    var needsList: Bool { if case .needsList = step { true } else { false } }

    /// The question for the list that is not answered.
    var listRequest: ListRequest? { if case .needsList(let asked) = step { asked } else { nil } }

    /// `nil` outside of the working set.
    var step: Step? { if case .active(let step) = place { step } else { nil } }

    /// `nil` where it does not rest.
    var rest: Rest? { if case .resting(let rest, _) = place { rest } else { nil } }

    /// When its rest ends; `nil` where it does not rest, or only news ends that.
    var wakesAt: MonotonicInstant? { if case .resting(_, let end) = place { end } else { nil } }

    /// News of who has some of it puts it back into the queue.
    var isWokenByHolders: Bool { place == .parked || rest == .unanswered }
}
