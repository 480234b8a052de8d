import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What waits for the disk, and the one transaction that it works on.
@Suite struct IntakeTests {
    /// An engine whose disk answers when the test says so.
    private struct SlowDisk {
        var engine: Engine
        private var random = TestRandom()
        private var nextLink: UInt64 = 1
        /// What is to be made durable, one element a transaction.
        private(set) var stores: [[AcceptedBatch]] = []
        private(set) var closed: [CloseReason] = []

        init(limits: EngineLimits) {
            engine = Engine(
                signing: TestSigning(1), journal: JournalFold(), held: [], holdings: HoldingsBook(limits: limits),
                replica: nil, run: [UInt8](repeating: 9, count: 16), port: 1, limits: limits)
        }

        mutating func feed(_ input: EngineInput) { feed([input]) }

        mutating func feed(_ inputs: [EngineInput]) {
            let now = MonotonicInstant(nanoseconds: 5_000_000_000)
            for directive in engine.handle(inputs, now: now, wall: 1_000_000_000, using: &random) {
                switch directive {
                case .store(let batches, _): stores.append(batches)
                case .close(_, let reason): closed.append(reason)
                default: break
                }
            }
        }

        /// A device connects and brings one page.
        mutating func bring(_ journal: [SignedBatch], from number: UInt8) -> LinkID {
            let link = LinkID(number: nextLink)
            nextLink += 1
            let device = BatchSignature.deviceID(publicKey: TestSigning(number).publicKey)
            let peer = AdmittedPeer(device, provenUnder: nil)
            feed(.connected(link, peer, address: PeerAddress(host: "10.0.0.9", port: 1), key: nil))
            let hello = Hello(
                versions: WireLimits.protocolVersions, run: [UInt8](repeating: number, count: 16), port: 1,
                foldLevel: UInt32(Catalog.level))
            feed(.received(link, .hello(hello)))
            feed(.received(link, .batches(BatchPage(batches: journal, page: 1))))
            return link
        }

        func knows(_ journal: [SignedBatch]) -> Bool {
            journal.allSatisfy { engine.log.contains(BatchSignature.batchID($0.content)) }
        }
    }

    /// The batches of a device that added one photo.
    private func journal(of number: UInt8) throws -> [SignedBatch] {
        var network = TestNetwork()
        try network.add(TestSigning(number))
        network.feed(0, .contribute(token: 1, .photo(albumName: "Beach", file(number))))
        network.settle()
        return network.nodes[0].journal.map(\.signed)
    }

    private func page(_ number: UInt64, byteCount: Int = 100) -> BatchPage {
        let batch = SignedBatch(content: [UInt8](repeating: 0, count: byteCount), signature: [])
        return BatchPage(batches: [batch], page: number)
    }

