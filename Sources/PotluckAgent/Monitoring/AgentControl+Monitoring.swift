import AlbumModel
import PeerTransport
import PotluckAPI
import SyncEngine

/// What monitors are told beside a status.
struct Monitoring: Sendable {
    /// The agent's, such as `1.0`.
    let version: String
    let started: MonotonicInstant
    let disk: DiskProbe
}

extension AgentControl {
    func health() async throws -> HealthReport {
        // What is lost is looked at anew.
        _ = await services.recovery.currentProblems
        let failure = try await parts.blobPool.perform { [parts, disk = monitoring.disk] in
            disk.failure(now: parts.clock.now)
        }
        return HealthReport(services.problems.current, diskFailure: failure)
    }

    func figures() async throws -> FiguresReport {
        let health = try await health()
        let status = try await status(skipped: false, all: false)
        let skippedCount = services.folder.files?.skippedFiles().count ?? 0
        let builder = await builder()
        let trash = try builder.trash(
            album: nil, removedPhotos: services.removal.removedPhotos, runningSeconds: nil, days: nil
        ).trash
        let (photos, held) = builder.photoAmounts(await builder.momentCounter())
        let traffic = parts.transport.traffic
        let pulling = builder.engine.queueSizes.pull
        return FiguresReport(
            version: monitoring.version, uptimeSeconds: parts.clock.now.seconds(since: monitoring.started),
            status: status, knownDevices: builder.otherLaptops.count,
            albums: builder.catalog.albums.values.count { $0.liveCount > 0 }, photos: photos, held: held,
            trash: .init(photos: trash.count, bytes: trash.reduce(0) { $0 + $1.bytes }),
            traffic: .init(received: traffic.received, sent: traffic.sent),
            pulling: .init(
                wanted: builder.engine.wantedPhotos.count { _ in true }, active: pulling.workingSet,
                requestedBytes: pulling.outstandingByteCount),
            batches: builder.engine.log.batchCount, skippedFiles: skippedCount, health: health)
    }
}

extension ReportBuilder {
    /// Different photos in albums, and those of them that are whole here: no file of theirs is missing.
    fileprivate func photoAmounts(_ counter: MomentCounter) -> (all: StatusReport.Amount, held: StatusReport.Amount) {
        let blobs = liveBlobs()
        let here = blobs.intersection(engine.held)
        let missing = counter.leads(of: blobs.subtracting(here))
        var held = amount(here, counter)
        held.photos = counter.leads(of: blobs).subtracting(missing).count
        return (amount(blobs, counter), held)
    }
}
