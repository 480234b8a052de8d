import FolderEngine
import Testing

/// What happens to what stands where a photo's file is to be put back.
struct FileInTheWayTests {
    // Shows that a file which holds the photo is kept, that anything else goes aside, and that nothing is moved where there
    // is no photo to put in its place.
    @Test func nothingIsReplaced() {
        let signature = FileSignature(inode: 1, byteCount: 10, modified: 0, changed: 0)
        #expect(FileInTheWay.other.verdict(isPhotoHeld: true) == .moveAside)
        for isPhotoHeld in [true, false] {
            #expect(FileInTheWay.nothing.verdict(isPhotoHeld: isPhotoHeld) == .place)
            #expect(FileInTheWay.photo(signature).verdict(isPhotoHeld: isPhotoHeld) == .keep(signature))
        }
        #expect(FileInTheWay.other.verdict(isPhotoHeld: false) == .leave)
    }
}