    /// While the disk works on a transaction none is begun, whatever comes. The next one takes the page that waits and a
    /// batch of contributions, and what is left makes the one after it.
    @Test func oneTransactionAtATime() throws {
        let limits = EngineLimits()
        var disk = SlowDisk(limits: limits)
        let ben = try journal(of: 2)
        for number in 0...UInt8(limits.changesPerBatchMax + 1) {
            disk.feed(.contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
        }
        _ = disk.bring(ben, from: 2)
        #expect(disk.stores.map { $0.map(\.batch.changes.count) } == [[2]])
        disk.feed(.stored)
        #expect(disk.stores.count == 2)
        #expect(disk.stores.last?.map(\.signed).contains(ben[0]) == true)
        #expect(disk.stores.last?.last?.batch.changes.count == limits.changesPerBatchMax)
        disk.feed(.stored)
        #expect(disk.stores.dropFirst(2).map { $0.map(\.batch.changes.count) } == [[1]])
        disk.feed(.stored)
        #expect(disk.stores.count == 3 && disk.engine.storing.intake.isIdle && disk.knows(ben))
    }

    /// Short words fill a batch as far as any other changes do. Catches a tag for which the room of the longest caption is
    /// kept: a batch had 31 of them then.
    @Test func shortWordsFillABatch() {
        var limits = EngineLimits()
        // Of more than 128 tags of a photo not all are listed.
        limits.changesPerBatchMax = 60
        let count = 2 * limits.changesPerBatchMax
        var disk = SlowDisk(limits: limits)
        disk.feed(.contribute(token: 0, .photo(albumName: "Beach", file(1))))
        disk.feed(.stored)
        let (album, blob) = (AlbumName.identifier("Beach"), file(1).blob)
        disk.feed((0..<count).map { .contribute(token: UInt64($0 + 1), .tag(album, blob, "sea \($0)")) })
        disk.feed(.stored)
        disk.feed(.stored)
        #expect(disk.engine.storing.intake.isIdle)
        let full = limits.changesPerBatchMax
        #expect(disk.stores.dropFirst().map { $0.map(\.batch.changes.count) } == [[full], [full]])
        #expect(disk.engine.catalog.photo(PhotoKey(album: album, blob: blob))?.tags.count == count)
    }

    /// Long ones do not: a batch stays below what it may have on the wire. Catches words whose room is not kept.
    @Test func longWordsDoNotFillABatch() {
        var limits = EngineLimits()
        limits.changesPerBatchMax = 70
        var disk = SlowDisk(limits: limits)
        let files = (1...UInt8(limits.changesPerBatchMax)).map { file($0) }
        disk.feed(files.map { .contribute(token: 0, .photo(albumName: "Beach", $0)) })
        while !disk.engine.storing.intake.isIdle { disk.feed(.stored) }
        let album = AlbumName.identifier("Beach")
        let caption = String(repeating: "x", count: CatalogLimits.captionByteCountMax)
        disk.feed(files.map { .contribute(token: 0, .caption(album, $0.blob, caption)) })
        while !disk.engine.storing.intake.isIdle { disk.feed(.stored) }
        let photos = disk.engine.catalog.albums[album]?.livePhotos.map(\.value) ?? []
        #expect(photos.count { $0.caption.shown?.value == caption } == files.count)
        #expect(disk.stores.joined().allSatisfy { $0.signed.content.count < CatalogLimits.batchByteCountMax * 2 / 3 })
    }

    /// A transaction takes pages until these have 512 KiB: two full ones, or the one with which they come to that.
    @Test func pagesOfATransactionAreBounded() {
        for (byteCount, counts) in [(256 << 10, [2, 1, 0]), ((256 << 10) - 1, [3, 0, 0]), (512 << 10, [1, 1, 1])] {
            var intake = StoreIntake(limits: EngineLimits())
            for number in 1...3 as ClosedRange<UInt64> {
                let isTaken = intake.append(page(number, byteCount: byteCount), from: LinkID(number: 1))
                #expect(isTaken)
            }
            let taken = counts.map { _ in intake.take().pages.count }
            #expect(taken == counts, "\(byteCount)")
        }
    }

    /// While the disk is slow, pages of connections that ended wait up to half of the room; those of one more are dropped.
    /// The other half is for the windows of eight live connections, and whoever sends more than its window is told so.
    @Test func pagesOfEndedConnectionsAreBounded() {
        let limits = EngineLimits()
        var intake = StoreIntake(limits: limits)
        func fill(_ link: LinkID) {
            for number in 1...UInt64(limits.pageWindow) {
                let isTaken = intake.append(page(number), from: link)
                #expect(isTaken)
            }
        }
        for number in 1...8 as ClosedRange<UInt64> {
            fill(LinkID(number: number))
            intake.linkClosed(LinkID(number: number))
        }
        #expect(intake.pageCount == 32)
        fill(LinkID(number: 9))
        intake.linkClosed(LinkID(number: 9))
        #expect(intake.pageCount == 32)
        for number in 10...17 as ClosedRange<UInt64> { fill(LinkID(number: number)) }
        #expect(intake.pageCount == limits.waitingPageCountMax)
        let isOneMoreTaken = intake.append(page(5), from: LinkID(number: 17))
        #expect(!isOneMoreTaken && intake.pageCount == limits.waitingPageCountMax)
    }

    /// What was dropped with a connection is not known afterwards, and the next connection brings it.
    @Test func droppedPagesAreBroughtAgain() throws {
        var limits = EngineLimits()
        limits.waitingPageCountMax = 4
        var disk = SlowDisk(limits: limits)
        let journals = try (2...5 as ClosedRange<UInt8>).map { try journal(of: $0) }
        // The first page is with the disk; two wait, and the third of those that wait is one too many.
        for (number, journal) in zip(2...5 as ClosedRange<UInt8>, journals) {
            let link = disk.bring(journal, from: number)
            disk.feed(.disconnected(link))
        }
        #expect(disk.engine.storing.intake.pageCount == 3)
        while !disk.engine.storing.intake.isIdle { disk.feed(.stored) }
        #expect(journals.map { disk.knows($0) } == [true, true, true, false])
        _ = disk.bring(journals[3], from: 5)
        disk.feed(.stored)
        #expect(disk.knows(journals[3]) && disk.closed.isEmpty)
    }
}
