import AlbumModel
import Crypto
import FoundationEssentials
import PhotoStore
import PotluckAPI
import SyncEngine

/// What `potluck albums` says without an agent, kept in the index by whoever had folded the journal: an agent at its end,
/// or the last listing. It is said again as long as all that it follows from is the same.
///
/// To fold a large journal takes seconds. Whether it has changed shows without: by the identifiers of its batches, by what
/// it remembers of other devices, and by the names of the files in `blobs/`. Whose word about copies counts depends on the
/// time besides, so an answer stands for a span of it.
struct KeptAlbums {
    let report: AlbumsReport
    /// When it is true, in microseconds since 1970.
    let span: Range<UInt64>

    /// Grows when the same journal and files come to be answered otherwise, but for what an ``IndexStamp`` tells.
    private static let level: UInt64 = 2

    init(_ report: AlbumsReport, span: Range<UInt64>) {
        self.report = report
        self.span = span
    }

    // MARK: Reading

    /// What is kept in a home, if it is true at this time; `nil` wherever there is a doubt. Blocks.
    init?(of home: EnteredHome, wall: UInt64) {
        let names = Beside { [path = home.path] in BlobStore.idsOnDisk(home: path) }
        let batches = try? home.journal.batchSet()
        guard let ids = try? names.wait(), let batches, let origin = try? Self.origin(batches, home.journal, ids),
            let bytes = Index.keptAnswer(home: home.path, origin: origin), let kept = Self(bytes: bytes),
            kept.span.contains(wall)
        else { return nil }
        self = kept
    }

    /// Both ends of the span, then the report as JSON.
    private init?(bytes: [UInt8]) {
        guard bytes.count > 16 else { return nil }
        let (start, end) = (BigEndian.word(bytes[..<8]), BigEndian.word(bytes[8..<16]))
        guard start <= end, let report = try? ReportJSON.value(AlbumsReport.self, from: Data(bytes[16...])) else {
            return nil
        }
        self.init(report, span: start..<end)
    }

    // MARK: Keeping

    /// For the end of an agent, when all that it remembers is in the journal: keeps what the next run would tell. Blocks.
    static func keep(_ engine: Engine, journal: Journal, index: Index, blobs: BlobStore, wall: UInt64) throws {
        guard let origin = try origin(engine, journal, index, blobs) else { return }
        let book = try OpenHome.readHoldings(journal).holdings
        let report = AlbumsReport(
            try index.albums(), catalog: engine.catalog, held: engine.held,
            copies: engine.copies(remembered: book, wall: wall))
        try KeptAlbums(report, span: book.span(around: wall)).write(index, origin)
    }

    /// Keeps what was told of a home in which no agent runs, with this engine. Blocks.
    func keep(_ engine: Engine, of home: OpenHome) throws {
        guard let origin = try Self.origin(engine, home.journal, home.index, home.blobs) else { return }
        try write(home.index, origin)
    }

    private func write(_ index: Index, _ origin: [UInt8]) throws {
        let bytes = BigEndian.bytes(span.lowerBound) + BigEndian.bytes(span.upperBound)
        try index.keep(answer: bytes + Array(try ReportJSON.data(report)), origin: origin)
    }

    // MARK: What it follows from

    /// The same for an answer that an engine gives; `nil` where that knows something else than journal, index and store.
    private static func origin(
        _ engine: Engine, _ journal: Journal, _ index: Index, _ blobs: BlobStore
    ) throws -> [UInt8]? {
        let batches = try journal.batchSet()
        let held = blobs.heldIDs
        guard batches.count == engine.log.batchCount, held == engine.held, blobs.isIndexed,
            try index.stamp() == IndexStamp(catalog: engine.catalog, log: engine.log)
        else { return nil }
        return try origin(batches, journal, held)
    }

    /// A hash of everything that the answer follows from, but the time.
    private static func origin(_ batches: BatchSet, _ journal: Journal, _ blobs: Set<BlobID>) throws -> [UInt8] {
        var hasher = SHA256()
        func update(_ bytes: [UInt8]) {
            hasher.update(data: BigEndian.bytes(UInt64(bytes.count)))
            hasher.update(data: bytes)
        }
        update(BigEndian.bytes(level) + BigEndian.bytes(UInt64(IndexStamp.level)))
        update(batches.hash)
        for kind in [FactKind.identity, .holdings, .ruling] {
            let facts = try journal.facts(kind)
            update(BigEndian.bytes(UInt64(facts.count)))
            for (key, value) in facts {
                update(key)
                update(value)
            }
        }
        update(BigEndian.bytes(UInt64(blobs.count)))
        for id in blobs.sorted() { id.withUnsafeBytes { hasher.update(bufferPointer: $0) } }
        return Array(hasher.finalize())
    }
}
