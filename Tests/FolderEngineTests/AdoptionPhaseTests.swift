import Testing

@testable import FolderEngine

struct AdoptionPhaseTests {
    // Shows the way from waiting to over, of which no step can be left out or taken twice.
    @Test func adoptionGoesItsWay() {
        var adoption = Adoption.held
        #expect(adoption.importComplaint(root: "/p") != nil && adoption.placingComplaint(root: "/p") != nil)
        adoption.scanned()
        let isOverBefore = adoption.finish(isLookedThrough: true)
        #expect(!isOverBefore && adoption == .held)
        let hasBegun = adoption.begin()
        let beginsAgain = adoption.begin()
        #expect(hasBegun && !beginsAgain && adoption == .reading(isScanned: false))
        #expect(adoption.importComplaint(root: "/p") == nil && adoption.placingComplaint(root: "/p") != nil)
        let isOverUnscanned = adoption.finish(isLookedThrough: true)
        adoption.scanned()
        let isOverUnread = adoption.finish(isLookedThrough: false)
        #expect(!isOverUnscanned && !isOverUnread)
        let isOver = adoption.finish(isLookedThrough: true)
        #expect(isOver && adoption == .over && adoption.placingComplaint(root: "/p") == nil)
        adoption.scanned()
        let beginsAfterwards = adoption.begin()
        #expect(!beginsAfterwards && adoption == .over)
    }
}
