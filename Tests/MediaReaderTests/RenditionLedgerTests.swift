import AlbumModel
import Testing

@testable import MediaReader

/// What the store of renditions knows, step by step, without a disk.
@Suite struct RenditionLedgerTests {
    private let start = ContinuousClock.now

    private func ledger(_ change: (inout RenditionLimits) -> Void = { _ in }) -> RenditionLedger {
        var limits = RenditionLimits()
        limits.byteCountMax = 100
        change(&limits)
        return RenditionLedger(limits)
    }

    private func key(_ number: UInt8, _ kind: RenditionKind = .preview) -> RenditionKey {
        RenditionKey(kind: kind, blob: BlobID(bytes: [UInt8](repeating: number, count: 32))!)
    }

    private func name(_ number: UInt8, _ byteCount: UInt64, _ kind: RenditionKind = .preview) -> RenditionName {
        RenditionName(key(number, kind), byteCount: byteCount, sha256: "\(number)")
    }

    private func answer(_ ledger: inout RenditionLedger, _ key: RenditionKey, after time: Duration = .zero) -> String {
        switch ledger.ask(key, now: start.advanced(by: time)) {
        case .kept(let kept): "kept \(kept.name.byteCount) \(kept.isVerified)"
        case .making(let progress): "making \(progress.map { "\($0)" } ?? "-")"
        case .queued: "queued"
        case .failed(let reason): "failed \(reason)"
        case .busy: "busy"
        }
    }

    /// One asks, is queued; the next ones wait for the same making; who asks later is told how far it is, and gets it.
    @Test func oneMakingServesAll() {
        var ledger = ledger()
        #expect(answer(&ledger, key(1)) == "queued" && answer(&ledger, key(1)) == "making -")
        #expect(answer(&ledger, key(1, .video)) == "queued")
        #expect(ledger.next(.preview) == key(1) && ledger.next(.preview) == nil)
        #expect(answer(&ledger, key(1)) == "making -")
        for progress in [0.5, 0.25, -1] { ledger.advance(key(1), to: progress) }
        #expect(answer(&ledger, key(1)) == "making 0.5")
        ledger.advance(key(1), to: 7)
        #expect(answer(&ledger, key(1)) == "making 1.0")
        #expect(ledger.keep(name(1, 10)).isKept)
        #expect(answer(&ledger, key(1)) == "kept 10 true" && ledger.byteCount == 10)
    }

    /// They are made in the order in which they were asked for; those that are too many are turned away.
    @Test func queuesAreBounded() {
        var ledger = ledger { ($0.previewWaitingCountMax, $0.videoWaitingCountMax) = (2, 1) }
        #expect((1...3).map { answer(&ledger, key($0)) } == ["queued", "queued", "busy"])
        #expect((1...2).map { answer(&ledger, key($0, .video)) } == ["queued", "busy"])
        #expect(answer(&ledger, key(2)) == "making -")
        #expect(ledger.next(.preview) == key(1) && answer(&ledger, key(3)) == "queued")
        #expect(ledger.next(.preview) == key(2) && ledger.next(.preview) == key(3))
    }

