import AlbumModel
import DiskIO
public import Logging
public import ServiceLifecycle

/// Finds out what photos and films are, when and where they were taken, and makes pictures of them to look at.
///
/// Files are hostile until shown otherwise: nothing of them is decoded in this process. Programs with no right but to
/// read the one file that they are handed do it, bounded in memory and time; one that a file breaks is replaced, and the
/// others notice nothing. The page "MediaReader" of the agent's documentation tells how.
public final class MediaReader: Service, Sendable {
    /// Grows when facts or thumbnails of the same file come out better: ``PhotoFacts/readerVersion``.
    public static let version: UInt32 = 2

    /// Sentences: what it cannot do on this machine because a program, or something of the kernel's, is missing.
    public let lacks: [String]

    private let settings: MediaReaderSettings
    private let previewSettings: MediaReaderSettings
    private let pool: WorkerPool
    /// One slot each, which give way to readings.
    private let previewPool: WorkerPool
    private let filmPool: WorkerPool
    private let previewQueue: QueueBound
    private let filmQueue: QueueBound
    private let logger: Logger

    public init(settings: MediaReaderSettings, logger: Logger) {
        self.settings = settings
        var previewSettings = settings
        previewSettings.limits = settings.limits.ofPreviews
        self.previewSettings = previewSettings
        self.logger = logger
        lacks = Lacks.sentences(settings)
        pool = WorkerPool(settings, slotCount: settings.workerCount, isIdle: false)
        previewPool = WorkerPool(previewSettings, slotCount: 1, isIdle: true)
        filmPool = WorkerPool(settings, slotCount: 1, isIdle: true)
        previewQueue = QueueBound(countMax: settings.limits.previewCountMax)
        filmQueue = QueueBound(countMax: settings.limits.playableCountMax)
    }

    /// Gives back the memory of workers that have nothing to do, until graceful shutdown or cancellation; then ends all
    /// processes, and fails whoever still waits. To be called once. Does not throw.
    public func run() async throws {
        // Cancellation is how it ends, too.
        try? await cancelWhenGracefulShutdown { [pool, previewPool, settings] in
            while true {
                try await Task.sleep(for: settings.limits.idleTimeout / 4)
                await pool.endIdle(after: settings.limits.idleTimeout)
                await previewPool.endIdle(after: settings.limits.idleTimeout)
            }
        }
        for pool in [pool, previewPool, filmPool] { await pool.stop() }
    }

    /// What a file is, and a thumbnail of it. Waits in line until a worker is free.
    ///
    /// Whatever is wrong with the file stands in ``PhotoFacts/problem``; what is wrong with this machine or this moment
    /// makes ``MediaReading/isFinal`` false.
    public func read(_ file: MediaFile) async -> MediaReading {
        do {
            let outcome = try await reading(file, side: settings.limits.thumbnailSide, .ordinary).read()
            let thumbnail = outcome.picture.map(Picture.init)
            if !outcome.facts.problem.isEmpty {
                logger.debug("file has a problem", metadata: ["file.name": "\(file.name)"])
            }
            guard let thumbnail, thumbnail.bytes.count <= settings.limits.thumbnailByteCountMax else {
                return MediaReading(facts: outcome.facts, thumbnail: nil)
            }
            return MediaReading(facts: outcome.facts, thumbnail: thumbnail)
        } catch {
            logger.debug("file was not read", metadata: ["file.name": "\(file.name)", "error": "\(error)"])
            var facts = MetadataReading.facts(
                from: RawMetadata(), name: file.name, modified: file.modified, readerVersion: Self.version)
            facts.problem = Self.sentence(error)
            return MediaReading(facts: facts, thumbnail: nil, isFinal: false)
        }
    }

    /// A picture of a photo, of a film's frame or of a RAW file's preview. Goes before ``read(_:)``.
    ///
    /// - Parameter fitting: the square that it fits, in pixels, 1 to 8192; it is never larger than the original.
    /// - Throws: ``MediaError``, or `CancellationError`.
    public func picture(of file: MediaFile, fitting: Int) async throws -> Picture {
        try await picture(reading(file, side: fitting, .soon))
    }

