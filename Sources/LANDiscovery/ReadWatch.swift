import Dispatch

/// Tells whenever a descriptor has something to read.
///
/// Neither the descriptor nor its other end may be closed before `stop` has said that Dispatch let go of it. On Linux
/// Dispatch serves a hang-up on two threads at once, which now and then ends the process ("Source finalized twice") or
/// touches freed memory; what is let go of first never hangs up under its eyes.
final class ReadWatch {
    private let source: any DispatchSourceRead

    /// - Parameter onReadable: called on `queue`, a serial one; not any more after `stop` was called there.
    init(descriptor: Int32, queue: DispatchQueue, onReadable: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: onReadable)
        source.activate()
    }

    /// To be called on the queue, once.
    ///
    /// - Parameter done: called on the queue when the descriptor may be closed.
    func stop(_ done: @escaping @Sendable () -> Void) {
        source.setCancelHandler(handler: done)
        source.cancel()
    }
}
