/// How long a file that may be incomplete is waited for.
public struct Patience: Hashable, Sendable {
    /// Without change, where the file system cannot tell whether a writer has the file open.
    public var unknownWriter = Duration.seconds(5)
    /// Without change, for a file that is empty or shorter than its format says.
    public var short = Duration.seconds(10)
    /// Until the next look at a file that a writer has open; the writer's closing is noticed at once, this is for the
    /// closing that the watcher missed. Doubles up to ``openMax``.
    public var openFirst = Duration.seconds(2)
    public var openMax = Duration.seconds(30)
    /// After a file that changed under the reader.
    public var changed = Duration.milliseconds(250)
    /// After a failure, such as a full disk. Doubles up to ``failureMax``.
    public var failureFirst = Duration.seconds(2)
    public var failureMax = Duration.seconds(60)

    public init() {}
}
