/// What a power cut, or a disk that was pulled out, left of a file that a person had just made.
package enum Remains: Hashable, Sendable {
    /// Nobody can tell.
    case unknown
    case whole
    case nothing
    /// A beginning of the photo, or zeros where its bytes were: what a disk leaves, and no person.
    case damaged
    /// Anything else, which may be a person's.
    case other

    /// What is to be done about it.
    package enum Verdict: Hashable, Sendable {
        case leave
        /// Nobody can tell now: nothing of the file may be judged.
        case wait
        /// The photo's file is put back.
        case place
        /// What is left goes first.
        case replace
        /// What is left goes, if anything is, and nothing comes: the photo is not to be seen here any more.
        case remove
    }
}

/// Compares a file, from its start on, with the photo that it held.
package struct RemainsComparison: Sendable {
    private let isShorter: Bool
    private var isZeroedInPart = false
    /// False once something was seen that no power cut leaves.
    package private(set) var mayBeRemains: Bool

    package init(byteCount: UInt64, photoByteCount: UInt64) {
        isShorter = byteCount < photoByteCount
        mayBeRemains = byteCount <= photoByteCount
    }

    /// The file's bytes differ from the photo's, which are as many.
    package mutating func differs(_ own: some Sequence<UInt8>, _ photo: some Sequence<UInt8>) {
        isZeroedInPart = true
        mayBeRemains = mayBeRemains && zip(own, photo).allSatisfy { $0 == $1 || $0 == 0 }
    }

    /// Once all was compared, or ``mayBeRemains`` is false.
    package var remains: Remains {
        if !mayBeRemains { return .other }
        return isShorter || isZeroedInPart ? .damaged : .whole
    }
}
