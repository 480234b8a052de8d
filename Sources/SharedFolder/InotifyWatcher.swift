import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import Synchronization

/// Tells what happens in the folder, every directory of it: inotify, made recursive by hand.
///
/// ``run(_:)`` takes a thread of its own until ``stop()``. Directories that appear are watched and listed in that
/// order, so that nothing that was put into them earlier is missed; what is told twice is the listener's to see.
/// Symbolic links are not followed. Where inotify cannot be had, ``run(_:)`` still keeps its listener's times.
final class InotifyWatcher: Sendable {
    /// Answers with the next time at which it wants to be called without events.
    typealias Listener = @Sendable ([FolderEvent]) -> MonotonicInstant?

    private struct Watches {
        var paths: [Int32: FolderPath] = [:]
        var descriptors: [FolderPath: Int32] = [:]
        var complaint: String?
    }

    private static let mask = UInt32(
        Int(IN_CREATE) | Int(IN_CLOSE_WRITE) | Int(IN_MOVED_TO) | Int(IN_MOVED_FROM) | Int(IN_DELETE)
            | Int(IN_DELETE_SELF) | Int(IN_MOVE_SELF) | Int(IN_ONLYDIR) | Int(IN_EXCL_UNLINK))
    private static let bufferByteCount = 64 << 10

    private let root: String
    private let list: @Sendable (FolderPath) throws(DirectoryListingError) -> DirectoryListing
    private let watchCountMax: Int
    /// -1 where the system gives none.
    private let inotify: Int32
    /// A pipe: a byte written to one end ends the other's wait.
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let watches: Mutex<Watches>
    private let isStopped = Atomic<Bool>(false)
    /// The system's list of mounts, which tells when it changes; `nil` where there is none.
    private let mountList: Descriptor?

    init(
        root: String, watchCountMax: Int?,
        list: @escaping @Sendable (FolderPath) throws(DirectoryListingError) -> DirectoryListing
    ) throws(FolderError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .last("make a pipe for", root) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        mountList = try? Descriptor(opening: MountTable.path, .readOwn)
        inotify = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        var none = Watches()
        if inotify < 0 { none.complaint = Self.instanceLimit }
        watches = Mutex(none)
        self.root = root
        self.list = list
        self.watchCountMax = watchCountMax ?? .max
    }

    deinit {
        if inotify >= 0 { close(inotify) }
        close(wakeReader)
        close(wakeWriter)
    }

    /// Why some directories are not watched, as a sentence that says what to do; `nil` while all are.
    var complaint: String? { watches.withLock { $0.complaint } }

    /// Makes the listener be called soon, without events. Any thread.
    func wake() {
        var byte: UInt8 = 1
        // A full pipe has a wake in it already.
        _ = write(wakeWriter, &byte, 1)
    }

    /// Ends ``run(_:)``. Any thread.
    func stop() {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    /// Watches a directory, if it is not watched yet. Blocks, for microseconds. Any thread.
    ///
    /// - Returns: `false` where the system allows no more.
    @discardableResult
    func watch(_ directory: FolderPath) -> Bool {
        guard inotify >= 0 else { return false }
        return watches.withLock { watches in
            if watches.descriptors[directory] == nil, watches.paths.count >= watchCountMax {
                watches.complaint = Self.watchLimit
                return false
            }
            let links = directory.bytes.isEmpty ? 0 : UInt32(IN_DONT_FOLLOW)
            let descriptor = directory.absolute(in: root).withCString {
                inotify_add_watch(inotify, $0, Self.mask | links)
            }
            guard descriptor >= 0 else {
                let isLimit = errno == ENOSPC || errno == ENOMEM
                if isLimit { watches.complaint = Self.watchLimit }
                return !isLimit
            }
            // The same directory under another name keeps its descriptor.
            if let old = watches.paths[descriptor], old != directory { watches.descriptors[old] = nil }
            if let old = watches.descriptors[directory], old != descriptor { watches.paths[old] = nil }
            watches.paths[descriptor] = directory
            watches.descriptors[directory] = descriptor
            return true
        }
    }

    /// Forgets the complaint before everything is watched anew.
    func resetComplaint() {
        if inotify >= 0 { watches.withLock { $0.complaint = nil } }
    }

    /// Waits for events and for the listener's times until ``stop()``. Blocks its thread.
    func run(_ listener: Listener) {
        var deadline = listener([])
        var mounts = MountTable.points(below: root)
        while !isStopped.load(ordering: .sequentiallyConsistent) {
            var waits = [
                pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0),
                pollfd(fd: inotify, events: Int16(POLLIN), revents: 0),
                pollfd(fd: mountList?.number ?? -1, events: Int16(POLLPRI), revents: 0),
            ]
            _ = poll(&waits, nfds_t(waits.count), Self.milliseconds(until: deadline))
            if waits[0].revents != 0 { drainWakes() }
            var events = waits[1].revents != 0 ? readEvents() : []
            if waits[2].revents != 0 {
                // Elsewhere mounts come and go all the time.
                let now = MountTable.points(below: root)
                if now != mounts { events.append(.mountsChanged) }
                mounts = now
            }
            deadline = listener(events)
        }
    }

