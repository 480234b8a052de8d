import AlbumModel
import Foundation
import Testing

@testable import WebGallery

/// Uploads as decisions: nothing is written, time is what the test says.
@Suite struct UploadBookTests {
    private let lena = SessionStore.Holder.guest(guest(1))
    private let ben = SessionStore.Holder.guest(guest(2))
    private let metadata = "album " + Data(AlbumName.identifier("Kuh reunion").hex.utf8).base64EncodedString()
    private let hour: Int64 = 3_600_000

    private func id(_ number: UInt64) -> UploadID { UploadID(token(number)) }

    private func patch(_ offset: Int, length: Int? = nil, checksum: String? = nil) -> UploadBook.Patch {
        UploadBook.Patch(
            offset: "\(offset)", mediaType: "application/offset+octet-stream", length: length.map { "\($0)" },
            checksum: checksum)
    }

    private func create(
        _ book: inout UploadBook, _ number: UInt64, _ length: String?, by holder: SessionStore.Holder? = nil,
        room: UInt64 = 1 << 40, now: Int64 = 0
    ) throws(UploadRefusal) {
        _ = try book.create(
            .init(length: length, metadata: metadata), id: id(number), holder: holder ?? lena, room: room, now: now)
    }

    /// The code of what a step is refused with; `nil` where it is not.
    private func code(_ step: () throws -> Void) -> UploadRefusal.Code? {
        do {
            try step()
            return nil
        } catch { return (error as? UploadRefusal)?.code }
    }

    /// Brings a file whole.
    private func bring(
        _ book: inout UploadBook, _ number: UInt64, _ length: Int, by holder: SessionStore.Holder, now: Int64
    ) throws {
        try create(&book, number, "\(length)", by: holder, now: now)
        _ = try book.beginWriting(patch(0), to: id(number), holder: holder, now: now)
        #expect(book.endWriting(id(number), byteCount: UInt64(length), isIntact: true, now: now) == .complete)
        book.settle(id(number), as: .here(photo: "b1"), now: now)
    }

    /// Shows that what guests bring within a day is bounded, for each and for all, over a restart too; that the refusal
    /// says when to come back; and that the owner is not bounded.
    @Test func aDayIsBounded() throws {
        var limits = UploadLimits()
        (limits.dayByteCountMaxOfGuest, limits.dayByteCountMaxOfGuests) = (100, 150)
        var book = UploadBook(limits: limits)
        try bring(&book, 1, 60, by: lena, now: 0)
        try bring(&book, 2, 30, by: lena, now: 2 * hour)
        // What is on its way counts as well.
        try create(&book, 3, "10", now: 2 * hour)
        #expect(code { try create(&book, 4, "1", now: 2 * hour) } == .tooMany)
        _ = try book.terminate(id(3), holder: lena, now: 2 * hour)
        book = UploadBook(
            try JSONDecoder().decode(
                UploadBook.Record.self, from: try JSONEncoder().encode(book.record)), limits: limits
        ) { _ in 0 }
        do {
            try create(&book, 5, "11", now: 2 * hour)
            Issue.record("more than a day's bytes")
        } catch {
            #expect(error.code == .tooMany && error.retryAfter == Int(23 * hour / 1000) + 1, "\(error)")
        }
        try bring(&book, 6, 60, by: ben, now: 2 * hour)
        #expect(code { try create(&book, 7, "1", by: ben, now: 2 * hour) } == .tooMany)
        try bring(&book, 8, 1000, by: .owner, now: 2 * hour)
        #expect(code { try create(&book, 9, "1", by: ben, now: 2 * hour) } == .tooMany)
        #expect(code { try create(&book, 10, "11", now: 25 * hour - 1) } == .tooMany)
        try create(&book, 11, "60", now: 25 * hour)
    }

