import AlbumModel
import Testing

/// Texts as searches compare them.
@Suite struct PlainTextTests {
    @Test(
        arguments: [
            ("", ""), ("IMG_0001.JPG", "img_0001.jpg"), ("Crème brûlée", "creme brulee"),
            ("Cre\u{300}me", "creme"), ("Søren Ǿ", "soren o"), ("ŁÓDŹ", "lodz"), ("Straße ẞ", "strasse ss"),
            ("Ærø ǽ œuvre", "aero ae oeuvre"), ("Đường", "duong"), ("Ísafjörður Þór", "isafjordur thor"),
            ("Kırmızı İzmir", "kirmizi izmir"), ("Ħal Ŧ ŋ", "hal t n"), ("ΑΘΉΝΑ", "αθηνα"), ("Ёлка й", "елка и"),
            ("か\u{3099}が", "がが"), ("한국", "한국"), ("🎉", "🎉"), ("\u{301}", ""),
        ])
    func lettersArePlain(_ text: String, _ plain: String) {
        let folded = PlainText.folded(text)
        #expect(folded.utf8.elementsEqual(plain.utf8), "\(folded)")
        #expect(PlainText.folded(folded).utf8.elementsEqual(plain.utf8))
    }
}
