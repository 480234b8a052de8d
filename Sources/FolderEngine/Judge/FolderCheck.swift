package import AlbumModel

/// A question whether files are there still, or as they were found, asked of all of them together.
package struct FolderCheck: Sendable {
    package enum Reason: Sendable {
        /// They may be gone; with whether an event told so of each.
        case vanished([FolderPath: Bool])
        /// They held the bytes of a photo that was found elsewhere.
        case sources(TakenPhoto, CandidateBook.Job)
        /// The one file of its album that looks to be a found file, of this signature, under another name.
        case otherName(CandidateBook.Job, FileSignature, PhotoKey)
        /// They are a found photo's other files in its album.
        case copies(TakenPhoto, CandidateBook.Job, PhotoKey, PhotoStanding)
        /// They wait to be judged.
        case pending([FolderPath: PendingChanges.Now])
    }

    /// What was seen of them.
    package struct Answer: Sendable {
        package var sights: [FolderPath: PendingChanges.Sight]
        /// What is wrong with the marker. **Must** be asked for last: a disk that went away while files were looked at
        /// took its marker along.
        package var complaint: String?
        /// The known mounts that are not there.
        package var away: Set<FolderPath>

        package init(sights: [FolderPath: PendingChanges.Sight], complaint: String?, away: Set<FolderPath>) {
            self.sights = sights
            self.complaint = complaint
            self.away = away
        }

        package static let none = Answer(sights: [:], complaint: nil, away: [])

        func paths(_ sight: PendingChanges.Sight) -> [FolderPath] {
            sights.filter { $0.value == sight }.keys.sorted()
        }

        /// Those that are certainly not there. Without an answer about the folder itself, none is.
        var absent: [FolderPath] { complaint == nil ? paths(.absent) : [] }
    }

    package let reason: Reason
    /// Ordered.
    package let paths: [FolderPath]
    /// Those of which the signature is asked for as well.
    package let compared: Set<FolderPath>
    /// What waited at them to be judged when they were asked for.
    let waiting: [FolderPath: PendingChanges.Now]

    /// The look that it belongs to, if to any.
    var job: CandidateBook.Job? {
        switch reason {
        case .sources(_, let job), .otherName(let job, _, _), .copies(_, let job, _, _): job
        case .vanished, .pending: nil
        }
    }

    init(
        _ reason: Reason, _ paths: some Collection<FolderPath>, compared: Set<FolderPath> = [],
        waiting: [FolderPath: PendingChanges.Now] = [:]
    ) {
        self.reason = reason
        self.paths = paths.sorted()
        self.compared = compared
        self.waiting = waiting
    }
}