    /// Shows a file in three parts, with what a HEAD answers in between, to the answer that may be asked for again.
    @Test func aFileArrives() throws {
        var book = UploadBook()
        try create(&book, 1, "100")
        #expect(try book.upload(id(1), holder: lena, now: 0).offset == 0)
        #expect(book.byteCountToCome == 100)
        var order = try book.beginWriting(patch(0, length: 40), to: id(1), holder: lena, now: 0)
        #expect(order == .init(offset: 0, byteCountMax: 100, checksum: nil))
        #expect(book.endWriting(id(1), byteCount: 40, isIntact: true, now: 1) == .waiting(offset: 40))
        #expect(try book.upload(id(1), holder: lena, now: 1).offset == 40)
        #expect(book.byteCountToCome == 60)
        order = try book.beginWriting(
            patch(40, checksum: "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0="), to: id(1), holder: lena, now: 2)
        #expect(order.offset == 40 && order.byteCountMax == 60 && order.checksum?.algorithm == .sha1)
        #expect(book.endWriting(id(1), byteCount: 60, isIntact: true, now: 3) == .complete)
        #expect(book.unsettled == [id(1)])
        book.settle(id(1), as: .here(photo: blob(1).hex), now: 4)
        #expect(book.unsettled == [] && book.byteCountToCome == 0 && book.count == 0)
        #expect(try book.upload(id(1), holder: lena, now: 5).outcome == .here(photo: blob(1).hex))
        #expect(book.expire(now: 4 + hour) == [])
        #expect(code { _ = try book.upload(id(1), holder: lena, now: 4 + hour) } == .notFound)
    }

