/// What strikes an operation at one of its system calls; the library CDiskFaults makes it happen.
struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// As the library calls it: `kill`, `tear`, or the name of an error.
    var kind: String
    /// What a power cut takes back of what was not synced, at the process's death or after its end.
    var loses: Loss
    /// What the process does after a call has failed.
    var answer = Answer.none

    enum Loss: String, Sendable, CaseIterable {
        case nothing = ""
        case data, names
        case all = "data,names"
    }

    enum Answer: String, Sendable {
        /// It dies at the call.
        case none
        /// Calls go on failing, and it ends.
        case ends
        /// The disk is well again, and it goes on with what it has in memory.
        case goesOn = "goes on"
    }

    /// Whether only the process dies, and everything that it wrote is there.
    var keepsAll: Bool { loses == .nothing && answer == .none }

    var description: String {
        let cut = loses == .nothing ? "" : ", then a power cut that loses \(loses.rawValue)"
        return answer == .none ? kind + cut : "\(kind), the process \(answer.rawValue)\(cut)"
    }

    /// The process dies, and in three of four cases the machine.
    static let deaths =
        Loss.allCases.map { Fault(kind: "kill", loses: $0) } + [Fault(kind: "tear", loses: .nothing)]

    /// Calls fail. In the end the power is cut, so that what was promised in spite of an error is put to the test.
    static let errors = ["ENOSPC", "EIO", "EROFS", "EMFILE"].flatMap { kind in
        [Answer.ends, .goesOn].map { Fault(kind: kind, loses: .all, answer: $0) }
    }
}
