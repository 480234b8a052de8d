import Foundation
import OutputFormats
import Testing

/// Archives that are sent while they are made.
@Suite struct ZipStreamTests {
    private let contents = [Array("a photo".utf8), [], [UInt8](repeating: 7, count: 3000)]

    private func files(areChecksumsKnown: Bool) -> [ZipStream.File] {
        contents.enumerated().map { number, content in
            let entry = ZipEntry(
                name: "Kuh reunion/Größe \(number).jpg", localMilliseconds: 1_783_173_802_000,
                milliseconds: 1_783_166_602_000)
            return ZipStream.File(
                entry: entry, byteCount: UInt64(content.count), crc: areChecksumsKnown ? Self.crc(content) : nil)
        }
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }

    /// Sends an archive from a place on, as a server does; also says which files were read whole for their checksums.
    private func sent(_ files: [ZipStream.File], from start: UInt64 = 0) -> (bytes: [UInt8], read: [Int]) {
        var stream = ZipStream(files, from: start)
        var (bytes, read): ([UInt8], [Int]) = ([], [])
        while true {
            switch stream.next() {
            case .send(let part): bytes += part
            case .content(let index, let offset, let needsCRC):
                bytes += contents[index][Int(offset)...]
                guard needsCRC else { continue }
                read.append(index)
                stream.finishFile(crc: Self.crc(contents[index]))
            case .finished: return (bytes, read)
            }
        }
    }

    /// Shows that the size is known before, that known checksums change no byte, and that others read the archive: names,
    /// dates and content.
    @Test func itIsAsLargeAsItSays() throws {
        let (bytes, read) = sent(files(areChecksumsKnown: false))
        #expect(UInt64(bytes.count) == ZipStream.byteCount(of: files(areChecksumsKnown: false)))
        #expect(read == [0, 1, 2])
        let known = sent(files(areChecksumsKnown: true))
        #expect(known.bytes == bytes)
        #expect(known.read == [])

        let workshop = try Workshop()
        try Data(bytes).write(to: URL(fileURLWithPath: workshop.path + "/a.zip"))
        #expect(try workshop.run("unzip", "-t", "a.zip").status == 0)
        let script = """
            import zipfile
            for i in (z := zipfile.ZipFile('a.zip')).infolist(): print(i.filename, i.date_time, len(z.read(i)), i.compress_type)
            """
        #expect(
            try workshop.run("python3", "-c", script).output == """
                Kuh reunion/Größe 0.jpg (2026, 7, 4, 14, 3, 22) 7 0
                Kuh reunion/Größe 1.jpg (2026, 7, 4, 14, 3, 22) 0 0
                Kuh reunion/Größe 2.jpg (2026, 7, 4, 14, 3, 22) 3000 0

                """)
    }

    /// Shows that a download goes on at any byte: in headers, in contents, in the directory and at the end.
    @Test(arguments: [false, true])
    func itGoesOnAnywhere(areChecksumsKnown: Bool) {
        let files = files(areChecksumsKnown: areChecksumsKnown)
        let whole = sent(files).bytes
        for start in 0...whole.count {
            #expect(sent(files, from: UInt64(start)).bytes == Array(whole[start...]), "from \(start)")
        }
    }

    /// Shows that files before the place are not read where their checksums are known, and read where they are not.
    @Test func itSkipsWhatIsKnown() {
        let whole = sent(files(areChecksumsKnown: true)).bytes
        var files = files(areChecksumsKnown: true)
        let start = UInt64(whole.count - 10)
        #expect(sent(files, from: start).read == [])
        files[1].crc = nil
        #expect(sent(files, from: start).read == [1])
    }

    /// Shows that the size of files beyond 4 GiB counts the longer fields, without any content.
    @Test func largeFilesHaveLargerRecords() {
        func byteCount(_ size: UInt64) -> UInt64 {
            let entry = ZipEntry(name: "a", localMilliseconds: 0, milliseconds: 0)
            return ZipStream.byteCount(of: [ZipStream.File(entry: entry, byteCount: size)])
        }
        let small = byteCount(1000) - 1000
        // Two sizes of eight bytes and their head in the header and the directory, two times four bytes more in the
        // descriptor, and the end of the directory in its large form.
        #expect(byteCount(5 << 30) - (5 << 30) == small + 20 + 20 + 8 + 76)
    }
}
