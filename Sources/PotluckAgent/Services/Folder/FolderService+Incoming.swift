import SharedFolder
import Synchronization

/// How long it takes until what lies in the folder is shared.
extension FolderService {
    /// A file of the folder is shared, or turned out to be none that is to be.
    ///
    /// - Parameter byteCount: Of what is shared.
    func noteDone(byteCount: UInt64) {
        let now = parts.clock.now
        state.withLock { $0.pace.count(byteCount: byteCount, now: now) }
    }

    /// - Returns: `nil` where too little was seen of late.
    func secondsLeft(of incoming: IncomingFiles) -> UInt64? {
        let bytes = incoming.unmeasured == 0 ? UInt64(max(0, incoming.bytes)) : nil
        return state.withLock { $0.pace }.seconds(files: incoming.files, bytes: bytes, now: parts.clock.now)
    }
}