    private static func milliseconds(until deadline: MonotonicInstant?) -> Int32 {
        guard let deadline else { return -1 }
        let now = MonotonicInstant.now
        let left = deadline.nanoseconds - min(now.nanoseconds, deadline.nanoseconds)
        return Int32(clamping: (left + 999_999) / 1_000_000)
    }

    private func drainWakes() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(wakeReader, &bytes, bytes.count) > 0 {}
    }
}

extension InotifyWatcher {
    /// One buffer of events: as many as there are, at most some thousands.
    private func readEvents() -> [FolderEvent] {
        var events: [FolderEvent] = []
        withUnsafeTemporaryAllocation(byteCount: Self.bufferByteCount, alignment: 8) { buffer in
            let count = read(inotify, buffer.baseAddress!, buffer.count)
            var offset = 0
            let headerByteCount = MemoryLayout<inotify_event>.size
            while count - offset >= headerByteCount {
                let header = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let start = offset + headerByteCount
                let name = Array(buffer[start..<start + Int(header.len)].prefix { $0 != 0 })
                offset = start + Int(header.len)
                handle(header, name: name, into: &events)
            }
        }
        return events
    }

    private func handle(_ header: inotify_event, name: [UInt8], into events: inout [FolderEvent]) {
        func has(_ bit: some BinaryInteger) -> Bool { header.mask & UInt32(bit) != 0 }
        if has(IN_Q_OVERFLOW) {
            events.append(.rescanNeeded)
            return
        }
        guard let directory = watches.withLock({ $0.paths[header.wd] }) else { return }
        if has(IN_IGNORED) || has(IN_DELETE_SELF) || has(IN_UNMOUNT) {
            forget(header.wd)
            if directory.bytes.isEmpty { events.append(.rescanNeeded) }
            if has(IN_UNMOUNT) { events.append(.mountsChanged) }
            return
        }
        if has(IN_MOVE_SELF) {
            // Of other directories their parents tell.
            if directory.bytes.isEmpty { events.append(.rescanNeeded) }
            return
        }
        let path = directory.appending(name)
        let isDirectory = has(IN_ISDIR)
        if has(IN_MOVED_FROM) || has(IN_DELETE) {
            if isDirectory { forget(below: path) }
            events.append(isDirectory ? .directoryVanished(path) : .vanished(path))
        } else if isDirectory {
            enter(path, into: &events)
        } else {
            events.append(.touched(path))
        }
    }

    /// Watches a directory that appeared, and all in it, and tells of every file that is there.
    private func enter(_ directory: FolderPath, into events: inout [FolderEvent]) {
        var waiting = [directory]
        while let next = waiting.popLast() {
            if JunkRules.reason(directoryName: next.name) != nil {
                events.append(.touched(next))
                continue
            }
            // Who is not told of what comes later has to know so before anything is judged.
            if !watch(next) { events.append(.rescanNeeded) }
            do {
                for entry in try list(next).entries {
                    let path = next.appending(entry.name)
                    switch entry.kind {
                    case .directory: waiting.append(path)
                    case .file, .link, .other: events.append(.touched(path))
                    case .unknown: events.append(.rescanNeeded)
                    }
                }
            } catch {
                if !error.isAbsent { events.append(.rescanNeeded) }
            }
        }
    }

    private func forget(_ descriptor: Int32) {
        watches.withLock { watches in
            guard let path = watches.paths.removeValue(forKey: descriptor) else { return }
            if watches.descriptors[path] == descriptor { watches.descriptors[path] = nil }
        }
    }

    /// A directory that was moved away keeps its watches: they would tell of it under its old name.
    private func forget(below directory: FolderPath) {
        watches.withLock { watches in
            for (path, descriptor) in watches.descriptors where path.isWithin(directory) {
                watches.descriptors[path] = nil
                watches.paths[descriptor] = nil
                inotify_rm_watch(inotify, descriptor)
            }
        }
    }

    private static let watchLimit = """
        This system lets a user watch too few directories for this folder. Raise the limit with \
        `sudo sysctl fs.inotify.max_user_watches=524288` (and put that line, without sudo sysctl, into \
        /etc/sysctl.d/ to keep it). Until then new photos in some directories are found somewhat later.
        """

    private static let instanceLimit = """
        This system lets a user's programs watch no more files. Raise the limit with \
        `sudo sysctl fs.inotify.max_user_instances=512` (and put that line, without sudo sysctl, into \
        /etc/sysctl.d/ to keep it), then start again. Until then new photos are found somewhat later.
        """
}
