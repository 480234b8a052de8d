import AlbumModel
import SyncEngine
import WireFormat

/// What a test reads of laptops that it leads step by step, beside their disks and engines.
struct Rehearsal {
    struct Laptop {
        /// Since the test last emptied it.
        var sent: [Message] = []
        var events: [EngineEvent] = []
        /// What older photos wait for, by link; 0 where they do not.
        var yields: [LinkID: UInt64] = [:]
        /// The wall clock, in microseconds since 1970: it stands still unless the test moves it.
        var wall: UInt64 = 1_000_000_000
    }

    /// In the order of the simulation's.
    var laptops: [Laptop] = []
}