    /// What was used longest ago makes way, as much of it as there must.
    @Test func theLeastRecentlyUsedGoes() {
        var ledger = ledger()
        for number in 1...4 as ClosedRange<UInt8> { #expect(ledger.keep(name(number, 25)).evicted == []) }
        #expect(answer(&ledger, key(1)) == "kept 25 true")
        #expect(ledger.keep(name(5, 30)).evicted == [name(2, 25), name(3, 25)])
        #expect(ledger.byteCount == 80 && answer(&ledger, key(2)) == "queued")
        #expect(ledger.keep(name(6, 100)).evicted == [name(4, 25), name(1, 25), name(5, 30)])
        #expect(ledger.byteCount == 100)
    }

    /// There are never more files than may be, however small.
    @Test func filesAreCounted() {
        var ledger = ledger { $0.fileCountMax = 2 }
        #expect(ledger.keep(name(1, 1)).evicted == [] && ledger.keep(name(2, 1)).evicted == [])
        #expect(ledger.keep(name(3, 1)).evicted == [name(1, 1)])
    }

    /// A failure is remembered for a while: long where it is the file's, briefly where it is the moment's.
    @Test func failuresAreRemembered() {
        var ledger = ledger { $0.failureCountMax = 2 }
        func fail(_ number: UInt8, isLasting: Bool) {
            #expect(answer(&ledger, key(number)) == "queued")
            #expect(ledger.next(.preview) == key(number))
            ledger.fail(key(number), reason: "r\(number)", isLasting: isLasting, now: start)
        }
        fail(1, isLasting: true)
        fail(2, isLasting: false)
        #expect(answer(&ledger, key(1), after: .seconds(599)) == "failed r1")
        #expect(answer(&ledger, key(2), after: .seconds(29)) == "failed r2")
        #expect(answer(&ledger, key(2), after: .seconds(30)) == "queued")
        #expect(answer(&ledger, key(1), after: .seconds(600)) == "queued")
        _ = (ledger.next(.preview), ledger.next(.preview))
        // The one that would be forgotten first makes way.
        fail(3, isLasting: false)
        fail(4, isLasting: true)
        fail(5, isLasting: true)
        #expect(answer(&ledger, key(3)) == "queued" && answer(&ledger, key(4)) == "failed r4")
    }

    /// What was found in the directory is used, as far as it has room, and nothing of it is trusted; what waited for it
    /// need not be made.
    @Test func aStartLoadsWhatIsThere() {
        var ledger = ledger()
        #expect(answer(&ledger, key(3)) == "queued" && answer(&ledger, key(9)) == "queued")
        let (removed, ready) = ledger.load([name(1, 60), name(2, 101), name(3, 30), name(4, 20)])
        #expect(removed == [name(2, 101), name(1, 60)] && ready == [key(3)])
        #expect(ledger.next(.preview) == key(9) && ledger.next(.preview) == nil)
        #expect(answer(&ledger, key(3)) == "kept 30 false")
        ledger.verify(name(3, 30))
        #expect(answer(&ledger, key(3)) == "kept 30 true")
        ledger.drop(name(4, 20))
        #expect(answer(&ledger, key(4)) == "queued" && ledger.byteCount == 30)
    }

    /// Of an original that is to be seen no more nothing is kept, nothing waits, nothing is remembered, and what is being
    /// made comes to nothing.
    @Test func originalsAreForgotten() {
        var ledger = ledger()
        #expect(ledger.keep(name(1, 10)).isKept)
        #expect(answer(&ledger, key(1, .video)) == "queued" && ledger.next(.video) == key(1, .video))
        #expect(answer(&ledger, key(2)) == "queued" && answer(&ledger, key(3)) == "queued")
        let (files, underway) = ledger.remove(key(1).blob)
        #expect(files == [name(1, 10)] && underway == [key(1, .video)] && ledger.byteCount == 0)
        let (isKept, removed) = ledger.keep(name(1, 10, .video))
        #expect(!isKept && removed == [name(1, 10, .video)])
        #expect(answer(&ledger, key(1, .video)) == "queued")
        _ = ledger.remove(key(2).blob)
        #expect(ledger.next(.preview) == key(3))
    }

    /// Names say what they name, and others are nobody's.
    @Test func namesAreReadBack() throws {
        let text = name(7, 12345, .video).text
        #expect(RenditionName(text: text) == name(7, 12345, .video))
        let others = [
            "", "making-3", text + "x-", text + "-1", text.uppercased(), "0" + text,
            text.replacing("video.1", with: "video.0"), text.replacing("-12345-", with: "-012345-"),
            text.replacing("-12345-", with: "-+12345-"), text.replacing("video", with: "sound"),
        ]
        for other in others { #expect(RenditionName(text: other) == nil, "\(other)") }
    }
}
