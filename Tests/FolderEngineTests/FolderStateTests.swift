import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

struct FolderStateTests {
    private let album = AlbumName.identifier("A")
    private let path = FolderPath("A/x.jpg")

    private func record(
        _ seed: UInt8, inode: UInt64 = 1, origin: FileRecord.Origin = .dropped
    ) -> FileRecord {
        FileRecord(
            photo: PhotoKey(album: album, blob: blobID([seed])),
            signature: FileSignature(inode: inode, byteCount: 10, modified: -5, changed: 7), origin: origin)
    }

    private let boot = BootID(bytes: [1])

    /// What the journal would hold after these changes.
    private func reloaded(_ changes: [FactChange]) -> FolderState {
        func facts(_ kind: FactKind) -> [(key: [UInt8], value: [UInt8])] {
            var values: [[UInt8]: [UInt8]] = [:]
            for change in changes where change.kind == kind { values[change.key] = change.value }
            return values.map { ($0.key, $0.value) }
        }
        return FolderState(
            files: facts(.folderFile), gone: facts(.folderGone), intents: facts(.folderIntent),
            fresh: FreshFiles(boot: boot))
    }

    // Shows that records survive the way through the journal, and that bytes of a later version are not misread.
    @Test func recordsAreFacts() {
        let record = record(1)
        #expect(FileRecord(bytes: record.bytes) == record)
        #expect(FileRecord(bytes: [2] + record.bytes.dropFirst()) == nil)
        #expect(FileRecord(bytes: Array(record.bytes.dropLast())) == nil)
    }

