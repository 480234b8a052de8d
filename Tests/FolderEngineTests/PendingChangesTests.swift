import AlbumModel
import TestSupport
import Testing

@testable import FolderEngine

/// What becomes of changes that wait when they are looked at once more.
struct PendingChangesTests {
    private let path = FolderPath("A/x.jpg")
    private let seen = FileSignature(inode: 1, byteCount: 10, modified: 0, changed: 0)
    private let other = FileSignature(inode: 1, byteCount: 11, modified: 0, changed: 0)

    private enum Fate { case same, waiting, stale, forgotten }

    private func fate(of now: PendingChanges.Now, _ sight: PendingChanges.Sight?) -> Fate {
        var pending = PendingChanges(heldID: nil)
        _ = pending.insert(path, now, isExplained: true)
        let verified = pending.verify([path: now], sight.map { [path: $0] } ?? [:])
        let isWaiting = pending.paths[path] != nil
        let isSame = verified.same[path] != nil
        #expect(verified.uncertain == (isSame ? [:] : [path: now].compactMapValues { $0.found?.id }))
        if verified.stale[path] != nil {
            #expect(!isWaiting)
            return .stale
        }
        return isSame ? .same : isWaiting ? .waiting : .forgotten
    }

    // Shows every case: nothing follows from what nobody can look at, and only what is as it was found goes on waiting.
    @Test func changesAreVerified() {
        let photo = PendingChanges.Found(
            id: blobID([1]), blob: nil, mediaType: "image/jpeg", signature: seen, isShort: false, isLive: true)
        for now in [PendingChanges.Now.absent, .other(seen), .photo(photo)] {
            // A photo that was found may be where it was.
            #expect(fate(of: now, .unknown) == (now == .photo(photo) ? .waiting : .forgotten))
            #expect(fate(of: now, nil) == (now == .photo(photo) ? .waiting : .forgotten))
            #expect(fate(of: now, .present(other)) == .stale)
            #expect(fate(of: now, .present(nil)) == .stale)
            #expect(fate(of: now, .present(seen)) == (now == .absent ? .stale : .same))
            #expect(fate(of: now, .absent) == (now == .absent ? .same : .stale))
        }
    }

    // Shows that an event which comes after a scan that found the same is news, once, and that the scan is none after it.
    @Test func eventsTellMoreThanScans() {
        func found(isLive: Bool) -> PendingChanges.Now {
            .photo(
                PendingChanges.Found(
                    id: blobID([1]), blob: nil, mediaType: "image/jpeg", signature: seen, isShort: false,
                    isLive: isLive))
        }
        var pending = PendingChanges(heldID: nil)
        var isNews = pending.insert(path, found(isLive: false), isExplained: false)
        #expect(isNews)
        #expect(pending.isWaiting(path, seen, isLive: false) && !pending.isWaiting(path, seen, isLive: true))
        isNews = pending.insert(path, found(isLive: true), isExplained: false)
        #expect(isNews)
        isNews = pending.insert(path, found(isLive: true), isExplained: false)
        #expect(!isNews)
        #expect(pending.isWaiting(path, seen, isLive: false) && pending.isWaiting(path, seen, isLive: true))
        #expect(!pending.isWaiting(path, other, isLive: false))
    }

    // Shows that what changed while it was looked at goes on waiting as it is by now.
    @Test func whatChangedMeanwhileGoesOnWaiting() {
        var pending = PendingChanges(heldID: nil)
        _ = pending.insert(path, .other(other), isExplained: true)
        let verified = pending.verify([path: .absent], [path: .present(nil)])
        #expect(verified.stale == [path: .absent] && pending.paths == [path: .other(other)])
    }
}
