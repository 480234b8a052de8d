public import AlbumModel
import Glibc
public import PhotoStore
import Synchronization

/// One home, opened as the agent opens it, and a place to say what was promised.
///
/// A call that fails is said, and tried again with the same objects, as the agent does when a disk has room again.
public final class Probe: Sendable {
    /// How often a call may fail; injected errors end after the first.
    private static let attemptCountMax = 4
    /// A process that is being started holds a copy of this one's files for a moment.
    private static let lockWaitMilliseconds = 5000
    public static let factKind = FactKind(rawValue: "probe")

    /// Holds `home` and `folder`.
    public let root: String
    private let tell: @Sendable (Acknowledgement) -> Void
    /// `nil` where nothing makes calls fail.
    private let faults: FaultLibrary?
    private let isStubborn: Bool
    private let opened = Mutex<Opened?>(nil)

    private struct Opened: Sendable {
        var lock: HomeLock
        var journal: Journal
        var index: Index
        var blobs: BlobStore
    }

    public var home: String { root + "/home" }
    public var folder: String { root + "/folder" }

    /// - Parameter isStubborn: whether it goes on after a call has failed.
    public init(
        root: String, faults: FaultLibrary? = nil, isStubborn: Bool = false,
        tell: @escaping @Sendable (Acknowledgement) -> Void
    ) {
        self.root = root
        self.faults = faults
        self.isStubborn = isStubborn
        self.tell = tell
    }

    /// The home is open: what follows is the operation itself.
    public func begin() { faults?.begin() }

    public func acknowledge(_ acknowledgement: Acknowledgement) { tell(acknowledgement) }

    /// Does something until it succeeds; it begins with what the last attempt left.
    public func persistently<Value>(_ work: () throws -> Value) throws -> Value {
        var attemptCount = 1
        while true {
            do {
                return try work()
            } catch {
                try again(after: error, attemptCount)
                attemptCount += 1
            }
        }
    }

    /// The same after a failure of asynchronous work.
    public func persistently<Value>(_ work: () async throws -> Value) async throws -> Value {
        var attemptCount = 1
        while true {
            do {
                return try await work()
            } catch {
                try again(after: error, attemptCount)
                attemptCount += 1
            }
        }
    }

    private func again(after error: any Error, _ attemptCount: Int) throws {
        acknowledge(.failed("\(error)"))
        guard let faults, isStubborn, attemptCount < Self.attemptCountMax else { throw error }
        faults.heal()
    }

    /// Lets somebody else open the home.
    public func release() {
        opened.withLock { opened in
            opened?.lock.release()
            opened = nil
        }
    }

    private func open() throws -> Opened {
        try opened.withLock { opened in
            if let opened { return opened }
            let new = try openHome()
            opened = new
            begin()
            return new
        }
    }

    private func openHome() throws -> Opened {
        try persistently {
            let lock = try HomeLock.acquire(home: home, waitMilliseconds: Self.lockWaitMilliseconds)
            do {
                let journal = try Journal(home: home)
                let index = try Index(home: home)
                return Opened(
                    lock: lock, journal: journal, index: index, blobs: try BlobStore(home: home, index: index))
            } catch {
                lock.release()
                throw error
            }
        }
    }

    public func journal() throws -> Journal { try open().journal }
    public func index() throws -> Index { try open().index }
    public func blobs() throws -> BlobStore { try open().blobs }
}

public struct ProbeError: Error, CustomStringConvertible {
    public var sentence: String
    public var description: String { sentence }

    public init(sentence: String) { self.sentence = sentence }
}
