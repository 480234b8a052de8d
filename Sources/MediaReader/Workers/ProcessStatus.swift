import Glibc

/// How a process ended.
enum ProcessStatus: Hashable {
    case exited(Int32)
    case killed(Int32)

    /// What a worker ends with when memory for something small cannot be had; CVipsShim's number.
    static let outOfMemory: Int32 = 71

    /// - Parameter status: as waitpid() gives it.
    init(_ status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }
}
