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

    /// Shows that the path has exactly the dark modules, by drawing it.
    @Test func thePathDrawsTheModules() throws {
        let picture = try #require(QRPicture("Kuh reunion"))
        var drawn: Set<[Int]> = []
        for run in picture.svgPath.split(separator: "M") {
            let match = try #require(run.wholeMatch(of: /(\d+) (\d+)h(\d+)v1h-(\d+)z/))
            let (column, row, count) = (Int(match.1)!, Int(match.2)!, Int(match.3)!)
            #expect(match.3 == match.4)
            for offset in 0..<count { #expect(drawn.insert([column + offset - 4, row - 4]).inserted) }
        }
        for row in 0..<picture.side {
            for column in 0..<picture.side {
                #expect(drawn.contains([column, row]) == picture.isDark(column: column, row: row))
            }
        }
    }

    /// Shows that its label is text, and that there is no picture of what fits in none.
    @Test func itIsMarkup() throws {
        let svg = try #require(QRPicture("a")).svg(label: "Link of \"Lena\"").text
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 29 29\" role=\"img\""))
        #expect(svg.contains("aria-label=\"Link of &quot;Lena&quot;\""))
        #expect(QRPicture("") == nil)
        #expect(QRPicture(String(repeating: "a", count: 3000)) == nil)
    }

    /// Shows that a reader of codes reads it.
    @Test(.enabled(if: access("/usr/bin/zbarimg", X_OK) == 0, "zbarimg is not there: install zbar-tools"))
    func aReaderReadsIt() throws {
        let workshop = try Workshop()
        let picture = try #require(QRPicture("http://10.0.0.5:4712/g/#x"))
        let scale = 6
        var image = "P1 \(picture.fullSide * scale) \(picture.fullSide * scale)\n"
        for row in 0..<picture.fullSide * scale {
            for column in 0..<picture.fullSide * scale {
                image += picture.isDark(column: column / scale - 4, row: row / scale - 4) ? "1 " : "0 "
            }
        }
        try Data(image.utf8).write(to: URL(fileURLWithPath: workshop.path + "/a.pbm"))
        #expect(try workshop.run("zbarimg", "--nodbus", "-q", "--raw", "a.pbm").output == "http://10.0.0.5:4712/g/#x\n")
    }
}