    // Shows that the changes a state returns rebuild it, through finds, moves, overwriting and deleting.
    @Test func changesRebuildTheState() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        var changes = state.record(path, record(1))
        changes += state.record(FolderPath("A/y.jpg"), record(2, inode: 2))
        let deleted = FolderPath("A/deleted.jpg")
        changes += state.record(deleted, record(4, inode: 4))
        changes += state.settle(FolderState.Settlement(left: [(deleted, record(4).photo, isGone: true)]))
        changes += state.settle(
            FolderState.Settlement(
                left: [(path, record(1).photo, isGone: true)], held: [(FolderPath("A/z.jpg"), record(1))]))
        changes += state.record(FolderPath("A/y.jpg"), record(3, inode: 2))
        changes += state.drop(FolderPath("A/z.jpg"))
        let again = reloaded(changes)
        #expect(again.files == state.files && again.gone == state.gone)
        #expect(state.files.keys.sorted() == [FolderPath("A/y.jpg")])
        #expect(Set(state.gone.keys) == [record(4).photo])
    }

    // Shows that what is remembered of a directory counts, unless only another album has files there.
    @Test func directoriesStandForAlbums() {
        let (directory, other) = (FolderPath("A"), AlbumName.identifier("B"))
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        func albums() -> [AlbumID?] { [nil, other].map { state.album(of: directory, remembered: $0) } }
        #expect(albums() == [nil, other])
        _ = state.record(path, record(1))
        #expect(albums() == [album, album])
        var others = record(2)
        others.photo.album = other
        _ = state.record(FolderPath("A/y.jpg"), others)
        _ = state.record(FolderPath("A/z.jpg"), record(3))
        #expect(albums() == [album, other])
        _ = state.record(FolderPath("x.jpg"), record(1))
        #expect(state.album(of: .root, remembered: nil) == nil && state.album(of: .root, remembered: other) == other)
    }

    // Shows that a directory is an album's from the moment on at which a name in it is reserved, also behind a crash, and
    // that no other album gets a name there.
    @Test func reservationsMakeItAnAlbums() {
        let (directory, other) = (FolderPath("A"), AlbumName.identifier("B"))
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        guard case .reserved(let changes) = state.reserve(path, for: record(1).photo) else {
            Issue.record("the name is not free")
            return
        }
        var others = record(2).photo
        others.album = other
        for var state in [state, reloaded(changes)] {
            #expect(state.album(of: directory, remembered: other) == album)
            #expect(state.reserve(FolderPath("A/y.jpg"), for: others) == .directoryUnfit)
        }
        _ = state.release(path)
        #expect(state.album(of: directory, remembered: other) == other)
    }

    // Shows that a photo counts as gone with its last file only, and is back with the next.
    @Test func theLastFileCounts() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        _ = state.record(path, record(1))
        _ = state.record(FolderPath("A/copy.jpg"), record(1, inode: 2, origin: .duplicate))
        for path in [path, FolderPath("A/copy.jpg")] {
            #expect(state.gone.isEmpty)
            _ = state.settle(FolderState.Settlement(left: [(path, record(1).photo, isGone: true)]))
        }
        #expect(state.reserve(path, for: record(1).photo) == .unwanted)
        _ = state.record(path, record(1))
        #expect(state.gone.isEmpty)
    }

    // Shows that a photo whose file's name goes to another one without a judgement may be placed again: no person deleted it.
    @Test func anOverwrittenPhotoIsNotGone() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        _ = state.record(path, record(1))
        _ = state.record(path, record(2))
        guard case .reserved = state.reserve(FolderPath("A/new.jpg"), for: record(1).photo) else {
            Issue.record("it is never placed again")
            return
        }
    }

    // Shows the same of a photo that left its album before its edit was settled: whoever brings it back wants its file.
    @Test func aPhotoThatLeftIsNotGone() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        _ = state.record(path, record(1))
        _ = state.leave(path, record(1).photo)
        let changes = state.settle(FolderState.Settlement(left: [(path, record(1).photo, isGone: true)]))
        #expect(state.gone.isEmpty && !state.isLeaving(path))
        #expect(!changes.contains { $0.kind == .folderGone })
    }

    // Shows the same of a photo whose new place was taken while its move was being settled.
    @Test func aPhotoWithoutAPlaceIsNotGone() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        _ = state.record(path, record(1))
        let target = FolderPath("A/new.jpg")
        _ = state.record(target, record(2))
        _ = state.settle(
            FolderState.Settlement(left: [(path, record(1).photo, isGone: true)], held: [(target, record(1))]))
        #expect(state.files == [target: record(2)] && state.gone.isEmpty)
    }

    // Shows that a name at which an interrupted placing may have left its file is not free, until it is known what is there.
    @Test func interruptedPlacingsKeepTheirNames() {
        let intent = (key: path.bytes, value: record(1).photo.bytes)
        var state = FolderState(files: [], gone: [], intents: [intent], fresh: FreshFiles(boot: boot))
        let isEcho = state.isEcho(path)
        #expect(state.settleInterrupted(path) { .unknown }.isEmpty && !isEcho)
        #expect(state.reserve(path, for: record(2).photo) == .taken)
        let changes = state.record(path, record(3))
        #expect(changes.first == FactChange(kind: .folderIntent, key: path.bytes, value: nil))
        _ = state.drop(path)
        guard case .reserved = state.reserve(path, for: record(2).photo) else {
            Issue.record("the name is never free again")
            return
        }
    }

    // Shows that a name is taken in whatever case and normalisation, by files and by placings under way.
    @Test func namesAreReservedFolded() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        _ = state.record(FolderPath("A/CAFE\u{301}.jpg"), record(1))
        #expect(state.reserve(FolderPath("a/caf\u{E9}.JPG"), for: record(2).photo) == .taken)
        guard case .reserved = state.reserve(path, for: record(2).photo) else {
            Issue.record("the name is free")
            return
        }
        #expect(state.reserve(FolderPath("A/X.jpg"), for: record(3).photo) == .taken)
        let isEchoBefore = state.isEcho(path)
        let wasNoticed = state.release(path).wasNoticed
        let isEchoAfter = state.isEcho(path)
        #expect(isEchoBefore && wasNoticed && !isEchoAfter)
    }

    // Shows that a renamed file is known by inode, size and time, within its album's directory only.
    @Test func renamedFilesAreKnown() {
        var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
        _ = state.record(path, record(1))
        var renamed = record(1).signature
        renamed.changed += 1
        #expect(state.sameFile(as: renamed, beside: FolderPath("A/sub/new.jpg")) == path)
        #expect(state.sameFile(as: renamed, beside: FolderPath("B/new.jpg")) == nil)
        renamed.modified += 1
        #expect(state.sameFile(as: renamed, beside: FolderPath("A/new.jpg")) == nil)
    }

    // Shows what a find means, for every standing and way of finding.
    @Test func findsAreDecided() {
        func decide(
            _ standing: PhotoStanding, live: Bool, same: Bool = false, others: [FolderPath] = [],
            vanished: [FolderPath] = [], wasGone: Bool = false
        ) -> DropDecision {
            DropDecision.decide(
                standing: standing, isLive: live, isSameAtPath: same, others: others, vanished: vanished,
                wasGone: wasGone)
        }
        #expect(decide(.unknown, live: false) == .contribute)
        #expect(decide(.present, live: true) == .contribute)
        #expect(decide(.present, live: false) == .adopt)
        #expect(decide(.present, live: true, same: true) == .adopt)
        #expect(decide(.present, live: true, others: [path]) == .duplicate)
        #expect(decide(.present, live: true, vanished: [path]) == .follow(path))
        #expect(decide(.present, live: true, wasGone: true) == .adopt)
        #expect(decide(.removed, live: true, others: [path]) == .contribute)
        #expect(decide(.removed, live: false) == .adoptRemoved)
    }

    // Shows what folder state has of a find, for every decision.
    @Test func findsAreRecorded() {
        let photo = record(1).photo
        let signature = FileSignature(inode: 9, byteCount: 10, modified: 0, changed: 0)
        func origin(_ decision: DropDecision, _ before: FileRecord?, old: FileRecord? = nil) -> FileRecord.Origin? {
            var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
            if let before { _ = state.record(path, before) }
            if let old { _ = state.record(FolderPath("A/old.jpg"), old) }
            let now = decision.record(photo, signature, at: path, in: state)
            #expect(now == nil || now?.photo == photo && now?.signature == signature)
            return now?.origin
        }
        #expect(origin(.contribute, nil) == nil)
        #expect(origin(.adopt, nil) == .adopted)
        #expect(origin(.adopt, record(1, origin: .placed)) == .placed)
        #expect(origin(.adopt, record(1, origin: .removed)) == .adopted)
        #expect(origin(.adopt, record(2)) == .adopted)
        #expect(origin(.duplicate, record(1)) == .duplicate)
        // What a person calls it stays.
        #expect(origin(.follow(FolderPath("A/old.jpg")), nil, old: record(1, origin: .placed)) == .named)
        #expect(origin(.follow(FolderPath("A/old.jpg")), nil) == .adopted)
        #expect(origin(.adoptRemoved, nil) == .removed)
        #expect(DropDecision.follow(path).replaced == path && DropDecision.adopt.replaced == nil)
    }

    // Shows what a complete photo is beside what folder state has at its path.
    @Test func arrivalsAreTold() {
        func arrival(
            _ record: FileRecord?, inode: UInt64 = 1, isPlaced: Bool = false, isAdopting: Bool = false
        ) -> Arrival {
            let signature = FileSignature(inode: inode, byteCount: 10, modified: 0, changed: 0)
            return Arrival(blobID([1]), signature, record: record, isPlaced: isPlaced, isAdopting: isAdopting)
        }
        for isAdopting in [false, true] {
            #expect(arrival(record(1), isAdopting: isAdopting) == .known(isRenewed: false))
            #expect(arrival(record(1), inode: 2, isAdopting: isAdopting) == .known(isRenewed: true))
            #expect(arrival(record(2, origin: .removed), isAdopting: isAdopting) == .anew)
            #expect(arrival(nil, isPlaced: true, isAdopting: isAdopting) == .known(isRenewed: false))
        }
        #expect(arrival(record(2)) == .changed && arrival(nil) == .new)
        #expect(arrival(record(2), isAdopting: true) == .anew && arrival(nil, isAdopting: true) == .anew)
    }

    // Shows that a placing that a crash interrupted ends as what is there says, and stays open where nobody can tell.
    @Test func intentsAreSettled() {
        let signature = record(1).signature
        let end = FactChange(kind: .folderIntent, key: path.bytes, value: nil)
        func settled(_ found: FolderState.PlacedFile, over other: FileRecord? = nil) -> (FolderState, [FactChange]) {
            let intent = (key: path.bytes, value: record(1).photo.bytes)
            let files = other.map { [(key: path.bytes, value: $0.bytes)] } ?? []
            var state = FolderState(files: files, gone: [], intents: [intent], fresh: FreshFiles(boot: boot))
            let changes = state.settleInterrupted(path) { found }
            #expect(state.interrupted.isEmpty == (changes.first == end))
            return (state, changes)
        }
        let ours = settled(.ours(signature))
        #expect(ours.0.files == [path: record(1, origin: .placed)] && ours.1.first == end)
        #expect(settled(.notOurs).0.files.isEmpty && settled(.notOurs).1 == [end])
        #expect(settled(.unknown).1.isEmpty)
        let known = settled(.ours(signature), over: record(1, origin: .dropped))
        #expect(known.0.files == [path: record(1, origin: .dropped)] && known.1 == [end])
        // The path was free when it was reserved: the other photo's end was told, and is not durable.
        let other = settled(.ours(signature), over: record(2))
        #expect(other.0.files == [path: record(1, origin: .placed)] && other.1.contains(end))
        #expect(settled(.notOurs, over: record(2)).0.files == [path: record(2)])
    }

    // Shows that only a file that is certainly gone has been taken away, and that a damaged one which stayed may stay.
    @Test func leavingsAreSettled() {
        func settled(_ presence: FilePresence, isAside: Bool = false) -> FolderState {
            var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
            _ = state.record(path, record(1))
            _ = isAside ? state.setAside(path, record(1).photo) : state.leave(path, record(1).photo)
            _ = state.settleLeaving(path, presence)
            return state
        }
        for isAside in [false, true] {
            let gone = settled(.absent, isAside: isAside)
            #expect(gone.files.isEmpty && gone.leaving.isEmpty && gone.gone.isEmpty)
            let unknown = settled(.unknown, isAside: isAside)
            #expect(unknown.files.count == 1 && unknown.leaving.count == 1)
            let present = settled(.present, isAside: isAside)
            #expect(present.files.count == 1 && present.leaving.isEmpty == isAside)
        }
        for presence in [FilePresence.absent, .present, .unknown] {
            var state = FolderState(files: [], gone: [], intents: [], fresh: FreshFiles(boot: boot))
            _ = state.record(path, record(1)) + state.leave(path, record(1).photo) + state.letBack(record(1).photo)
            _ = state.settleLeaving(path, presence)
            #expect(state.files.isEmpty == (presence == .absent) && state.gone.isEmpty)
            #expect(state.isReturning(path) == (presence == .unknown))
        }
    }
}
