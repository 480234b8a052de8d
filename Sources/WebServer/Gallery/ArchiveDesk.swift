import DequeModule
import HTTPTypes
import Synchronization
import WebGallery

/// Bounds the archives that are on their way, and remembers what the next one can use.
final class ArchiveDesk: Sendable {
    private static let countMax = 4
    /// One that is broken off may not have ended when the browser goes on with it.
    private static let countMaxOfHolder = 2

    let home: TakenHome
    let checksums = KnownChecksums()
    let deliveries = Deliveries()
    private let open = Mutex<[SessionStore.Holder: Int]>([:])

    init(host: any GalleryHost) {
        home = TakenHome(store: host)
    }

    /// Lets one archive begin; its place is free again when nothing holds it any more.
    final class Place: Sendable {
        private let desk: ArchiveDesk
        private let holder: SessionStore.Holder

        fileprivate init(_ desk: ArchiveDesk, _ holder: SessionStore.Holder) {
            self.desk = desk
            self.holder = holder
        }

        deinit {
            desk.open.withLock { open in
                open[holder, default: 1] -= 1
                if open[holder] == 0 { open[holder] = nil }
            }
        }
    }

    /// - Throws: ``Problem`` with 429 where there are too many.
    func place(for holder: SessionStore.Holder) throws(Problem) -> Place {
        let isFree = open.withLock { open in
            guard open.values.reduce(0, +) < Self.countMax, open[holder, default: 0] < Self.countMaxOfHolder else {
                return false
            }
            open[holder, default: 0] += 1
            return true
        }
        guard isFree else {
            throw Problem(
                .tooManyRequests, "too_many", "Others are taking photos home; try again in a minute.", retryAfter: 30)
        }
        return Place(self, holder)
    }
}

/// Checksums of files that were read for an archive, so that one that goes on needs not read all before its place.
final class KnownChecksums: Sendable {
    /// Some 100 bytes each.
    private static let countMax = 50_000

    private struct State {
        var values: [EntityTag: UInt32] = [:]
        var order: Deque<EntityTag> = []
    }

    private let state = Mutex(State())

    func value(of file: EntityTag) -> UInt32? { state.withLock { $0.values[file] } }

    func remember(_ crc: UInt32, of file: EntityTag) {
        state.withLock { state in
            guard state.values.updateValue(crc, forKey: file) == nil else { return }
            state.order.append(file)
            if state.order.count > Self.countMax { state.values[state.order.removeFirst()] = nil }
        }
    }
}

/// How far archives that can go on have been sent, from their beginnings.
final class Deliveries: Sendable {
    struct Key: Hashable, Sendable {
        var holder: SessionStore.Holder
        var archive: EntityTag
    }

    private static let countMax = 64

    private struct State {
        var ends: [Key: UInt64] = [:]
        var order: Deque<Key> = []
    }

    private let state = Mutex(State())

    /// Notes a part that was sent.
    ///
    /// - Returns: How far the archive has been sent without a gap.
    func note(_ range: Range<UInt64>, of key: Key) -> UInt64 {
        state.withLock { state in
            let end = state.ends[key] ?? 0
            guard range.lowerBound <= end else { return end }
            let isNew = state.ends.updateValue(max(end, range.upperBound), forKey: key) == nil
            if isNew {
                state.order.append(key)
                if state.order.count > Self.countMax { state.ends[state.order.removeFirst()] = nil }
            }
            return max(end, range.upperBound)
        }
    }
}