    /// Shows that a file of other bytes than were announced begins anew, with what is remembered of it over a restart, and is
    /// accepted by the bytes that came last or by those that were announced.
    @Test func otherBytesBeginAnew() throws {
        var book = UploadBook()
        try create(&book, 1, "100")
        var upload = try #require(book.upload(id(1)))
        #expect(upload.accepts(blob(1)))
        upload.metadata.sha256 = blob(1)
        #expect(upload.accepts(blob(1)) && !upload.accepts(blob(2)))
        upload.mismatch = Upload.Mismatch(photo: blob(2).hex, count: 1)
        #expect(upload.accepts(blob(1)) && upload.accepts(blob(2)) && !upload.accepts(blob(3)))
        // One that is not whole stays as it is.
        book.beginAnew(id(1), after: blob(2), now: 1)
        #expect(book.upload(id(1))?.mismatch == nil)
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0)
        _ = book.endWriting(id(1), byteCount: 100, isIntact: true, now: 1)
        book.beginAnew(id(1), after: blob(2), now: 2)
        let text = try JSONEncoder().encode(book.record)
        book = UploadBook(try JSONDecoder().decode(UploadBook.Record.self, from: text)) { _ in 100 }
        let again = try #require(book.upload(id(1)))
        #expect(again.offset == 0 && again.changed == 2 && again.mismatch == .init(photo: blob(2).hex, count: 1))
        #expect(book.unsettled == [] && book.byteCountToCome == 100)
    }

    /// Shows that only one page writes at a time, only at the end of what is there, and only to its own file.
    @Test func writesAreInOrder() throws {
        var book = UploadBook()
        try create(&book, 1, "100")
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0)
        #expect(code { _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0) } == .locked)
        #expect(code { _ = try book.beginWriting(patch(7), to: id(1), holder: lena, now: 0) } == .locked)
        #expect(code { _ = try book.terminate(id(1), holder: lena, now: 0) } == .locked)
        // What arrived of an interrupted PATCH counts.
        #expect(book.endWriting(id(1), byteCount: 10, isIntact: true, now: 0) == .waiting(offset: 10))
        for offset in [0, 9, 11, 100] {
            #expect(code { _ = try book.beginWriting(patch(offset), to: id(1), holder: lena, now: 0) } == .conflict)
        }
        #expect(code { _ = try book.beginWriting(patch(10), to: id(1), holder: ben, now: 0) } == .notFound)
        #expect(code { _ = try book.beginWriting(patch(10), to: id(2), holder: lena, now: 0) } == .notFound)
        #expect(code { _ = try book.beginWriting(patch(10, length: 91), to: id(1), holder: lena, now: 0) } == .tooLarge)
        var odd = patch(10)
        odd.mediaType = "application/json"
        #expect(code { _ = try book.beginWriting(odd, to: id(1), holder: lena, now: 0) } == .wrongMediaType)
        odd = patch(10)
        odd.offset = "-1"
        #expect(code { _ = try book.beginWriting(odd, to: id(1), holder: lena, now: 0) } == .badRequest)
        #expect(
            code { _ = try book.beginWriting(patch(10, checksum: "md5 x"), to: id(1), holder: lena, now: 0) }
                == .badRequest)
        // None of the refusals left it locked.
        odd = patch(10, length: 90)
        odd.mediaType = "Application/Offset+Octet-Stream; x=y"
        #expect(code { _ = try book.beginWriting(odd, to: id(1), holder: lena, now: 0) } == nil)
    }

    /// Shows that nothing of a PATCH with a wrong checksum counts, and that it can come again.
    @Test func damagedPartsDoNotCount() throws {
        var book = UploadBook()
        try create(&book, 1, "100")
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0)
        #expect(book.endWriting(id(1), byteCount: 100, isIntact: false, now: 0) == .damaged)
        #expect(try book.upload(id(1), holder: lena, now: 0).offset == 0)
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0)
        #expect(book.endWriting(id(1), byteCount: 100, isIntact: true, now: 0) == .complete)
        #expect(UploadRefusal.Code.checksumMismatch.httpStatus == 460)
    }

    @Test func filesAreBounded() throws {
        var limits = UploadLimits()
        limits.countMaxOfHolder = 2
        limits.countMax = 3
        limits.byteCountMaxOfHolder = 1000
        var book = UploadBook(limits: limits)
        for length in ["", "x", "-5", "1.5", "0", "+1", "99999999999999999999"] {
            #expect(code { try create(&book, 1, length) } == .badRequest, "\(length)")
        }
        #expect(code { try create(&book, 1, nil) } == .lengthRequired)
        #expect(
            code {
                _ = try book.create(
                    .init(length: nil, deferLength: "1", metadata: metadata), id: id(1), holder: lena, room: 1, now: 0)
            } == .badRequest)
        #expect(code { try create(&book, 1, "\((8 << 30) + 1)") } == .tooLarge)
        #expect(code { try create(&book, 1, "1001") } == .tooMany)
        #expect(code { try create(&book, 1, "500", room: 499) } == .diskFull)
        try create(&book, 1, "500", room: 500)
        #expect(code { try create(&book, 2, "1", room: 500) } == .diskFull)
        try create(&book, 2, "500")
        #expect(code { try create(&book, 3, "1") } == .tooMany)
        try create(&book, 3, "1", by: ben)
        #expect(code { try create(&book, 4, "1", by: ben) } == .tooMany)
        // A finished one makes room.
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0)
        #expect(book.endWriting(id(1), byteCount: 500, isIntact: true, now: 0) == .complete)
        #expect(code { try create(&book, 4, "1", by: ben) } == .tooMany)
        book.settle(id(1), as: .already(photo: blob(1).hex), now: 0)
        #expect(code { try create(&book, 4, "1", by: ben) } == nil)
        let wrong = UploadBook.Creation(length: "1", metadata: "filename YQ==")
        #expect(code { _ = try book.create(wrong, id: id(9), holder: lena, room: 1 << 40, now: 0) } == .badRequest)
    }

    /// Shows that an upload ends 24 h after its last bytes, but not while it is written or taken in.
    @Test func unfinishedUploadsEnd() throws {
        var book = UploadBook()
        try create(&book, 1, "100", now: 0)
        try create(&book, 2, "100", now: hour)
        try create(&book, 3, "100", now: 0)
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: hour)
        _ = book.endWriting(id(1), byteCount: 1, isIntact: true, now: 2 * hour)
        _ = try book.beginWriting(patch(0), to: id(3), holder: lena, now: 23 * hour)
        #expect(book.expire(now: 25 * hour - 1) == [])
        #expect(book.expire(now: 25 * hour) == [id(2)])
        #expect(book.expire(now: 26 * hour) == [id(1)])
        #expect(book.endWriting(id(3), byteCount: 100, isIntact: true, now: 50 * hour) == .complete)
        #expect(book.expire(now: 1000 * hour) == [])
        book.settle(id(3), as: .refused(reason: "It is no photo."), now: 1000 * hour)
        #expect(try book.upload(id(3), holder: lena, now: 1000 * hour).outcome != nil)
        #expect(book.expire(now: 1001 * hour) == [])
        #expect(throws: (any Error).self) { try book.upload(id(3), holder: lena, now: 1001 * hour) }
    }

    @Test func uploadsAreGivenUp() throws {
        var book = UploadBook()
        try create(&book, 1, "100")
        try create(&book, 2, "100")
        try create(&book, 3, "100", by: ben)
        #expect(code { _ = try book.terminate(id(1), holder: ben, now: 0) } == .notFound)
        #expect(try book.terminate(id(1), holder: lena, now: 0))
        #expect(code { _ = try book.upload(id(1), holder: lena, now: 0) } == .notFound)
        try create(&book, 4, "100")
        _ = try book.beginWriting(patch(0), to: id(2), holder: lena, now: 0)
        // Whoever is revoked while bytes come: the file goes when the write ends.
        #expect(book.terminateAll(of: lena) == [id(4)])
        #expect(book.endWriting(id(2), byteCount: 50, isIntact: true, now: 0) == .gone)
        #expect(book.count == 1)
    }

    /// Shows that a restart brings everything back but locks, believes the disk where it has less, and knows what is still
    /// to be taken in.
    @Test func uploadsSurviveARestart() throws {
        var book = UploadBook()
        for number in 1...4 as ClosedRange<UInt64> { try create(&book, number, "100") }
        _ = try book.beginWriting(patch(0), to: id(1), holder: lena, now: 0)
        _ = book.endWriting(id(1), byteCount: 60, isIntact: true, now: 0)
        _ = try book.beginWriting(patch(60), to: id(1), holder: lena, now: 0)
        for number in [2, 3] as [UInt64] {
            _ = try book.beginWriting(patch(0), to: id(number), holder: lena, now: 0)
            _ = book.endWriting(id(number), byteCount: 100, isIntact: true, now: 0)
        }
        book.settle(id(3), as: .here(photo: blob(3).hex), now: 0)
        let written = try JSONEncoder().encode(book.record)
        let record = try JSONDecoder().decode(UploadBook.Record.self, from: written)
        #expect(record == book.record)
        var read = UploadBook(record) { [id(1): 80, id(2): 100][$0] ?? 0 }
        #expect(try read.upload(id(1), holder: lena, now: 0).offset == 60)
        #expect(read.unsettled == [id(2)])
        #expect(read.upload(id(3))?.outcome == .here(photo: blob(3).hex))
        #expect(try read.beginWriting(patch(60), to: id(1), holder: lena, now: 0).offset == 60)
        let lost = UploadBook(record) { _ in 10 }
        #expect(try lost.upload(id(1), holder: lena, now: 0).offset == 10)
        #expect(lost.unsettled == [])
    }

    /// Shows that what became of files is kept for the newest only.
    @Test func outcomesAreBounded() throws {
        var limits = UploadLimits()
        limits.outcomeCountMax = 2
        var book = UploadBook(limits: limits)
        for number in 1...3 as ClosedRange<UInt64> {
            try create(&book, number, "1")
            _ = try book.beginWriting(patch(0), to: id(number), holder: lena, now: 0)
            _ = book.endWriting(id(number), byteCount: 1, isIntact: true, now: 0)
            book.settle(id(number), as: .here(photo: ""), now: Int64(number))
        }
        #expect(book.upload(id(1)) == nil && book.upload(id(2)) != nil && book.upload(id(3)) != nil)
    }
}
