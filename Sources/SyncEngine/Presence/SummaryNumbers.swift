import AlbumModel

/// The numbers of this device's summaries.
///
/// A number is used only where it is on the disk that it may have been: the next run of the agent then takes greater ones,
/// whatever its clock says, and whatever this run could not write. Else a laptop whose clock was set back would tell
/// of losses that nobody believes, or let older summaries pass for newer ones.
struct SummaryNumbers: Sendable {
    /// So far ahead of the clock numbers are reserved, in microseconds: a minute, so that little is written for it. The
    /// first summaries of a run may be dated later than they were made by as much.
    static let leadMax: UInt64 = 60 * 1_000_000
    /// So many are reserved where the clock is behind what was used before.
    private static let runLength: UInt64 = 1000

    /// Earlier runs used none beyond.
    private let floor: UInt64
    /// Up to here they are reserved …
    private(set) var reserved: UInt64
    /// … and up to here that is on the disk.
    private var durable: UInt64

    /// - Parameter reserved: by earlier runs.
    init(reserved: UInt64) {
        (floor, self.reserved, durable) = (reserved, reserved, reserved)
    }

    /// The number of the next summary: greater than all that were used, or may have been.
    ///
    /// - Parameter newest: the greatest that is known.
    func next(after newest: UInt64, wall: UInt64) -> UInt64 { max(wall, Self.sum(max(newest, floor), 1)) }

    /// What a peer is told: no summary of earlier runs has a greater number, and each of later runs has one.
    /// Never 0, which the protocol's first version says.
    func told(newest: UInt64, wall: UInt64) -> UInt64 { max(1, max(floor, min(max(wall, newest), durable))) }

    func isUsable(_ number: UInt64) -> Bool { number <= durable || PlantedFault.isPlanted(.summaryNumbersUnwritten) }

    /// - Returns: whether more are reserved than before, which is to be written.
    mutating func reserve(_ next: UInt64, wall: UInt64) -> Bool {
        if PlantedFault.isPlanted(.summaryNumbersUnwritten) { return false }
        guard max(next, Self.sum(wall, Self.leadMax / 2)) > reserved else { return false }
        reserved = max(Self.sum(next, Self.runLength), Self.sum(wall, Self.leadMax))
        return true
    }

    /// The last number of all where there is none that is so large: only a home that somebody prepared has come so far.
    private static func sum(_ number: UInt64, _ more: UInt64) -> UInt64 {
        let (sum, isTooLarge) = number.addingReportingOverflow(more)
        return isTooLarge ? .max : sum
    }

    mutating func written(_ reserved: UInt64) { durable = max(durable, min(reserved, self.reserved)) }
}
