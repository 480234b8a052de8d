import AlbumModel
import CameraClocks
import PhotoStore
import PotluckAPI

/// How the cameras of an album compare.
extension ReportBuilder {
    /// - Parameter words: Only those whose owner, make, model and serial number contain each of them; `nil` for all.
    func clocks(album text: String, camera words: String?) async throws -> ClocksReport {
        let album = try album(text)
        let cameras = try await compareClocks(album).filter { words.map($0.report.fits) ?? true }
        if let words, cameras.isEmpty { throw unknownCamera(words, album) }
        return ClocksReport(album: albumName(album), albumID: album.hex, cameras: cameras.map(\.report))
    }

    /// What `edit` changes, each with the seconds that are to be added to the camera's clock from now on.
    func clockChanges(_ edit: ClockEdit) async throws -> [(camera: CameraKey, seconds: Int64)] {
        let album = try album(edit.album)
        let cameras = try await compareClocks(album).filter { edit.camera.map($0.report.fits) ?? true }
        if let words = edit.camera, cameras.isEmpty { throw unknownCamera(words, album) }
        guard let seconds = edit.seconds else {
            return cameras.compactMap { camera in
                camera.report.hasProposal ? camera.report.proposed.map { (camera.key, $0) } : nil
            }
        }
        guard CatalogLimits.clockSeconds.contains(seconds) else {
            throw PotluckError(.usage, "A clock is not set by more than a hundred years.")
        }
        guard cameras.count == 1 else { throw severalCameras(cameras.map(\.report), album) }
        return [(cameras[0].key, seconds)]
    }

    /// Every camera that photos of the album name, in the order of their keys.
    private func compareClocks(_ album: AlbumID) async throws -> [(key: CameraKey, report: ClocksReport.Camera)] {
        var counts: [CameraKey: Int] = [:]
        var samples: [ClockSample] = []
        // A raw file and its picture are one photo, and tell the same.
        for entry in try await entries(PhotoFilter(album: album)) {
            guard let photo = catalog.photo(entry.key), let key = photo.cameraKey, let facts = photo.facts else {
                continue
            }
            counts[key, default: 0] += 1
            if let sample = ClockSample(camera: key, facts: facts) { samples.append(sample) }
        }
        // It may take a good part of a second.
        let comparison = try await indexPool.perform { [samples] in ClockComparison(of: samples) }
        let verdicts = Dictionary(uniqueKeysWithValues: comparison.cameras.map { ($0.key, $0.verdict) })
        let corrections = catalog.albums[album]?.cameraClocks ?? [:]
        return counts.sorted { $0.key < $1.key }.map { key, count in
            var camera = ClocksReport.Camera(
                by: name(key.contributor), device: key.contributor.hex, make: key.make.nonEmpty,
                model: key.model.nonEmpty, serial: key.serial.nonEmpty, photos: count)
            camera.applied = corrections[key]?.shown?.value ?? 0
            if let verdict = verdicts[key] { camera.take(verdict) } else { camera.doubt = .noTimes }
            return (key, camera)
        }
    }

    private func unknownCamera(_ words: String, _ album: AlbumID) -> PotluckError {
        let name = albumName(album)
        return PotluckError(
            .notFound, "No camera of “\(name)” is called “\(words)”. `potluck clock \"\(name)\"` lists them.")
    }

    private func severalCameras(_ cameras: [ClocksReport.Camera], _ album: AlbumID) -> PotluckError {
        guard !cameras.isEmpty else {
            return PotluckError(.notFound, "No photo of “\(albumName(album))” says which camera took it.")
        }
        let names = cameras.map { camera in
            [camera.by, camera.make, camera.model, camera.serial].compactMap { $0 }.joined(separator: " ")
        }
        return PotluckError(
            .usage,
            "That could be \(cameras.count) cameras; say with --camera which one is meant: \(names.joined(separator: ", "))."
        )
    }
}

extension ClocksReport.Camera {
    /// Whether what is known of it contains each of the words, in any case.
    fileprivate func fits(_ words: String) -> Bool {
        let known = AlbumName.key([by, make, model, serial].compactMap { $0 }.joined(separator: " "))
        return QueryFilter.words(words).allSatisfy { known.contains($0) }
    }
}
