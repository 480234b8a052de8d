import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// Which directories and names a placing tries.
struct PlacingNameTests {
    private let now = TestFolder.now
    private let album = AlbumName.identifier("Beach")
    private let other = AlbumName.identifier("Other")

    private func state(_ files: [String: PhotoKey] = [:]) -> FolderState {
        var state = TestFolder.state()
        for (index, (path, photo)) in files.sorted(by: { $0.key < $1.key }).enumerated() {
            let signature = FileSignature(inode: UInt64(index), byteCount: 10, modified: 0, changed: 0)
            _ = state.record(FolderPath(path), FileRecord(photo: photo, signature: signature, origin: .placed))
        }
        return state
    }

    private func photo(_ seed: UInt8, in album: AlbumID? = nil) -> PhotoKey {
        PhotoKey(album: album ?? self.album, blob: blobID([seed]))
    }

    private func placing(_ photo: PhotoKey, named name: String = "IMG.jpg") -> Placing {
        Placing(photo, in: FolderPath("Beach"), name: name, type: .jpeg, deviceName: "Ben")
    }

    private func path(_ next: Placing.Try) -> String? { if case .place(let path, _) = next { path.text } else { nil } }

    private func directories(_ state: FolderState, _ entries: [(String, FolderWalk.Entry.Kind)]) -> [String] {
        let entries = entries.map { FolderWalk.Entry(name: Array($0.0.utf8), kind: $0.1) }
        return state.directories(for: album, named: "Beach", beside: entries).prefix(2).map(\.text)
    }

    // Shows that a directory of the album's name is taken whatever its case, an exact match before others, and the first of
    // several; that nothing but a directory counts for that; and that no other album's is taken.
    @Test func directoriesAreThoseOfTheName() {
        #expect(directories(state(), []) == ["Beach", "Beach (2)"])
        #expect(directories(state(), [("beach", .directory), ("BEACH", .directory)]).first == "BEACH")
        #expect(directories(state(), [("BEACH", .directory), ("Beach", .directory)]).first == "Beach")
        #expect(directories(state(), [("BEACH", .directory), ("Beach", .noDirectory)]).first == "Beach")
        #expect(directories(state(), [("beach", .noDirectory), ("bEach", .unknown(5))]).first == "Beach")
        let foreign = state(["beach/x.jpg": photo(1, in: other)])
        #expect(directories(foreign, [("beach", .directory)]) == ["Beach (2)", "Beach (3)"])
        let shared = state(["beach/x.jpg": photo(1, in: other), "beach/y.jpg": photo(2)])
        #expect(directories(shared, [("beach", .directory)]).first == "beach")
    }

    // Shows that each try reserves the next name that nothing is known to have, whatever its case; that what was tried in
    // vain is free again; and that two photos never have one name.
    @Test func eachTryHasANameOfItsOwn() {
        var judge = TestFolder.judge(state(["Beach/img.JPG": photo(9)]))
        var first = placing(photo(1))
        #expect(path(first.next(&judge)) == "Beach/IMG (Ben).jpg")
        var second = placing(photo(2))
        let hex = blobID([2]).hex.prefix(4)
        #expect(path(second.next(&judge)) == "Beach/IMG (Ben \(hex)).jpg")
        let taken = FolderPath("Beach/IMG (Ben).jpg")
        _ = judge.handle(.placed([.init(taken, photo(1), .taken)]), now: now)
        #expect(judge.state.files.count == 1 && judge.state.intents.count == 1)
        #expect(path(first.next(&judge)) == "Beach/IMG (Ben \(blobID([1]).hex.prefix(4))).jpg")
        var third = placing(photo(3))
        #expect(path(third.next(&judge)) == taken.text)
    }

    // Shows that nobody is placed twice, or against a person's word; and that the names end.
    @Test func triesEnd() {
        var judge = TestFolder.judge(state(["Beach/x.jpg": photo(1)]))
        var known = placing(photo(1))
        #expect(known.next(&judge) == .unwanted)
        #expect(!judge.state.isWanted(photo(1)) && judge.state.isWanted(photo(2)))
        var patient = placing(photo(2))
        var paths: Set<String> = []
        while let path = path(patient.next(&judge)) { paths.insert(path) }
        #expect(paths.count == 18 && patient.next(&judge) == .exhausted)
    }

    // Shows that a photo which is there already is known without a second file, and that a folder that is not there is looked
    // for at once.
    @Test func outcomesAreFollowed() {
        var judge = TestFolder.judge()
        let path = FolderPath("Beach/IMG.jpg")
        let signature = FileSignature(inode: 7, byteCount: 10, modified: 0, changed: 0)
        _ = judge.reserve(path, for: photo(1))
        _ = judge.handle(.placed([.init(path, photo(1), .found(signature))]), now: now)
        #expect(judge.state.files[path] == FileRecord(photo: photo(1), signature: signature, origin: .adopted))
        _ = judge.next(now: now)
        judge.schedule.finishScan(isAvailable: true, after: .seconds(3600), now: now)
        let gone = FolderPath("Beach/gone.jpg")
        for isUnavailable in [false, true] {
            _ = judge.reserve(gone, for: photo(2))
            _ = judge.handle(.placed([.init(gone, photo(2), .failed(isUnavailable: isUnavailable))]), now: now)
            #expect(judge.state.intents.isEmpty && (judge.nextDeadline == now) == isUnavailable)
        }
    }

    // Shows that files which make way get names that tell what they were, each another one.
    @Test func waysAsideAreNamed() {
        let paths = Array(DiskName.pathsBeside(FolderPath("A/x.jpg")))
        #expect(paths.prefix(2).map(\.text) == ["A/x (changed).jpg", "A/x (changed 2).jpg"])
        #expect(Set(paths).count == 1000)
    }
}
