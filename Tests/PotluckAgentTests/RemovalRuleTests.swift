import AlbumModel
import FolderEngine
import SyncEngine
import Testing

@testable import PhotoStore
@testable import PotluckAgent
@testable import SharedFolder

/// What removing means, and how long what is removed is kept.
@Suite struct RemovalRuleTests {
    private let album = AlbumName.identifier("Beach")

    private func key(_ number: UInt8) -> PhotoKey { PhotoKey(album: album, blob: ListedGathering.blob(number)) }
    private func device(_ number: UInt8) -> DeviceID { DeviceID(bytes: [UInt8](repeating: number, count: 32))! }

    private func drop(_ number: UInt8, in directory: String) -> Drop {
        Drop(
            directory: directory, name: "a.jpg",
            blob: IngestedBlob(id: ListedGathering.blob(number), byteCount: 1, pieceList: nil, firstBytes: []),
            mediaType: "image/jpeg", modified: 0, isLive: true, problem: nil)
    }

    /// A photo's days are over once agents have run that long here since its removal was learned of, not before.
    @Test func daysAreRunningTime() {
        var removedPhotos = RemovedPhotos()
        removedPhotos.trash[key(1)] = TrashEntry(learnedAfter: 100, learnedAt: 0, holders: [])
        removedPhotos.trash[key(2)] = TrashEntry(learnedAfter: 200, learnedAt: 0, holders: [])
        #expect(removedPhotos.overdue(runningSeconds: 100 + 30 * 86_400 - 1, days: 30) == [])
        #expect(removedPhotos.overdue(runningSeconds: 100 + 30 * 86_400, days: 30) == [key(1)])
        #expect(removedPhotos.overdue(runningSeconds: 200 + 86_400, days: 1) == [key(1), key(2)])
    }

    /// Numbers that only a home that somebody prepared has: nothing that they say is due, and none of them ends the agent.
    @Test func absurdTimesKeepPhotos() {
        var removedPhotos = RemovedPhotos()
        removedPhotos.trash[key(1)] = TrashEntry(learnedAfter: .max, learnedAt: .max, holders: [])
        removedPhotos.trash[key(2)] = TrashEntry(learnedAfter: 0, learnedAt: 0, holders: [])
        #expect(removedPhotos.overdue(runningSeconds: 100, days: 0) == [key(2)])
        #expect(removedPhotos.overdue(runningSeconds: .max, days: .max) == [])
        #expect(removedPhotos.overdue(runningSeconds: .max, days: 30) == [key(2)])
        #expect(removedPhotos.trash[key(1)]?.secondsLeft(runningSeconds: 100, days: 30) == 30 * 86_400)
        #expect(removedPhotos.trash[key(2)]?.secondsLeft(runningSeconds: 86_400, days: 30) == 29 * 86_400)
        #expect(RunningTime(before: .max).seconds < 1000)
        #expect(RunningTime(before: RunningTime.secondsMax).seconds >= RunningTime.secondsMax)
    }

    /// Of several laptops that know of each other exactly one keeps the bytes; one that knows of nobody keeps them.
    @Test func oneLaptopKeepsTheLastCopy() {
        let all = (1...4).map { device($0) }
        let keepers = all.filter { own in
            let entry = TrashEntry(learnedAfter: 0, learnedAt: 0, holders: all.filter { $0 != own })
            return !entry.isKeptElsewhere(than: own) { _ in true }
        }
        #expect(keepers == [device(1)])
        let alone = TrashEntry(learnedAfter: 0, learnedAt: 0, holders: [])
        #expect(!alone.isKeptElsewhere(than: device(9)) { _ in true })
    }

    /// Who held the bytes and is not proved to hold them now keeps nothing; the next one does.
    @Test func formerHoldersKeepNothing() {
        let entry = TrashEntry(learnedAfter: 0, learnedAt: 0, holders: [device(1), device(2)])
        #expect(!entry.isKeptElsewhere(than: device(9)) { _ in false })
        #expect(entry.isKeptElsewhere(than: device(9)) { $0 == device(2) })
        #expect(!entry.isKeptElsewhere(than: device(2)) { $0 == device(2) })
        #expect(!entry.isKeptElsewhere(than: device(9)) { $0 == device(3) })
    }

    /// What is kept in the journal reads back, and what a later version wrote is left alone.
    @Test func entriesAreReadBack() {
        let entry = TrashEntry(learnedAfter: 7, learnedAt: 8, holders: [device(2), device(1)])
        #expect(TrashEntry(bytes: entry.bytes) == entry)
        #expect(entry.holders == [device(1), device(2)])
        #expect(TrashEntry(bytes: [2] + entry.bytes.dropFirst()) == nil)
        #expect(TrashEntry(bytes: Array(entry.bytes.dropLast())) == nil)
        let hidden = HiddenEntry(since: 5)
        #expect(HiddenEntry(bytes: hidden.bytes) == hidden)
        #expect(PhotoKey(factKey: key(3).factKey) == key(3))
    }

