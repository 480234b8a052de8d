/// How a worker ends when nothing kills it.
enum ExitStatus {
    static let done: Int32 = 0
    static let failed: Int32 = 70
    static let wrongUsage: Int32 = 64
}
