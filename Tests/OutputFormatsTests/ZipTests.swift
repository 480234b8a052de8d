import Foundation
import Glibc
import OutputFormats
import Testing

/// Archives, as other programs read them.
@Suite struct ZipTests {
    private let entry = ZipEntry(
        name: "Beach day/Größe 👍.jpg", localMilliseconds: 1_783_173_802_000, milliseconds: 1_783_166_602_000)

    /// Shows the checksum's value for the text that its definitions give, and that lengths that are no multiple of eight
    /// and bytes that come in parts make no difference.
    @Test func theChecksumIsZlibs() {
        func crc(_ parts: [UInt8]...) -> UInt32 {
            var crc = CRC32()
            for part in parts { crc.update(part) }
            return crc.value
        }
        #expect(crc(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(crc() == 0)
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        for cut in [0, 1, 7, 8, 9, 500, 993, 1000] {
            #expect(crc(Array(bytes[..<cut]), Array(bytes[cut...])) == crc(bytes))
        }
    }

    /// Shows an archive whose files are told of before and after their content, read by Info-ZIP and by Python: names in
    /// UTF-8, both kinds of dates, and content.
    @Test func otherProgramsReadIt() throws {
        let workshop = try Workshop()
        let content = Array("a photo".utf8)
        var crc = CRC32()
        crc.update(content)
        var writer = ZipWriter()
        var bytes = writer.add(entry, crc: crc.value, byteCount: 7)
        #expect(bytes.count == ZipWriter.headerByteCount(entry, byteCount: 7))
        bytes += content
        var streamed = entry
        streamed.name = "Beach day/streamed.jpg"
        bytes += writer.begin(streamed, byteCount: 7) + content + writer.end(crc: crc.value)
        bytes += writer.add(ZipEntry(name: "old", localMilliseconds: -1, milliseconds: -1), crc: 0, byteCount: 0)
        bytes += writer.finish()
        #expect(writer.offset == UInt64(bytes.count))
        try Data(bytes).write(to: URL(fileURLWithPath: workshop.path + "/a.zip"))

        #expect(try workshop.run("unzip", "-t", "a.zip").status == 0)
        let script = """
            import zipfile
            z = zipfile.ZipFile('a.zip')
            for i in z.infolist(): print(i.filename, i.date_time, i.file_size, oct(i.external_attr >> 16), z.read(i))
            """
        #expect(
            try workshop.run("python3", "-c", script).output == """
                Beach day/Größe 👍.jpg (2026, 7, 4, 14, 3, 22) 7 0o100644 b'a photo'
                Beach day/streamed.jpg (2026, 7, 4, 14, 3, 22) 7 0o100644 b'a photo'
                old (1980, 1, 1, 0, 0, 0) 0 0o100644 b''

                """)
        try workshop.run("env", "TZ=UTC", "unzip", "-q", "a.zip")
        var info = stat()
        #expect(stat(workshop.path + "/Beach day/Größe 👍.jpg", &info) == 0)
        #expect(Int64(info.st_mtim.tv_sec) * 1000 == entry.milliseconds)
    }

    /// Shows more files than the old format can count.
    @Test func manyFilesFit() throws {
        let workshop = try Workshop()
        var writer = ZipWriter()
        var bytes: [UInt8] = []
        for number in 0..<65_600 {
            let entry = ZipEntry(name: "\(number)", localMilliseconds: 0, milliseconds: 0)
            bytes += writer.add(entry, crc: 0, byteCount: 0)
        }
        bytes += writer.finish()
        try Data(bytes).write(to: URL(fileURLWithPath: workshop.path + "/a.zip"))
        let script = "import zipfile; n = zipfile.ZipFile('a.zip').namelist(); print(len(n), n[-1])"
        #expect(try workshop.run("python3", "-c", script).output == "65600 65599\n")
        #expect(try workshop.run("unzip", "-tq", "a.zip", "65599").status == 0)
    }

    /// Shows a file above 4 GiB, told before and after its content, and one that lies beyond it. The large ones are holes:
    /// they take neither space nor time, and what follows them is read.
    @Test(arguments: [false, true])
    func largeFilesFit(isStreamed: Bool) throws {
        let workshop = try Workshop()
        let descriptor = open(workshop.path + "/a.zip", O_RDWR | O_CREAT, 0o644)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let large = UInt64(UInt32.max) + 10
        // CRC-32 of that many zero bytes, as zlib computes it.
        let crc: UInt32 = 0xE38A_6876
        var writer = ZipWriter()
        func put(_ bytes: [UInt8], at offset: UInt64) {
            #expect(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
        }
        put(isStreamed ? writer.begin(entry, byteCount: large) : writer.add(entry, crc: crc, byteCount: large), at: 0)
        if isStreamed {
            let start = writer.offset
            put(writer.end(crc: crc), at: start)
        }
        let content = Array("123456789".utf8)
        let start = writer.offset
        let header = writer.add(
            ZipEntry(name: "after", localMilliseconds: 0, milliseconds: 0), crc: 0xCBF4_3926, byteCount: 9)
        put(header + content, at: start)
        let end = writer.offset
        put(writer.finish(), at: end)

        let script = """
            import zipfile
            z = zipfile.ZipFile('a.zip')
            print([(i.file_size, i.header_offset) for i in z.infolist()], z.read('after'), z.open(z.infolist()[0]).read(3))
            """
        #expect(
            try workshop.run("python3", "-c", script).output
                == "[(\(large), 0), (9, \(start))] b'123456789' b'\\x00\\x00\\x00'\n")
        #expect(try workshop.run("unzip", "-tq", "a.zip", "after").status == 0)
    }
}
