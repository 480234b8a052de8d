/// What a look at a file shows right before this program takes it out of the folder.
package enum LeavingFile: Hashable, Sendable {
    /// There is none, for sure.
    case absent
    /// Nobody can tell whether there is one.
    case unknown
    /// Something else than a file has its name.
    case notFile
    /// - Parameter holdsPhoto: whether its bytes are those of its record's photo.
    case file(FileSignature, CandidateBook.Observation.Writer, holdsPhoto: Bool)

    /// What is to be done with it.
    package enum Verdict: Hashable, Sendable {
        case gone
        /// It is not the photo's file any more, or somebody writes to it.
        case left
        /// Its photo is wanted again, and the file is there.
        case stays
        /// Nobody can tell now.
        case later
        /// It is not to go any more, or something else became known there.
        case overtaken
        /// It goes, if it is still this one then.
        case removed(FileSignature)
    }
}