    /// All files of an album in one new directory are a renamed album; with one left behind, or in two directories, they
    /// are photos that moved.
    @Test func aRenamedDirectoryIsARenamedAlbum() {
        func file(_ number: UInt8) -> FolderFile {
            FolderFile(path: "Beach/\(number).jpg", album: album, blob: ListedGathering.blob(number))
        }
        func moved(_ number: UInt8, _ directory: String) -> FolderEdit {
            .moved(from: album, blob: ListedGathering.blob(number), to: drop(number, in: directory))
        }
        let files = [file(1), file(2)]
        #expect(
            AlbumRenaming.all(in: [moved(1, "Strand"), moved(2, "Strand")], files: files)
                == [AlbumRenaming(album: album, formerDirectory: "Beach", directory: "Strand")])
        #expect(AlbumRenaming.all(in: [moved(1, "Strand")], files: files) == [])
        #expect(AlbumRenaming.all(in: [moved(1, "Strand"), moved(2, "Hills")], files: files) == [])
        #expect(AlbumRenaming.all(in: [moved(1, ""), moved(2, "")], files: files) == [])
    }

    /// Nothing goes that another edit of the same group has put there, nor once more what was withdrawn and brought back.
    @Test func whatIsPutThereStays() {
        let edits: [FolderEdit] = [
            .replaced(album: album, old: ListedGathering.blob(1), by: drop(2, in: "Beach")),
            .replaced(album: album, old: ListedGathering.blob(2), by: drop(1, in: "Beach")),
            .removed(album: album, blob: ListedGathering.blob(3), path: "Beach/c.jpg"),
        ]
        let verdicts = FolderVerdicts(edits, device: device(1), catalog: Catalog())
        #expect(verdicts.leaving(successors: [key(2), key(1)], withdrawn: []) == [key(3)])
        #expect(verdicts.leaving(successors: [key(2), key(4)], withdrawn: []) == [key(1), key(3)])
        #expect(verdicts.leaving(successors: [key(2), key(4)], withdrawn: [key(1)]) == [key(3)])
    }

    /// All of an edit is said at one time, its photo first; what others added stays in its album, and so does what another
    /// edit of the group puts there.
    @Test func anOwnPhotoLeavesWithItsSuccessor() {
        let catalog = catalog([(1, by: 1), (2, by: 1), (3, by: 2)])
        let edits: [FolderEdit] = [
            .replaced(album: album, old: ListedGathering.blob(1), by: drop(2, in: "Beach")),
            .replaced(album: album, old: ListedGathering.blob(2), by: drop(4, in: "Beach")),
            .replaced(album: album, old: ListedGathering.blob(3), by: drop(5, in: "Beach")),
        ]
        let verdicts = FolderVerdicts(edits, device: device(1), catalog: catalog)
        let successors = [key(2), key(4), key(5)]
        let withdrawn = verdicts.withdrawn(successors: successors, device: device(1), catalog: catalog)
        #expect(withdrawn == [key(1)])
        #expect(
            verdicts.contributions(successors: successors, withdrawn: withdrawn, device: device(1), catalog: catalog)
                == [
                    Contribution(drop(2, in: "Beach"), to: album), .replacement(key(1), by: key(2)),
                    .photoWithdrawal(album, ListedGathering.blob(1)),
                    Contribution(drop(4, in: "Beach"), to: album), .replacement(key(2), by: key(4)),
                    Contribution(drop(5, in: "Beach"), to: album), .replacement(key(3), by: key(5)),
                ])
    }

    /// - Parameter photos: numbers of photos, and of the devices that added them.
    private func catalog(_ photos: [(UInt8, by: UInt8)]) -> Catalog {
        var catalog = Catalog()
        for (number, author) in photos {
            let addition = PhotoAddition(
                album: album, blob: ListedGathering.blob(number), byteCount: 1, pieceListHash: nil, name: "a.jpg",
                mediaType: "image/jpeg", modified: 0, guest: nil)
            let batch = Batch(
                replica: ReplicaID(bytes: [UInt8](repeating: number, count: 16))!, firstSequence: 1, previous: nil,
                clock: ClockReading(microseconds: 1), changes: [.photoAdded(addition)], proof: nil)
            let id = BatchID(bytes: [UInt8](repeating: number, count: 32))!
            _ = catalog.apply(batch, id: id, author: device(author), received: 1)
        }
        return catalog
    }
}
