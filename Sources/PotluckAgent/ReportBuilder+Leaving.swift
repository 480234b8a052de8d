import AlbumModel
import SyncEngine

/// Whether this laptop may leave.
extension ReportBuilder {
    /// A photo that is here, with the other devices that have it.
    private struct Copy {
        var blob: BlobID
        var byteCount: UInt64
        var albums: [AlbumID]
        var holders: [DeviceID]
    }

    /// - Parameters:
    ///   - others: how many other devices a photo should be on, 1 or more.
    ///   - rate: bytes a second that leave this laptop; `nil` without an agent.
    func leaveCheck(others: Int, rate: UInt64?) -> LeaveReport {
        let copies = copiesHere()
        let short = copies.filter { $0.holders.count < others }
        let connected = engine.connectedDevices
        let blocked = short.count { copy in
            connected.subtracting(copy.holders).count + copy.holders.count < others
        }
        let shortAmount = amount(short)
        return LeaveReport(
            safe: short.isEmpty, others: others, here: amount(copies),
            alone: amount(short.filter { $0.holders.isEmpty }), short: shortAmount, blocked: blocked,
            obstacles: obstacles(short: short.count, blocked: blocked, others: others), rate: rate,
            seconds: rate.flatMap { $0 == 0 || short.isEmpty || blocked > 0 ? nil : shortAmount.bytes / $0 + 1 },
            albums: albums(copies, others: others), devices: devices(copies), photos: items(short))
    }

    private func copiesHere() -> [Copy] {
        var albums: [BlobID: [AlbumID]] = [:]
        for album in catalog.albums.values {
            for (blob, _) in album.livePhotos where engine.held.contains(blob) {
                albums[blob, default: []].append(album.id)
            }
        }
        return albums.sorted { $0.key < $1.key }.map { blob, albums in
            let byteCount = catalog.photo(PhotoKey(album: albums[0], blob: blob))?.adds.first?.byteCount ?? 0
            return Copy(blob: blob, byteCount: byteCount, albums: albums.sorted(), holders: holders(of: blob))
        }
    }

    private func amount(_ copies: [Copy]) -> StatusReport.Amount {
        StatusReport.Amount(photos: copies.count, bytes: copies.reduce(0) { $0 + $1.byteCount })
    }

    private func albums(_ copies: [Copy], others: Int) -> [LeaveReport.Album] {
        var counts: [AlbumID: [Int]] = [:]
        for copy in copies { for album in copy.albums { counts[album, default: []].append(copy.holders.count) } }
        return counts.map { album, counts in
            LeaveReport.Album(
                id: album.hex, name: albumName(album), here: counts.count, alone: counts.count { $0 == 0 },
                short: counts.count { $0 < others }, othersMin: counts.min() ?? 0)
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    private func devices(_ copies: [Copy]) -> [LeaveReport.Device] {
        var counts: [DeviceID: Int] = [:]
        for device in otherDevices { counts[device] = 0 }
        for copy in copies { for holder in copy.holders { counts[holder, default: 0] += 1 } }
        let connected = engine.connectedDevices
        return counts.sorted { $0.key < $1.key }.map { device, count in
            LeaveReport.Device(
                id: device.hex, name: name(device), connected: connected.contains(device), photos: count)
        }
    }

    private func items(_ short: [Copy]) -> [LeaveReport.Photo] {
        short.sorted { ($0.holders.count, $0.blob) < ($1.holders.count, $1.blob) }.prefix(LeaveReport.itemCountMax)
            .compactMap { copy in
                guard let album = copy.albums.first,
                    let photo = catalog.photo(PhotoKey(album: album, blob: copy.blob))
                else { return nil }
                return LeaveReport.Photo(
                    id: copy.blob.hex, album: albumName(album), name: photo.shownName, bytes: copy.byteCount,
                    where: copy.holders.map(name))
            }
    }

    private var otherDevices: Set<DeviceID> {
        Set(catalog.namedDevices).union(engine.holdings.devices).union(lastSeen.keys).subtracting([engine.device])
            .subtracting(catalog.formerDevices(of: engine.device))
    }

    private func obstacles(short: Int, blocked: Int, others: Int) -> [String] {
        guard short > 0 else { return [] }
        if isOffline { return ["The agent is stopped: nothing is copied to others. `potluck up` starts it."] }
        guard blocked > 0 else { return [] }
        let known = otherDevices.count
        let photos = blocked == 1 ? "1 photo" : "\(blocked) photos"
        if known < others {
            let laptops =
                known == 0 ? "no other laptop" : known == 1 ? "only one other laptop" : "only \(known) other laptops"
            return [
                "\(photos) cannot be on \(others) others: this gathering has \(laptops). Let another one join, or ask for fewer with `--others`."
            ]
        }
        let names = engine.connectedDevices.sorted().map(name)
        let connected =
            names.isEmpty
            ? "no other laptop is connected"
            : "only \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") connected"
        return [
            "\(photos) cannot be on \(others) others: \(connected). Wait for another laptop, or ask for fewer with `--others`."
        ]
    }
}
