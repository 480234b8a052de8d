import AlbumModel
import Glibc
import NIOPosix
import PotluckAPI
import Testing
import WebGallery

@testable import WebServer

/// Archives of albums at the doors.
@Suite(.timeLimit(.minutes(1))) struct ArchiveTests {
    /// What Info-ZIP's `unzip` prints about an archive, and how it ends.
    private func unzip(_ options: String, _ archive: [UInt8]) async throws -> (text: String, status: Int32) {
        try await NIOThreadPool.singleton.runIfActive {
            var name = Array("/tmp/potluck-zip-XXXXXX".utf8CString)
            let file = mkstemp(&name)
            let path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            defer { unlink(path) }
            var rest = archive[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                try #require(count > 0)
                rest = rest.dropFirst(count)
            }
            close(file)
            let pipe = try #require(popen("LC_ALL=C.UTF-8 TZ=UTC unzip \(options) \(path) 2>&1", "r"))
            var (text, line) = ([UInt8](), [CChar](repeating: 0, count: 4096))
            while fgets(&line, Int32(line.count), pipe) != nil {
                text += line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            }
            return (String(decoding: text, as: UTF8.self), pclose(pipe))
        }
    }

    private func zip(_ world: PictureWorld, _ query: String = "") -> String { "/albums/\(world.beach.hex)/zip\(query)" }

    /// Shows an archive that another program reads: all names, sizes and dates; one length that is known before.
    @Test func anotherProgramReadsIt() async throws {
        let world = PictureWorld()
        world.put(1, sampleBytes(700_000), name: "Grüße.jpg", taken: "2026-08-14T18:40:07+02:00")
        world.put(2, sampleBytes(10), name: "grüße.JPG", taken: "2026-08-15T01:02:04")
        world.put(3, [], name: "empty.jpg", taken: nil)
        try await world.serve { doors async throws in
            let reply = try await doors.ask("GET", zip(world), as: "lena")
            #expect(reply.status == 200 && reply["content-type"] == "application/zip")
            #expect(reply["content-length"] == "\(reply.body.count)" && reply["accept-ranges"] == "bytes")
            #expect(reply["content-disposition"] == "attachment; filename=\"Beach.zip\"; filename*=UTF-8''Beach.zip")
            let test = try await unzip("-t", reply.body)
            #expect(test.status == 0 && test.text.contains("No errors detected"), "\(test.text)")
            let list = try await unzip("-l", reply.body).text
            for part in [
                "700000  2026-08-14 16:40   Grüße.jpg", "10  2026-08-15 01:02   grüße (2).JPG",
                "1980-01-01 00:00   empty.jpg",
            ] {
                #expect(list.contains(part), "\(list)")
            }
            let head = try await doors.ask("HEAD", zip(world), as: "lena")
            #expect(head["content-length"] == reply["content-length"] && head["etag"] == reply["etag"])
        }
    }

    /// Shows that a download goes on anywhere with equal bytes, whether the checksums before are known or not.
    @Test(arguments: [true, false]) func itGoesOn(isKnown: Bool) async throws {
        let world = PictureWorld()
        for number in 1...3 { world.put(number, sampleBytes(300_000 + number, seed: UInt64(number))) }
        let (whole, tag) = try await world.serve { doors async throws in
            let reply = try await doors.ask("GET", zip(world), as: "lena")
            if isKnown { try await goOn(doors, world, reply.body, reply["etag"] ?? "") }
            return (reply.body, reply["etag"] ?? "")
        }
        if !isKnown { try await world.serve { try await goOn($0, world, whole, tag) } }
    }

    private func goOn(_ doors: PictureDoors, _ world: PictureWorld, _ whole: [UInt8], _ tag: String) async throws {
        for start in [1, 40, 300_100, 450_000, 600_200, 900_100, whole.count - 1] {
            let reply = try await doors.ask(
                "GET", zip(world), as: "lena", [("Range", "bytes=\(start)-"), ("If-Range", tag)])
            #expect(reply.status == 206)
            #expect(reply["content-range"] == "bytes \(start)-\(whole.count - 1)/\(whole.count)")
            #expect(reply.body == Array(whole[start...]), "from \(start)")
        }
        let part = try await doors.ask("GET", zip(world), as: "lena", [("Range", "bytes=300000-300999")])
        #expect(part.body == Array(whole[300_000..<301_000]))
        // Of another archive than this one nothing goes on.
        let other = try await doors.ask(
            "GET", zip(world, "?type=photo&photos=\(FakeGathering.blob(1).hex)"), as: "lena",
            [("Range", "bytes=5-"), ("If-Range", tag)])
        #expect(other.status == 200)
    }

    /// Shows filters and chosen photos, in a query and in a form.
    @Test func aPartOfTheAlbum() async throws {
        let world = PictureWorld()
        for number in 1...3 { world.put(number, [UInt8(number)], name: "\(number).jpg") }
        try await world.serve { doors async throws in
            func names(_ reply: Reply) async throws -> [String] {
                try await unzip("-Z1", reply.body).text.split(separator: "\n").map { String($0) }
            }
            let chosen = [1, 3].map { FakeGathering.blob($0).hex }.joined(separator: ",")
            #expect(
                try await names(doors.ask("GET", zip(world, "?photos=\(chosen)"), as: "lena")) == ["1.jpg", "3.jpg"])
            let form = try await doors.ask(
                "POST", zip(world), as: "lena", [("Content-Type", "application/x-www-form-urlencoded")],
                body: Array("size=original&photos=\(chosen.replacing(",", with: "%2C"))".utf8))
            #expect(try await names(form) == ["1.jpg", "3.jpg"])
            #expect(try await names(doors.ask("GET", zip(world, "?text=2.jpg"), as: "lena")) == ["2.jpg"])
            #expect(try await doors.ask("GET", zip(world, "?from=2027-01-01"), as: "lena").status == 404)
            for wrong in ["?size=3", "?photos=x", "?new_for=a%20b", "?from=now", "?type=gif"] {
                #expect(try await doors.ask("GET", zip(world, wrong), as: "lena").status == 400)
            }
            #expect(try await doors.ask("GET", zip(world), as: "looker").status == 403)
            #expect(try await doors.ask("GET", "/albums/\(world.secret.hex)/zip", as: "lena").status == 404)
            #expect(try await doors.ask("GET", "/albums/\(AlbumName.identifier("None").hex)/zip").status == 404)
        }
    }

    /// Shows that the archive of all photos has a directory for each album that its visitor sees, and no other album.
    @Test func allAlbums() async throws {
        let world = PictureWorld()
        let clash = world.host.gathering.make("NOT-INCLUDED.txt")
        world.put(1, [1], name: "a.jpg")
        let both = world.put(2, [2], name: "a.jpg")
        world.put(2, [2], into: world.secret, name: "b.jpg")
        let gone = world.put(3, [3], into: clash)
        world.host.change { $0.pictures[.original]?[gone] = nil }
        try await world.serve { doors async throws in
            let target = "/albums/all/zip"
            let seen = try await doors.ask("GET", target, as: "lena")
            #expect(seen.status == 200 && seen["content-disposition"]?.contains("\"All photos.zip\"") == true)
            #expect(try await unzip("-Z1", seen.body).text == "Beach/a.jpg\nBeach/a (2).jpg\n")
            let owned = try await doors.ask("GET", target)
            #expect(try await unzip("-t", owned.body).status == 0)
            let names = Set(try await unzip("-Z1", owned.body).text.split(separator: "\n"))
            #expect(names == ["Beach/a.jpg", "Beach/a (2).jpg", "Secret/b.jpg", "NOT-INCLUDED.txt"])
            #expect(try await unzip("-p", owned.body).text.contains("NOT-INCLUDED (2).txt/IMG_3.JPG"))
            let part = try await doors.ask("GET", "\(target)?photos=\(both.hex)", [("Range", "bytes=10-")])
            #expect(part.status == 206)
            #expect(try await doors.ask("GET", "\(target)?text=nothing").status == 404)
            let found = try await doors.ask("GET", "\(target)?text=secret")
            #expect(try await unzip("-Z1", found.body).text == "Secret/b.jpg\n")
        }
    }

    /// Shows that of all photos a browser gets what is new alone, too, album by album.
    @Test func onlyWhatIsNewOfAll() async throws {
        let world = PictureWorld()
        world.put(1, [1], name: "1.jpg")
        world.put(2, [2], into: world.secret, name: "2.jpg")
        let query = "?new_for=0123456789abcdef0123456789abcdef"
        try await world.serve { doors async throws in
            #expect(try await doors.ask("GET", zip(world, query)).status == 200)
            let rest = try await doors.ask("GET", "/albums/all/zip\(query)")
            #expect(try await unzip("-Z1", rest.body).text == "Secret/2.jpg\n")
            #expect(try await doors.ask("GET", "/albums/all/zip\(query)").status == 404)
        }
    }

    /// Shows that a browser gets what is new alone, once it has all of an archive; a part is none.
    @Test func onlyWhatIsNew() async throws {
        let world = PictureWorld()
        world.put(1, sampleBytes(1000), name: "1.jpg")
        let query = "?new_for=0123456789abcdef0123456789abcdef"
        try await world.serve { doors async throws in
            let all = try await doors.ask("GET", zip(world, query), as: "lena", [("Range", "bytes=0-499")])
            #expect(all.status == 206)
            let tail = try await doors.ask("GET", zip(world, query), as: "lena", [("Range", "bytes=600-")])
            #expect(tail.status == 206)
            #expect(try await doors.ask("GET", zip(world, query), as: "lena", [("Range", "bytes=500-")]).status == 206)
        }
        try await world.serve { doors async throws in
            let none = try await doors.ask("GET", zip(world, query), as: "lena")
            #expect(none.status == 404 && none.text.contains(#""code":"nothing_new""#))
            world.put(2, [1], name: "2.jpg")
            let new = try await doors.ask("GET", zip(world, query), as: "lena")
            #expect(try await unzip("-Z1", new.body).text == "2.jpg\n")
            #expect(try await doors.ask("GET", zip(world), as: "lena").status == 200)
        }
    }

    /// Shows smaller pictures where there are some, and originals for films and for what cannot be made.
    @Test func smallerPictures() async throws {
        let world = PictureWorld()
        let (first, _) = (
            world.put(1, sampleBytes(5000), name: "1.HEIC"), world.put(2, sampleBytes(600), name: "2.jpg")
        )
        world.host.put(sampleBytes(50), .preview, of: first)
        try await world.serve { doors async throws in
            let list = try await unzip("-l", doors.ask("GET", zip(world, "?size=2048"), as: "lena").body).text
            #expect(
                list.contains(/\b50 .*1\.jpg/) && list.contains(/\b600 .*2\.jpg/), "\(list)")
            // What is larger than it was to be is named, with the reason.
            let note = try await unzip("-p", doors.ask("GET", zip(world, "?size=2048"), as: "lena").body).text
            #expect(list.contains("NOT-SMALLER.txt") && note.contains("2.jpg: There is no picture of it."))
            #expect(!note.contains("1.HEIC:") && !list.contains("NOT-INCLUDED"))
        }
    }

    /// Shows that an archive begins while pictures of it are still being made, and has all of them in the end.
    @Test func itBeginsBeforeAllIsMade() async throws {
        let world = PictureWorld()
        let photos = (1...3).map { world.put($0, sampleBytes(9000), name: "\($0).HEIC") }
        world.host.put(sampleBytes(5000), .preview, of: photos[0])
        world.host.change { $0.pictures[.preview]?[photos[1]] = .later(seconds: 1, progress: nil) }
        let query = "?size=2048&new_for=0123456789abcdef0123456789abcdef"
        try await world.serve { doors async throws in
            let connection = try Connection(path: doors.guests)
            try await connection.send(PictureDoors.head("GET", zip(world, query), as: "lena", []))
            let beginning = try await connection.beginning(4000)
            world.host.put(sampleBytes(70), .preview, of: photos[1])
            let reply = try await connection.reply(after: beginning)
            #expect(reply.status == 200 && reply["content-length"] == nil && reply["accept-ranges"] == "none")
            #expect(reply["etag"] == nil)
            let test = try await unzip("-t", reply.body)
            #expect(test.status == 0 && test.text.contains("No errors detected"), "\(test.text)")
            #expect(try await unzip("-Z1", reply.body).text == "1.jpg\n2.jpg\n3.HEIC\nNOT-SMALLER.txt\n")
            #expect(try await unzip("-l", reply.body).text.contains(/\b70 .*2\.jpg/))
            // It is all there, so that it is not taken home twice.
            #expect(try await doors.ask("GET", zip(world, query), as: "lena").status == 404)
        }
    }

    /// Shows what is taken of a photo whose picture is not ready: nothing yet for a plan, the original once its time is
    /// over, and never more than its visitor may have.
    @Test func whatIsNotReady() async throws {
        let world = PictureWorld()
        let photo = world.put(1, [1])
        world.host.change { state in
            state.pictures[.preview] = [photo: .later(seconds: 1, progress: nil)]
            state.pictures[.placeless] = [photo: .later(seconds: 1, progress: nil)]
        }
        let source = ArchiveSource(host: world.host)
        func find(_ kinds: [PictureKind], _ patience: Duration?) async throws -> String {
            let part = ArchivePart(
                blob: photo, path: "1.HEIC", smallPath: "1.jpg", time: ArchiveTime(nil), photo: 0, kinds: kinds,
                isHere: true)
            switch try await source.find(part, patience: patience) {
            case .file(_, let kind, let reason): return "\(kind): \(reason ?? "-")"
            case .making: return "making"
            case .missing(let reason): return "missing: \(reason ?? "-")"
            }
        }
        #expect(try await find([.preview, .original], nil) == "making")
        #expect(try await find([.preview, .original], .zero) == "original: No smaller picture was ready in time.")
        #expect(try await find([.preview, .placeless], .zero) == "making")
        #expect(try await find([.original], nil) == "original: -")
        world.host.change { $0.pictures[.placeless] = [photo: .none(reason: "It is too large.")] }
        #expect(try await find([.preview, .placeless], .zero) == "missing: It is too large.")
    }

    /// Shows that what is given to nobody without its place is named with the reason.
    @Test func whatKeepsItsPlaceIsLeftOut() async throws {
        let world = PictureWorld()
        let photo = world.put(1, [1], name: "1.mkv")
        let other = world.put(2, [2], name: "2.jpg")
        world.host.change { $0.pictures[.placeless] = [photo: .none(reason: "It is too large.")] }
        try await world.serve { doors async throws in
            let none = try await doors.ask("GET", zip(world), as: "tom")
            #expect(none.status == 404 && none.text.contains("It is too large."))
            world.host.put([3], .placeless, of: other)
            let reply = try await doors.ask("GET", zip(world), as: "tom")
            #expect(try await unzip("-Z1", reply.body).text == "2.jpg\nNOT-INCLUDED.txt\n")
            #expect(try await unzip("-p", reply.body).text.contains("1.mkv: It is too large."))
        }
    }

    /// Shows that originals of other laptops are asked for and named, and that an archive of nothing is none.
    @Test func whatIsElsewhere() async throws {
        let world = PictureWorld()
        let (far, near) = (world.put(1, [1], name: "far.jpg"), world.put(2, [2], name: "near.jpg"))
        world.host.change { $0.pictures[.original]?[far] = .later(seconds: 5, progress: nil) }
        try await world.serve { doors async throws in
            let reply = try await doors.ask("GET", zip(world), as: "lena")
            #expect(try await unzip("-Z1", reply.body).text == "near.jpg\nNOT-INCLUDED.txt\n")
            #expect(try await unzip("-p", reply.body).text.contains("far.jpg"))
            #expect(world.host.change { $0.asked[.original]?.contains(far) } == true)
            #expect(try await doors.ask("GET", zip(world, "?photos=\(far.hex)"), as: "lena").status == 503)
            #expect(try await doors.ask("GET", zip(world, "?photos=\(near.hex)"), as: "lena").status == 200)
        }
    }

    /// Shows that two archives of one person are enough, and that their places are free when they are over.
    @Test func placesAreFew() async throws {
        let world = PictureWorld()
        world.put(1, sampleBytes(8_000_000))
        try await world.serve { doors async throws in
            var open: [Connection] = []
            for _ in 0..<2 {
                let connection = try Connection(path: doors.guests)
                try await connection.send(PictureDoors.head("GET", zip(world), as: "lena", []))
                open.append(connection)
                try await connection.waitForAnswer()
            }
            let third = try await doors.ask("GET", zip(world), as: "lena")
            #expect(third.status == 429 && third["retry-after"] != nil)
            #expect(try await doors.ask("HEAD", zip(world), as: "ben").status == 200)
            for connection in open { #expect(try await connection.reply().body.count > 8_000_000) }
            var status = 429
            while status == 429 { status = try await doors.ask("HEAD", zip(world), as: "lena").status }
            #expect(status == 200)
        }
    }
}
