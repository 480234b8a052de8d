import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What is of the form comes into the book, and nothing else.
@Suite struct RulingBookTests {
    private let rulings = TestRulings()
    private let signing = TestRulings.founder

    private func expect(
        _ flaw: RulingFlaw?, _ statement: SignedStatement, in book: RulingBook,
        _ location: SourceLocation = #_sourceLocation
    ) {
        var book = book
        do {
            let id = try book.insert(statement, using: signing)
            #expect(flaw == nil && id == statement.rulingID, sourceLocation: location)
        } catch {
            #expect(error == flaw, sourceLocation: location)
            #expect(book[statement.rulingID] == nil, sourceLocation: location)
        }
    }

    /// One sentence of the form after the other, each by a ruling that breaks it alone.
    @Test func whatIsNotOfTheFormIsRefused() throws {
        var book = rulings.book()
        let host = TestSigning(2)
        let naming = rulings.naming(host)
        expect(nil, naming, in: book)
        let letIn = Ruling.Kind.letIn([TestRulings.device(host)])
        let forged = TestRulings.sign(letIn, after: [rulings.id], by: signing, signedBy: host)
        expect(.wrongSignature, forged, in: book)
        expect(.followsUnknown, TestRulings.sign(letIn, after: [naming.rulingID], by: signing), in: book)
        expect(.notEntitled, TestRulings.sign(letIn, after: [rulings.id], by: host), in: book)
        expect(.foreign, TestRulings(8).founding, in: book)
        expect(.foreign, naming, in: RulingBook())
        expect(.malformed(.notProtobuf), SignedStatement(content: [255], signature: []), in: book)
        // The recovery key may, and a host after its naming; not by one that it does not follow.
        expect(nil, TestRulings.sign(letIn, after: [rulings.id], by: TestRulings.recovery), in: book)
        _ = try book.insert(naming, using: signing)
        expect(nil, TestRulings.sign(letIn, after: [naming.rulingID], by: host), in: book)
        expect(.notEntitled, TestRulings.sign(letIn, after: [rulings.id], by: host), in: book)
        // What is known is not new, and not refused.
        #expect(try book.insert(naming, using: signing) == nil)
    }

    /// Of one author so many that nobody else's follows, and so many of all hosts: who follows them makes room for more. The
    /// founder has room of its own.
    @Test func thereIsRoomForSoMany() throws {
        var limits = RulingLimits()
        (limits.countMax, limits.unfollowedCountMax) = (4, 3)
        var book = rulings.book(limits: limits)
        let host = TestSigning(2)
        let naming = rulings.naming(host)
        _ = try book.insert(naming, using: signing)
        var last = naming.rulingID
        func next(_ author: TestSigning, _ number: UInt8) -> SignedStatement {
            TestRulings.sign(.letIn([TestRulings.device(TestSigning(number))]), after: [last], by: author)
        }
        func add(_ author: TestSigning, _ number: UInt8) throws {
            let statement = next(author, number)
            _ = try book.insert(statement, using: signing)
            last = statement.rulingID
        }
        // The founding is the founder's as well.
        try add(signing, 3)
        expect(.tooManyOfAuthor, next(signing, 4), in: book)
        for number: UInt8 in 5...7 { try add(host, number) }
        expect(.tooManyOfAuthor, next(host, 8), in: book)
        try add(signing, 9)
        try add(host, 10)
        expect(.tooMany, next(signing, 11), in: book)
        expect(.tooMany, next(host, 11), in: book)
        // The recovery code puts out whoever takes all the room.
        expect(nil, next(TestRulings.recovery, 11), in: book)
        (limits.countMax, limits.byteCountMax) = (100, rulings.founding.content.count + naming.content.count - 1)
        expect(.tooMany, naming, in: rulings.book(limits: limits))
        let byHost = TestRulings.sign(.letIn([]), after: [naming.rulingID], by: host)
        limits.byteCountMax = rulings.founding.content.count + naming.content.count
        book = rulings.book(limits: limits)
        _ = try book.insert(naming, using: signing)
        expect(nil, byHost, in: book)
    }

    /// A book is read back from what was kept in any order; what was damaged is left out, with what follows it, and so are
    /// seeds that fit nothing.
    @Test func booksAreReadBack() throws {
        var statements = [rulings.founding]
        for number: UInt8 in 2...9 {
            statements.append(rulings.naming(TestSigning(number), after: statements.last!.rulingID))
        }
        let stray = TestRulings(9)
        for round in 0..<20 {
            var random = TestRandom(state: UInt64(round))
            let book = RulingBook(
                statements.shuffled(using: &random),
                seeds: [rulings.id: rulings.seed, statements[1].rulingID: rulings.seed, stray.id: stray.seed],
                using: signing)
            #expect(book.ids == statements.map(\.rulingID))
            #expect(book.founding == rulings.id)
            #expect(Array(book.seeds.keys) == [rulings.id])
        }
        statements[4].signature = [1]
        #expect(RulingBook(statements, using: signing).ids.count == 4)
        let wrongSeed = RulingBook(statements, seeds: [rulings.id: stray.seed], using: signing)
        #expect(wrongSeed.seeds.isEmpty)
    }

    /// Equal books have equal digests, and others have others.
    @Test func digestsTellBooksApart() throws {
        var one = rulings.book()
        var other = rulings.book()
        #expect(one.digest == other.digest)
        #expect(one.digest != RulingBook.emptyDigest)
        let namings = [rulings.naming(TestSigning(2)), rulings.naming(TestSigning(3))]
        for naming in namings { _ = try one.insert(naming, using: signing) }
        #expect(one.digest != other.digest)
        for naming in namings.reversed() { _ = try other.insert(naming, using: signing) }
        #expect(one.digest == other.digest)
    }
}
