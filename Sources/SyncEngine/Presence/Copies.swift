public import AlbumModel

/// On which other devices photos are, proved by what those devices said: what people are told, what is linked instead of
/// copied, and what may be deleted all rest on it.
///
/// A copy counts if its device is connected, or said so within the last 7 days (``HoldingsBook/ageMax``); what it said
/// speaks of the changes that it knew, on the branch on which it knew them. A device from which another one goes on may be
/// the same laptop, and counts while it is connected.
public struct Copies: Sendable {
    let catalog: Catalog
    let log: BatchLog
    let book: HoldingsBook
    /// Those whose word counts, without this one; ordered.
    public let devices: [DeviceID]

    /// Devices that hold a photo, ordered. Of a thumbnail, which anybody can make again, only those that named it.
    public func holders(of blob: BlobID) -> [DeviceID] {
        devices.isEmpty ? [] : holders(of: blob, dots: catalog.addDots(of: blob))
    }

    /// Whether any other device holds a photo.
    public func areAny(of blob: BlobID) -> Bool {
        guard !devices.isEmpty else { return false }
        let dots = catalog.addDots(of: blob)
        return devices.contains { book.entries[$0]?.holdings.proves(blob, dots: dots, log: log) ?? false }
    }

    /// Whether a device holds a photo.
    public func isHolder(_ device: DeviceID, of blob: BlobID) -> Bool {
        guard let entry = book.entries[device], devices.contains(device) else { return false }
        return entry.holdings.proves(blob, dots: catalog.addDots(of: blob), log: log)
    }

    private func holders(of blob: BlobID, dots: [Dot]) -> [DeviceID] {
        devices.filter { book.entries[$0]?.holdings.proves(blob, dots: dots, log: log) ?? false }
    }

    /// On how many other devices each photo is, in one pass over what they said: 1,000 devices and 100,000 photos take a
    /// fraction of a second.
    ///
    /// - Returns: a count for each photo, and for each device how many of the photos it holds.
    public func counts(of blobs: [BlobID]) -> (photos: [Int], devices: [DeviceID: Int]) {
        guard !devices.isEmpty else { return ([Int](repeating: 0, count: blobs.count), [:]) }
        let exceptions = devices.reduce(into: Set<BlobID>()) { $0.formUnion(book.entries[$1]!.holdings.exceptions) }
        var census = CopyCensus(blobs, catalog: catalog, exceptions: exceptions)
        var perDevice: [DeviceID: Int] = [:]
        for device in devices {
            perDevice[device] = census.take(book.entries[device]!.holdings, log: log)
        }
        return (census.counts(), perDevice)
    }
}

/// Counts copies of many photos at once: runs of numbers are added up by their ends, photo by photo only what runs do not
/// tell.
private struct CopyCensus {
    /// The changes that add photos in one replica.
    private struct Row {
        var sequences: [UInt64] = []
        var branches: [UInt64] = []
        /// The photo that each names, which no other change does.
        var photos: [Int] = []
        /// Where counts begin to be one more or one less.
        var steps: [Int] = []

        func index(of sequence: UInt64) -> Int {
            var low = 0
            var high = sequences.count
            while low < high {
                let middle = (low + high) / 2
                if sequences[middle] < sequence { low = middle + 1 } else { high = middle }
            }
            return low
        }

        func places(of run: ClosedRange<UInt64>, upTo last: UInt64) -> Range<Int> {
            let end = min(run.upperBound, last)
            return index(of: run.lowerBound)..<(end == .max ? sequences.count : index(of: end + 1))
        }

        func photos(in runs: ArraySlice<ClosedRange<UInt64>>, _ line: BatchLog.Line) -> [Int] {
            runs.flatMap { run in
                run.lowerBound > line.last
                    ? [] : places(of: run, upTo: line.last).filter { line.contains(sequences[$0], branches[$0]) }
            }.map { photos[$0] }
        }
    }

