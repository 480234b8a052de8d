import Testing

@testable import PotluckAgent

/// What `status` says is wrong.
@Suite struct ProblemBoardTests {
    /// A folder that is missing is told once, and for as long as it is missing: neither photos that cannot be put there
    /// nor those that need no file change that.
    @Test func aMissingFolderStaysTold() {
        var board = ProblemBoard()
        var isNews = board.set(.folder, "The folder is not there.")
        #expect(isNews)
        board.set(.placing, "A photo cannot be put into the folder.")
        #expect(board.all == ["The folder is not there."])
        board.set(.placing, nil)
        #expect(board.all == ["The folder is not there."])
        isNews = board.set(.folder, "The folder is not there.")
        #expect(!isNews)

        board.set(.placing, "The disk is full.")
        board.set(.folder, nil)
        #expect(board.all == ["The disk is full."])
    }
}
