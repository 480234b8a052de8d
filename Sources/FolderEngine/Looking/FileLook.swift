package import AlbumModel

/// What stands at a path, before anything of it is read.
package struct FileLook: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        case file
        case directory
        /// A symbolic link, whatever it leads to.
        case link
        case other
    }

    package var kind: Kind
    package var signature: FileSignature
    /// What is wrong with the marker. **Must** be asked for behind the path.
    package var complaint: String?
    /// The known mount over the path that is not there: the path is in its bare directory.
    package var away: FolderPath?

    package init(kind: Kind, signature: FileSignature, complaint: String?, away: FolderPath?) {
        self.kind = kind
        self.signature = signature
        self.complaint = complaint
        self.away = away
    }
}

/// Why a question about a file has no answer.
package enum LookError: Error, Hashable, Sendable {
    case absent
    /// It is another file than the one that was asked about, or changed while it was read.
    case changed
    /// Why this program may not read it; completes "it is skipped: …".
    case unreadable(String)
    /// Why the disk or the store failed, as a sentence.
    case failed(String)

    /// Something may be there of which nothing is known.
    var isUnanswered: Bool {
        switch self {
        case .absent, .changed: false
        case .unreadable, .failed: true
        }
    }
}

/// A question whether a file has the bytes of a photo.
package struct FileComparison: Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// It is the photo's own file, whose size and time are as they were.
        case damage
        /// The photo's known file of the album, which looks to be this one under another name.
        case otherName(FolderPath)
    }

    package enum Answer: Hashable, Sendable {
        /// With the signature of the file that was read.
        case same(FileSignature)
        /// With the path's signature behind the comparison.
        case other(FileSignature)
        /// The store does not have the photo.
        case blobAbsent
    }

    package let reason: Reason
    package let job: CandidateBook.Job
    /// The file's, when it was looked at.
    package let signature: FileSignature
    package let photo: PhotoKey

    package init(_ reason: Reason, _ job: CandidateBook.Job, signature: FileSignature, photo: PhotoKey) {
        self.reason = reason
        self.job = job
        self.signature = signature
        self.photo = photo
    }
}

/// What a file's bytes say at a glance, and who writes them.
package struct FileExamination: Hashable, Sendable {
    package var content: MediaContent
    package var observation: CandidateBook.Observation

    package init(content: MediaContent, observation: CandidateBook.Observation) {
        self.content = content
        self.observation = observation
    }
}

/// A file whose bytes are to come into the blob store.
package struct FileImport: Hashable, Sendable {
    package let job: CandidateBook.Job
    /// Another file than this **must not** be taken.
    package let signature: FileSignature
    package let type: MediaType
    package let isShort: Bool
}
