import AlbumModel
import PotluckAPI
import SharedFolder
import SyncEngine

/// What is still to come, and what may be lost. A photo of several files is listed once, by one that is not here.
extension ReportBuilder {
    func status(
        folder: String?, rate: UInt64?, problems: [String], skipped: [PotluckAPI.SkippedFile]?, all: Bool
    ) async -> StatusReport {
        let (wanted, atRisk, leftOut) = (wantedPhotos, blobsAtRisk, blobsLeftOut)
        // Mostly there is nothing to count.
        let isComplete = wanted.isEmpty && toPlace.isEmpty && atRisk.isEmpty && leftOut.isEmpty
        let counter = isComplete ? MomentCounter() : await momentCounter()
        var report = StatusReport(
            device: .init(id: engine.device.hex, name: ownName),
            gathering: .init(name: gatheringName, tag: Hexadecimal.text(membership.tag)),
            agent: isOffline ? .stopped : .running, folder: folder, missing: missing(wanted, counter, all: all),
            rate: rate, atRisk: amount(atRisk, counter), connected: engine.connectedDevices.count, problems: problems,
            skipped: skipped)
        report.leftOut = amount(leftOut, counter)
        report.notCounted = notCounted
        report.incoming = incoming.map { amount($0) }
        report.incomingSeconds = incomingSeconds
        return report
    }

    /// - Parameter blobs: each once.
    func amount(_ blobs: some Collection<BlobID>, _ counter: MomentCounter) -> StatusReport.Amount {
        StatusReport.Amount(
            photos: counter.leads(of: blobs).count,
            bytes: blobs.reduce(0) { $0 + (catalog.newestAdd(of: $1)?.byteCount ?? 0) })
    }

    private var blobsAtRisk: [BlobID] {
        let here = liveBlobs().filter { engine.held.contains($0) }
        return zip(here, copies.counts(of: Array(here)).photos).filter { $1 == 0 }.map(\.0)
    }

    /// In the order in which they are wanted.
    private var wantedPhotos: [BlobID] {
        engine.wantedPhotos.map { ($0, catalog.newestAdd(of: $0)) }
            .sorted { left, right in
                let (first, second) = (left.1?.order, right.1?.order)
                if first != second { return (first?.microseconds ?? 0) > (second?.microseconds ?? 0) }
                return left.0 < right.0
            }.map(\.0)
    }

    private func missing(_ wanted: [BlobID], _ counter: MomentCounter, all: Bool) -> StatusReport.Missing {
        let photos = counter.leads(of: wanted)
        var placed: Set<PhotoKey> = []
        let toPlace = toPlace.sorted().filter { key in
            let lead = counter.lead(of: key.blob)
            return !photos.contains(lead) && placed.insert(PhotoKey(album: key.album, blob: lead)).inserted
        }
        let countMax = all ? Int.max : StatusReport.Missing.itemCountMax
        let arriving = counter.firsts(of: wanted).prefix(countMax).compactMap { item($0) }
        let arrived = toPlace.prefix(countMax - arriving.count).compactMap { key in
            item(key, reason: "here, and being put into the folder")
        }
        let hindered = isOffline ? nil : hindered(wanted, counter)
        return StatusReport.Missing(
            photos: photos.count + toPlace.count, bytes: MissingCount(engine).bytes,
            unreachable: hindered?.unreachable, heldUp: hindered?.heldUp, items: arriving + arrived)
    }

    /// How many photos nothing of which can come, since no connected device has it or this side keeps it back. A photo of
    /// which one file can is neither; one of which others could send a file is held up.
    private func hindered(_ wanted: [BlobID], _ counter: MomentCounter) -> (unreachable: Int, heldUp: Int) {
        let reachable = Set(wanted.filter { engine.hasConnectedHolder($0) })
        let heldUp = reachable.intersection(engine.heldUpPhotos)
        let coming = counter.leads(of: reachable.subtracting(heldUp))
        return (
            counter.leads(of: wanted).subtracting(counter.leads(of: reachable)).count,
            counter.leads(of: heldUp).subtracting(coming).count
        )
    }

    private func item(_ blob: BlobID) -> StatusReport.Item? {
        catalog.liveAlbums(of: blob, max: 1).first.flatMap { album in
            item(PhotoKey(album: album, blob: blob), reason: reason(blob))
        }
    }

    private func item(_ key: PhotoKey, reason: String) -> StatusReport.Item? {
        catalog.photo(key).map { photo in
            StatusReport.Item(
                id: key.blob.hex, album: catalog.shownName(key.album) ?? "", name: photo.shownName, reason: reason)
        }
    }

    /// Why a photo is not here, in words.
    private func reason(_ blob: BlobID) -> String {
        if isOffline { return "the agent is stopped" }
        switch engine.missingReason(blob) {
        case .asking(let devices): return "coming from \(devices.map(name).joined(separator: " and "))"
        case .nobodyConnected:
            let lately = holders(of: blob)
            let holders = lately.isEmpty ? engine.formerHolders(of: blob, wall: now) : lately
            guard !holders.isEmpty else {
                return isFromHere(blob)
                    ? "it was on this laptop only, as far as is known, and its bytes are gone; put the file into the folder again if there is a copy"
                    : "nobody who is connected has it"
            }
            return "nobody here has it; last seen on \(holders.map(name).joined(separator: " and "))"
        case .paused(let sentence): return sentence
        case .heldUp(let hold): return Self.words(hold)
        case .rejected: return "its description turned out to be wrong; whoever added it should add it again"
        case .queued, nil: return "waiting for its turn"
        }
    }

    /// Only this laptop added it, in this life or an earlier one.
    private func isFromHere(_ blob: BlobID) -> Bool {
        catalog.liveAdds(of: blob).allSatisfy { catalog.isOwn(author: $0.author, of: engine.device) }
    }
}

/// How much is still on its way.
struct MissingCount {
    private(set) var photos = 0
    private(set) var bytes: UInt64 = 0

    init(_ engine: Engine) {
        for blob in engine.wantedPhotos {
            photos += 1
            let byteCount = engine.catalog.newestAdd(of: blob)?.byteCount ?? 0
            bytes += byteCount - min(byteCount, engine.heldByteCount(of: blob))
        }
    }
}