    private let blobs: [BlobID]
    private let catalog: Catalog
    /// Photos about which more was said than runs tell.
    private var indexOfException: [BlobID: Int] = [:]
    private var rows: [ReplicaID: Row] = [:]
    /// Photos that several changes name, and these.
    private var shared: [Int: [Dot]] = [:]
    /// What is added for single photos.
    private var extra: [Int]

    /// - Parameter exceptions: blobs that some device spoke of one by one.
    init(_ blobs: [BlobID], catalog: Catalog, exceptions: Set<BlobID>) {
        self.blobs = blobs
        self.catalog = catalog
        extra = [Int](repeating: 0, count: blobs.count)
        var places: [ReplicaID: [(dot: Dot, photo: Int)]] = [:]
        for (photo, blob) in blobs.enumerated() {
            if !exceptions.isEmpty, exceptions.contains(blob), indexOfException[blob] == nil {
                indexOfException[blob] = photo
            }
            if let dot = catalog.soleAddDot(of: blob) {
                places[dot.replica, default: []].append((dot, photo))
            } else {
                let dots = catalog.addDots(of: blob)
                if !dots.isEmpty { shared[photo] = dots }
            }
        }
        for (replica, places) in places {
            var row = Row()
            for place in places.sorted(by: { ($0.dot.sequence, $0.dot.branch) < ($1.dot.sequence, $1.dot.branch) }) {
                row.sequences.append(place.dot.sequence)
                row.branches.append(place.dot.branch)
                row.photos.append(place.photo)
            }
            row.steps = [Int](repeating: 0, count: places.count + 1)
            rows[replica] = row
        }
    }

    /// - Returns: how many of the photos the device holds.
    mutating func take(_ holdings: Holdings, log: BatchLog) -> Int {
        let exceptions = Set(holdings.exceptions.compactMap { indexOfException[$0] })
        var count = 0
        var place = 0
        while place < holdings.rows.count {
            let replica = holdings.rows[place].replica
            let first = place
            place += 1
            while place < holdings.rows.count, holdings.rows[place].replica == replica { place += 1 }
            guard let index = rows.index(forKey: replica) else { continue }
            // Nearly always: one branch, which others share, and nothing said besides.
            if place == first + 1, exceptions.isEmpty {
                guard let head = holdings.rows[first].head, let line = log.line(to: head, of: replica) else { continue }
                if line.isOnlyOne {
                    let runs = holdings.runs(of: holdings.rows[first])
                    count += Self.add(runs, upTo: line.last, to: &rows.values[index])
                    continue
                }
            }
            let lines = holdings.rows[first..<place].compactMap { branch in
                branch.head.flatMap { log.line(to: $0, of: replica) }.map { (holdings.runs(of: branch), $0) }
            }
            let covered = lines.reduce(into: Set<Int>()) { $0.formUnion(rows.values[index].photos(in: $1.0, $1.1)) }
            for photo in covered.subtracting(exceptions) {
                extra[photo] += 1
                count += 1
            }
        }
        for photo in exceptions.union(shared.keys) {
            let dots = shared[photo] ?? catalog.addDots(of: blobs[photo])
            guard holdings.proves(blobs[photo], dots: dots, log: log) else { continue }
            extra[photo] += 1
            count += 1
        }
        return count
    }

    private static func add(_ runs: ArraySlice<ClosedRange<UInt64>>, upTo last: UInt64, to row: inout Row) -> Int {
        var count = 0
        for run in runs where run.lowerBound <= last {
            let places = row.places(of: run, upTo: last)
            row.steps[places.lowerBound] += 1
            row.steps[places.upperBound] -= 1
            count += places.count
        }
        return count
    }

    func counts() -> [Int] {
        var counts = extra
        for row in rows.values {
            var copies = 0
            for place in row.photos.indices {
                copies += row.steps[place]
                counts[row.photos[place]] += copies
            }
        }
        return counts
    }
}
