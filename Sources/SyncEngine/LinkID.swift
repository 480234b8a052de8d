/// Names one admitted connection in this run of the agent.
public struct LinkID: Hashable, Comparable, Sendable {
    public var number: UInt64

    public init(number: UInt64) {
        self.number = number
    }

    public static func < (left: LinkID, right: LinkID) -> Bool { left.number < right.number }
}
