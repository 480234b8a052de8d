import Foundation
import Glibc
import OutputFormats
import Testing

/// QR codes as pictures.
@Suite struct QRPictureTests {
    /// Shows the three finder patterns, and light around them.
    @Test func itHasTheShapeOfACode() throws {
        let picture = try #require(QRPicture("http://10.0.0.5:4712/g/#AAAAAAAAAAAAAAAAAAAAAA"))
        #expect(picture.side % 4 == 1 && picture.side >= 21)
        for (column, row) in [(0, 0), (picture.side - 7, 0), (0, picture.side - 7)] {
            for offset in 0..<7 {
                #expect(picture.isDark(column: column + offset, row: row))
                #expect(picture.isDark(column: column, row: row + offset))
            }
            #expect(!picture.isDark(column: column + 1, row: row + 1))
            #expect(picture.isDark(column: column + 3, row: row + 3))
        }
        #expect(!picture.isDark(column: -1, row: 0))
        #expect(!picture.isDark(column: 0, row: picture.side))
    }

    @Test func whatFitsInNoneHasNoPicture() {
        #expect(QRPicture("") == nil)
        #expect(QRPicture(String(repeating: "a", count: 3000)) == nil)
    }

    /// Shows that a reader of codes reads it.
    @Test(.enabled(if: access("/usr/bin/zbarimg", X_OK) == 0, "zbarimg is not there: install zbar-tools"))
    func aReaderReadsIt() throws {
        let workshop = try Workshop()
        let picture = try #require(QRPicture("http://10.0.0.5:4712/g/#x"))
        let scale = 6
        let side = (picture.side + 2 * QRPicture.quietModuleCount) * scale
        var image = "P1 \(side) \(side)\n"
        for row in 0..<side {
            for column in 0..<side {
                image += picture.isDark(column: column / scale - 4, row: row / scale - 4) ? "1 " : "0 "
            }
        }
        try Data(image.utf8).write(to: URL(fileURLWithPath: workshop.path + "/a.pbm"))
        #expect(try workshop.run("zbarimg", "--nodbus", "-q", "--raw", "a.pbm").output == "http://10.0.0.5:4712/g/#x\n")
    }
}
