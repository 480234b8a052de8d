import AlbumModel
import PotluckAPI
import SharedFolder
import SyncEngine

/// Whether this laptop may leave.
extension ReportBuilder {
    /// A file of a photo that is here, and on how many other devices it is.
    private struct Copy {
        var blob: BlobID
        /// The photo that counts: itself, or what it belongs to.
        var lead: BlobID
        var byteCount: UInt64
        var albums: [AlbumID]
        var otherCount: Int
    }

    /// - Parameters:
    ///   - others: how many other devices a photo should be on, 1 or more.
    ///   - rate: bytes a second that leave this laptop; `nil` without an agent.
    func leaveCheck(others: Int, rate: UInt64?) async -> LeaveReport {
        let (here, perDevice) = copiesHere(await momentCounter())
        let short = here.filter { $0.otherCount < others }
        let blocked = blockedCount(short, others: others)
        // What is not shared yet is nowhere else, whatever becomes of it.
        let unshared = incoming.map { amount($0) } ?? StatusReport.Amount(photos: 0, bytes: 0)
        let isLookedThrough = incoming?.isScanComplete ?? true
        let shortAmount = amount(short) + unshared
        var report = LeaveReport(
            safe: shortAmount.photos == 0 && isLookedThrough, others: others, here: amount(here) + unshared,
            alone: amount(short.filter { $0.otherCount == 0 }) + unshared, short: shortAmount, blocked: blocked,
            incoming: incoming.map { _ in unshared },
            obstacles: obstacles(short, blocked: blocked, others: others) + incomingObstacles, rate: rate,
            seconds: blocked > 0 ? nil : rate.flatMap { seconds(shortAmount, rate: $0) },
            albums: albums(here, others: others), devices: devices(perDevice), photos: items(short))
        report.incomingSeconds = incomingSeconds
        return report
    }

    /// How long it takes until these are on other devices; `nil` where that is not known.
    private func seconds(_ short: StatusReport.Amount, rate: UInt64) -> UInt64? {
        guard rate > 0, short.photos > 0, short.unmeasured == nil else { return nil }
        // What is not shared yet cannot leave before it is.
        return max(short.bytes / rate + 1, incomingSeconds ?? 0)
    }

    /// - Returns: every file, and for each device how many of the photos it has, whether or not with what belongs to them.
    private func copiesHere(_ counter: MomentCounter) -> (files: [Copy], devices: [DeviceID: Int]) {
        var albums: [BlobID: [AlbumID]] = [:]
        for album in catalog.albums.values {
            for (blob, _) in album.livePhotos where engine.held.contains(blob) {
                albums[blob, default: []].append(album.id)
            }
        }
        let blobs = albums.keys.sorted()
        let (counts, filesOfDevice) = copies.counts(of: blobs)
        let leads = counter.leads(of: blobs)
        let isEachFileOne = leads.count == blobs.count
        let devices = isEachFileOne ? filesOfDevice : copies.counts(of: Array(leads)).devices
        let files = zip(blobs, counts).map { blob, count in
            let albums = albums[blob]!.sorted()
            let byteCount = catalog.photo(PhotoKey(album: albums[0], blob: blob))?.adds.first?.byteCount ?? 0
            return Copy(
                blob: blob, lead: counter.lead(of: blob), byteCount: byteCount, albums: albums, otherCount: count)
        }
        return (files, devices)
    }

    /// How many short photos would stay short, if all connected laptops that pull them had them.
    private func blockedCount(_ short: [Copy], others: Int) -> Int {
        var takers: [[AlbumID]: [DeviceID]] = [:]
        let blocked = short.filter { copy in
            let willing = takers[copy.albums] ?? engine.takers(ofPhotoIn: copy.albums)
            takers[copy.albums] = willing
            // Mostly nobody has it: then there is nobody to be looked up.
            let holders = copy.otherCount == 0 ? [] : holders(of: copy.blob)
            return Set(willing).subtracting(holders).count + holders.count < others
        }
        return Set(blocked.map(\.lead)).count
    }

