/// What stands where a photo's file is to be put back.
package enum FileInTheWay: Hashable, Sendable {
    case nothing
    /// A file with the photo's bytes: a person was quicker.
    case photo(FileSignature)
    /// Another file, or something that is no file. Nothing is replaced.
    case other

    /// What is to be done with it.
    package enum Verdict: Hashable, Sendable {
        case place
        /// It is the photo's file from now on.
        case keep(FileSignature)
        /// It gets a name beside the photo's, and the photo is placed then.
        case moveAside
        /// The photo is not on this laptop any more: what is there would be moved for nothing.
        case leave
    }

    /// - Parameter isPhotoHeld: whether the photo is in the store; asked only where something would be moved aside.
    package func verdict(isPhotoHeld: @autoclosure () throws -> Bool) rethrows -> Verdict {
        switch self {
        case .nothing: .place
        case .photo(let signature): .keep(signature)
        case .other: try isPhotoHeld() ? .moveAside : .leave
        }
    }
}
