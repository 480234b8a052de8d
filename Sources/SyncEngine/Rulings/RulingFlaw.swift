public import WireFormat

/// Why a ruling, or what came with it, is not taken in.
public enum RulingFlaw: Error, Hashable, Sendable {
    case malformed(WireError)
    case wrongSignature
    /// It founds another gathering, or nothing is founded yet.
    case foreign
    /// Something that it follows is not known here.
    case followsUnknown
    /// Nothing that it follows named its author host.
    case notEntitled
    case tooManyOfAuthor
    case tooMany
    /// A seed is not the one that the ruling speaks of.
    case falseSeed
    /// A host that is one for longer ruled otherwise.
    case withoutEffect
}

extension RulingFlaw {
    /// Why this device may not rule so, for a person.
    var sentence: String {
        switch self {
        case .foreign: "No host of this gathering is known here."
        case .notEntitled: "This laptop is no host."
        case .withoutEffect: "A host that is one for longer has decided otherwise."
        case .tooManyOfAuthor, .tooMany: "There are too many decisions of hosts already."
        case .malformed: "The decision is too long."
        case .wrongSignature, .followsUnknown, .falseSeed: "The decision is damaged."
        }
    }
}
