import AlbumModel
import WireFormat

extension Presence.Branch {
    /// At most as many bytes as it has in a message or in a summary.
    var byteCount: Int { runs.reduce(Self.fixedByteCount) { $0 + Self.byteCount(of: $1) } }

    /// Replica, head, and what stands before them.
    private static let fixedByteCount = 48

    private static func byteCount(of run: ClosedRange<UInt64>) -> Int {
        4 + varintByteCount(run.lowerBound) + varintByteCount(run.upperBound - run.lowerBound + 1)
    }

    private static func varintByteCount(_ number: UInt64) -> Int {
        max(1, (UInt64.bitWidth - number.leadingZeroBitCount + 6) / 7)
    }

    /// The branch with as many of its runs as there is room for; `nil` where there is room for none.
    func taken(from room: inout Int) -> Presence.Branch? {
        guard byteCount > room else {
            room -= byteCount
            return self
        }
        var count = 0
        room -= Self.fixedByteCount
        while count < runs.count, Self.byteCount(of: runs[count]) <= room {
            room -= Self.byteCount(of: runs[count])
            count += 1
        }
        guard count > 0 else { return nil }
        return Presence.Branch(replica: replica, head: head, runs: Array(runs[..<count]))
    }
}

extension Presence {
    /// What is kept of what one device says over a connection.
    ///
    /// - Parameter byteCountMax: as ``Holdings/byteCount`` counts. No honest device needs as much.
    func cut(to byteCountMax: Int) -> Presence {
        var room = byteCountMax - others.count * Holdings.nameByteCount
        let runCount = branches.reduce(0) { $0 + $1.runs.count }
        guard room < branches.count * Holdings.rowByteCount + runCount * Holdings.runByteCount else { return self }
        let kept = branches.sorted { ($0.runs.count, $0) < ($1.runs.count, $1) }.prefix { branch in
            room -= Holdings.rowByteCount + branch.runs.count * Holdings.runByteCount
            return room >= 0
        }
        return Presence(branches: Array(kept), others: others)
    }
}
