import Glibc

/// Why a process gave no answer.
enum WorkerFailure: Error, Hashable {
    /// The file, as far as anybody can tell: it may do so again. In words that go on after "cannot be read: ".
    case strike(String)
    /// The same each time: the program read the file and refused.
    case refused(String)
    /// This machine: no process, no memory, no program. In words.
    case impossible(String)
    /// The reader has ended.
    case stopped
}

extension WorkerFailure {
    /// How a process ended of which an answer was awaited.
    static func ended(_ status: ProcessStatus) -> WorkerFailure {
        switch status {
        case .exited(ProcessStatus.outOfMemory): .strike("it takes more memory than is allowed")
        case .exited(let code): .strike("the program that reads it gave up (status \(code))")
        case .killed(SIGPROF), .killed(SIGXCPU): .strike("it takes more processor time than is allowed")
        case .killed(let signal): .strike("it breaks the program that reads it (signal \(signal))")
        }
    }

    static let timeout = WorkerFailure.strike("it takes longer than is allowed")
    static let lie = WorkerFailure.strike("the program that reads it answers nonsense")
}