    func amount(_ incoming: IncomingFiles) -> StatusReport.Amount {
        StatusReport.Amount(
            photos: incoming.files, bytes: UInt64(max(0, incoming.bytes)),
            unmeasured: incoming.unmeasured == 0 ? nil : incoming.unmeasured)
    }

    private func amount(_ copies: [Copy]) -> StatusReport.Amount {
        StatusReport.Amount(
            photos: Set(copies.map(\.lead)).count, bytes: copies.reduce(0) { $0 + $1.byteCount })
    }

    private func albums(_ copies: [Copy], others: Int) -> [LeaveReport.Album] {
        // A photo is on as many others as that of its files which is on the fewest.
        var counts: [AlbumID: [BlobID: Int]] = [:]
        for copy in copies {
            for album in copy.albums {
                let least = counts[album]?[copy.lead] ?? .max
                counts[album, default: [:]][copy.lead] = min(least, copy.otherCount)
            }
        }
        return counts.map { album, counts in
            LeaveReport.Album(
                id: album.hex, name: albumName(album), here: counts.count, alone: counts.values.count { $0 == 0 },
                short: counts.values.count { $0 < others }, othersMin: counts.values.min() ?? 0)
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// - Parameter perDevice: how many of the photos that are here each device holds.
    private func devices(_ perDevice: [DeviceID: Int]) -> [LeaveReport.Device] {
        var counts: [DeviceID: Int] = [:]
        for device in otherDevices { counts[device] = 0 }
        counts.merge(perDevice) { $1 }
        let connected = engine.connectedDevices
        return counts.sorted { $0.key < $1.key }.map { device, count in
            LeaveReport.Device(
                id: device.hex, name: name(device), connected: connected.contains(device), photos: count)
        }
    }

    /// Of each photo the file that is on the fewest others, of several the photo's own.
    private func items(_ short: [Copy]) -> [LeaveReport.Photo] {
        func order(_ copy: Copy) -> (Int, BlobID, Int, BlobID) {
            (copy.otherCount, copy.lead, copy.blob == copy.lead ? 0 : 1, copy.blob)
        }
        var listed: Set<BlobID> = []
        return short.sorted { order($0) < order($1) }.filter { listed.insert($0.lead).inserted }
            .prefix(LeaveReport.itemCountMax)
            .compactMap { copy in
                guard let album = copy.albums.first,
                    let photo = catalog.photo(PhotoKey(album: album, blob: copy.blob))
                else { return nil }
                return LeaveReport.Photo(
                    id: copy.blob.hex, album: albumName(album), name: photo.shownName, bytes: copy.byteCount,
                    where: holders(of: copy.blob).map(name))
            }
    }

    private var otherDevices: Set<DeviceID> {
        Set(otherLaptops).subtracting(catalog.formerDevices(of: engine.device))
    }

    private var incomingObstacles: [String] {
        guard let incoming else { return [] }
        if !incoming.isScanComplete {
            return ["Not all of the folder has been looked at yet: there may be photos in it that nobody else has."]
        }
        guard incoming.files > 0 else { return [] }
        let isOne = incoming.files == 1
        let files = isOne ? "1 file in the folder is" : "\(incoming.files) files in the folder are"
        let names = incoming.paths.prefix(3).joined(separator: ", ") + (incoming.files > 3 ? ", …" : "")
        return ["\(files) not shared yet (\(names)): \(isOne ? "it is" : "they are") on this laptop only."]
    }

    private func obstacles(_ short: [Copy], blocked: Int, others: Int) -> [String] {
        guard !short.isEmpty else { return [] }
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
        if names.count >= others {
            return [
                "\(photos) cannot be on \(others) others: of the laptops that are connected (\(names.joined(separator: ", "))) too few take them, because someone there left out the album's originals, paused, or has no room. `potluck originals ALBUM all` on such a laptop changes that."
            ]
        }
        let connected =
            names.isEmpty
            ? "no other laptop is connected"
            : "only \(names.joined(separator: " and ")) \(names.count == 1 ? "is" : "are") connected"
        return [
            "\(photos) cannot be on \(others) others: \(connected). Wait for another laptop, or ask for fewer with `--others`."
        ]
    }
}
