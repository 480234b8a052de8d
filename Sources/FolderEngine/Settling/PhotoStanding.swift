/// Where a photo stands in an album of the gathering.
public enum PhotoStanding: Hashable, Sendable {
    /// Nobody has ever added it.
    case unknown
    case present
    /// It is there, and a person does not want to see it here.
    case hidden
    /// It was there, and somebody removed it.
    case removed
}
