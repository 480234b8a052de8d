import AlbumModel

/// What contributors say of a wanted blob's size and pieces, and what came of believing it.
struct WantClaims: Sendable {
    /// Distinct, the one that is tried first.
    private(set) var all: [BlobClaim]
    /// The same, where they are many.
    private var known: Set<BlobClaim> = []
    /// Peers whose pieces or list did not fit a claim: either they or the claim's author told wrong.
    private var condemned: [BlobClaim: Leases<DeviceID>] = [:]
    /// Claims of which all pieces were right and the whole was not.
    private var rejected = Leases<BlobClaim>()

    /// - Parameter claims: not empty.
    init(_ claims: [BlobClaim]) { all = claims }

    /// The one that is tried.
    var tried: BlobClaim { all[0] }

    var count: Int { all.count }

    /// - Returns: whether one of the claims is new.
    mutating func learn(_ more: [BlobClaim]) -> Bool {
        let areMany = all.count > Self.listedCountMax
        if areMany, known.isEmpty { known = Set(all) }
        let news = more.filter { areMany ? known.insert($0).inserted : !all.contains($0) }
        all += news
        return !news.isEmpty
    }

    /// More than so many claims are not gone through one by one.
    private static let listedCountMax = 8

    /// Another claim that some holder was not found wrong about goes first; the present one last.
    /// - Returns: false if there is none.
    mutating func tryAnother(holders: [DeviceID], now: MonotonicInstant) -> Bool {
        let next = all.indices.dropFirst().first { index in
            !rejected.holds(all[index], now: now)
                && holders.contains { condemned[all[index]]?.holds($0, now: now) != true }
        }
        guard let next, !PlantedFault.isPlanted(.otherClaimNeverTried) else { return false }
        all.append(all.removeFirst())
        all.insert(all.remove(at: next - 1), at: 0)
        return true
    }

    // MARK: What failed

    /// What a peer sent does not fit the claim that is tried.
    mutating func condemn(_ device: DeviceID, for seconds: ClosedRange<Double>, now: MonotonicInstant) {
        condemned[tried, default: Leases()].extend(device, by: seconds, now: now)
    }

    /// Until when a peer is not asked about the claim that is tried; `nil` if it may be asked.
    func condemnedUntil(_ device: DeviceID, now: MonotonicInstant) -> MonotonicInstant? {
        condemned[tried]?.deadline(of: device, now: now)
    }

    /// Whether all of these sent what does not fit the claim that is tried.
    func areCondemned(_ devices: [DeviceID], now: MonotonicInstant) -> Bool {
        devices.allSatisfy { condemned[tried]?.holds($0, now: now) ?? false }
    }

    /// All pieces fitted the claim that is tried, and the whole did not.
    mutating func reject(for seconds: ClosedRange<Double>, now: MonotonicInstant) {
        rejected.extend(tried, by: seconds, now: now)
    }

    /// When the first of those that were rejected may be tried again.
    func rejectedUntil(now: MonotonicInstant) -> MonotonicInstant? {
        all.compactMap { rejected.deadline(of: $0, now: now) }.min()
    }
}