    /// The same, 2048 pixels at most a side, for somebody who looks at one photo after the other. One at a time, in the
    /// order of the calls, by a worker that runs only while readings leave it processor time. On a machine that has none
    /// for it this fails with ``MediaError/Code/impossible`` after some time.
    ///
    /// - Throws: ``MediaError``, ``MediaError/Code/busy`` where ``MediaReaderLimits/previewCountMax`` wait; or
    ///   `CancellationError`.
    public func preview(of file: MediaFile) async throws -> Picture {
        try await previewQueue.perform {
            try await picture(
                FileReading(
                    file: file, side: Self.side(settings.limits.previewSide), settings: previewSettings,
                    pool: previewPool, urgency: .soon))
        }
    }

    /// The same, written to a file.
    ///
    /// - Parameter path: where nothing is yet; nothing is left there after an error.
    public func preview(of file: MediaFile, into path: String) async throws {
        let picture = try await preview(of: file)
        do {
            try await previewPool.perform(.soon) { _ in try Descriptor.write(picture.bytes, to: path) }
        } catch let failure as WorkerFailure {
            throw MediaError(failure)
        }
    }

    /// Writes a film as all browsers play it: H.264 and AAC in an MP4 that can be played from its beginning while the rest
    /// comes; upright, at most 1080 lines, HDR toned down, without metadata. Takes from a tenth of the film's length to
    /// many times that. One at a time, in the order of the calls; gives way to readings.
    ///
    /// Ends early when its task is cancelled.
    ///
    /// - Parameters:
    ///   - path: where nothing is yet; nothing is left there after an error.
    ///   - progress: is told from 0 to 1, growing, about twice a second, on a thread of the reader. Must not block. A film
    ///     whose length nobody knows stays at 0.
    /// - Throws: ``MediaError``, ``MediaError/Code/busy`` where ``MediaReaderLimits/playableCountMax`` wait; or
    ///   `CancellationError`.
    public func playable(
        of file: MediaFile, into path: String, progress: @escaping @Sendable (Double) -> Void
    ) async throws {
        do {
            try await filmQueue.perform {
                try await PlayableFilm(
                    file: file, path: path, settings: settings, pool: filmPool, progress: progress
                ).make()
            }
        } catch let failure as WorkerFailure {
            throw MediaError(failure)
        }
    }

    private func picture(_ reading: FileReading) async throws -> Picture {
        do {
            let outcome = try await reading.read()
            guard let picture = outcome.picture else {
                let problem = outcome.facts.problem
                throw MediaError(.unreadable, problem.isEmpty ? "There is no picture to show of it here." : problem)
            }
            return Picture(picture)
        } catch let failure as WorkerFailure {
            throw MediaError(failure)
        }
    }

    /// Writes a copy that says nothing of the place where it was taken, and is the same else: no pixel is touched.
    ///
    /// - Parameter path: where nothing is yet; nothing is left there after an error.
    /// - Throws: ``MediaError``, or `CancellationError`. Formats that ExifTool cannot write are ``MediaError/Code/unreadable``
    ///   unless they say nothing of a place anyway.
    public func copyWithoutPlace(of file: MediaFile, to path: String) async throws {
        do {
            try await PlacelessCopy(file: file, path: path, settings: settings, pool: pool).make()
        } catch let failure as WorkerFailure {
            throw MediaError(failure)
        }
    }

    private func reading(_ file: MediaFile, side: Int, _ urgency: WorkerPool.Urgency) -> FileReading {
        FileReading(file: file, side: Self.side(side), settings: settings, pool: pool, urgency: urgency)
    }

    private static func side(_ side: Int) -> UInt16 { UInt16(min(max(1, side), PictureLimits.sideMax)) }

    private static func sentence(_ error: any Error) -> String {
        (error as? WorkerFailure).map { MediaError($0).description } ?? "It was not read: Potluck is stopping."
    }

    /// The processes that wait for work or do some, and who waits for them, for tests.
    var processes: [ChildProcess] { [pool, previewPool].flatMap(\.processes) }
    var waitingPreviewCount: Int { previewQueue.currentCount }
    var filmProcess: ChildProcess? { filmPool.tools.first }
}
