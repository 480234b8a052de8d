import AlbumModel
import NIOCore
import Synchronization
import Testing
import WebGallery

@testable import PotluckAPI
@testable import WebServer

/// How guests and owners come in, and how they are put out.
@Suite(.timeLimit(.minutes(1))) struct JoiningTests {
    private static func join(_ token: String, _ name: String = "Lena") throws -> String {
        try ReportJSON.text(["token": token, "name": name])
    }

    /// Shows the way from the link to a month's photos, by the cookie and by the bearer.
    @Test func aGuestComesInAndSees() async throws {
        let host = FakeHost()
        let album = host.gathering.make("Beach day")
        host.gathering.put(FakeGathering.photo(1), into: album)
        try await withOpenLaptop(host) { doors async throws in
            let link = try await doors.open().link
            let phone = try Browser(at: link)
            #expect(try await phone.get("/api/v1/albums").status == 401)
            let answer = try await phone.post(
                "/api/v1/guests", try Self.join(try OpenLaptop.fragment(link), "  Le\u{202E}na\n "))
            #expect(answer.status == 201, "\(answer)")
            #expect(answer["guest"]?.members?["name"] == .string("Lena"))
            let cookie = try #require(answer.headers["set-cookie"])
            #expect(cookie.hasPrefix("potluck-d0d0=") && cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            let bearer = try #require(answer.text("bearer"))
            for credential in [Browser.Credential.cookie(String(cookie.prefix { $0 != ";" })), .bearer(bearer)] {
                let guest = phone.with(credential)
                let albums = try await guest.get("/api/v1/albums")
                #expect(albums.status == 200 && albums.body.contains("Beach day"), "\(albums)")
                let months = try await guest.get("/api/v1/albums/\(album.hex)/months")
                #expect(months.status == 200 && months.body.contains("\"2026-08\""), "\(months)")
                let month = try await guest.get("/api/v1/albums/\(album.hex)/months/2026-08")
                #expect(month.body.contains(Base64URL.text(FakeGathering.blob(1).bytes)), "\(month)")
                let me = try await guest.get("/api/v1/me")
                #expect(me.text("kind") == "guest", "\(me)")
                #expect(me.body.contains(#""may":["see","add","talk","take","make"]"#), "\(me)")
            }
            // By the personal link the same guest comes back, without a name.
            let personal = try #require(answer.text("link"))
            #expect(personal.hasPrefix(phone.origin + "/g/#me="))
            let again = try await phone.post(
                "/api/v1/guests", try ReportJSON.text(["token": String(try OpenLaptop.fragment(personal).dropFirst(3))])
            )
            #expect(again.status == 201 && again["guest"] == answer["guest"], "\(again)")
        }
    }

    /// Shows what is answered to who may not come in.
    @Test func whoMayNotComeInIsTold() async throws {
        try await withOpenLaptop { doors async throws in
            let until = Instant(millisecondsSince1970: 1_795_268_669_250 + 60_000)
            let link = try await doors.open(GuestDoorOrder(until: until)).link
            let token = try OpenLaptop.fragment(link)
            let phone = try Browser(at: link)
            var generator = SystemRandomNumberGenerator()
            let other = SecretToken(using: &generator).text
            #expect(try await phone.post("/api/v1/guests", try Self.join(other)).status == 401)
            #expect(try await phone.post("/api/v1/guests", try Self.join("nonsense")).status == 401)
            #expect(try await phone.post("/api/v1/guests", try Self.join(token, " \u{200B} ")).status == 400)
            #expect(try await phone.post("/api/v1/guests", "{\"token\":\"\(token)", [:]).status == 400)
            let long = String(repeating: "x", count: 20_000)
            #expect(try await phone.post("/api/v1/guests", try Self.join(token, long)).status == 413)
            let foreign = try await phone.ask(
                "POST", "/api/v1/guests", ["Origin": "http://evil.example"], body: try Self.join(token),
                type: "text/plain")
            #expect(foreign.status == 415, "\(foreign)")
            let guest = try await doors.guest().browser
            doors.clock.advance(60)
            #expect(try await phone.post("/api/v1/guests", try Self.join(token)).status == 410)
            #expect(try await guest.get("/api/v1/albums").status == 401)
            // The owner gives more time, and who was in is in again.
            _ = try await doors.open(GuestDoorOrder(forever: true))
            #expect(try await guest.get("/api/v1/albums").status == 200)
        }
    }

    /// Shows that guesses are bounded, and that the answer says when to come back.
    @Test func guessesAreBounded() async throws {
        try await withOpenLaptop { doors async throws in
            let phone = try Browser(at: try await doors.open().link)
            for _ in 0..<60 { #expect(try await phone.post("/api/v1/guests", try Self.join("nonsense")).status == 401) }
            let answer = try await phone.post("/api/v1/guests", try Self.join("nonsense"))
            #expect(answer.status == 429 && answer.headers["retry-after"] == "1", "\(answer)")
        }
    }

    /// Shows that both doors refuse other names and other pages.
    @Test func hostAndOriginAreChecked() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            for browser in [try await doors.owner(), try await doors.guest().browser] {
                #expect(try await browser.get("/api/v1/albums").status == 200)
                #expect(try await browser.get("/api/v1/albums", ["Host": "evil.example"]).status == 421)
                #expect(try await browser.get("/api/v1/alive", ["Host": "evil.example"]).status == 421)
            }
            let owner = try await doors.owner()
            let order = #"{"decision":"undo"}"#
            #expect(try await owner.post("/api/v1/decide", order, ["Origin": "http://evil.example"]).status == 403)
            #expect(try await owner.post("/api/v1/decide", order, ["Origin": ""]).status == 403)
            #expect(try await owner.post("/api/v1/decide", order).status == 200)
            // Nothing that only the owner's own programs may.
            #expect(try await owner.get("/api/v1/invite").status == 200)
            #expect(try await owner.get("/api/v1/pack-plan").status == 403)
            #expect(try await owner.post("/api/v1/down", "{}").status == 403)
            let alive = try await owner.get("/api/v1/alive", ["Origin": "http://10.0.0.6:4712"])
            #expect(alive.status == 200 && alive.headers["access-control-allow-origin"] == "*", "\(alive)")
            #expect(alive["guests"] == .bool(true) && alive.text("gathering") == "Summer")
            #expect(owner.host.hasPrefix("127.") && !owner.host.hasPrefix("127.0.0."), "\(owner.host)")
        }
    }

    /// Shows that a one-time code is good once, for a minute, and at its own door alone.
    @Test func aCodeIsGoodOnce() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            let url = try await doors.gallery.ownerLink().url
            let browser = try Browser(at: url)
            #expect(url.hasPrefix(browser.origin + "/open/#"))
            let code = try ReportJSON.text(["code": try OpenLaptop.fragment(url)])
            #expect(try await (try await doors.phone()).post("/api/v1/session", code).status == 401)
            let fragment = try OpenLaptop.fragment(url)
            #expect(await doors.gallery.ownerLinkWaits(code: fragment))
            #expect(try await browser.post("/api/v1/session", code).status == 201)
            #expect(await !doors.gallery.ownerLinkWaits(code: fragment))
            #expect(try await browser.post("/api/v1/session", code).status == 401)
            let late = try ReportJSON.text(["code": try OpenLaptop.fragment(try await doors.gallery.ownerLink().url)])
            doors.clock.advance(60)
            #expect(try await browser.post("/api/v1/session", late).status == 401)
            let page = try await browser.get("/open/")
            #expect(page.status == 200 && page.body.contains("joining/open.js"), "\(page)")
        }
    }

    /// Shows that an open door is not called closed where no phone has an address of this laptop.
    @Test func doorsWithoutAnAddressAreOpen() async throws {
        try await withOpenLaptop { doors async throws in
            doors.host.change { $0.addresses = [] }
            let opening = await #expect(throws: PotluckError.self) { _ = try await doors.open() }
            let pass = await #expect(throws: PotluckError.self) { _ = try await doors.gallery.ownerPass() }
            for error in [opening, pass] {
                #expect(error?.status == .tryAgain && error?.message.contains("is open") == true, "\(error as Any)")
            }
            let unreachable = try await doors.gallery.guests()
            #expect(unreachable.link == nil && unreachable.isOpen)
            #expect(unreachable.noLink == opening?.message)
            doors.host.change { $0.addresses = ["127.0.0.1"] }
            let reachable = try await doors.gallery.guests()
            let link = try #require(reachable.link?.link)
            #expect(link.hasPrefix("http://127.0.0.1:") && reachable.isOpen && reachable.noLink == nil)
            try await doors.gallery.closeGuestDoor(everywhere: false)
            let closed = try await doors.gallery.guests()
            #expect(closed.link == nil && !closed.isOpen)
            #expect(closed.noLink?.contains("closed") == true, "\(closed.noLink as Any)")
        }
    }

    /// Shows that the owner's phone may follow and decide, and no more, for twelve hours.
    @Test func theOwnersPhoneHasAPass() async throws {
        try await withOpenLaptop { doors async throws in
            await #expect(throws: PotluckError.self) { try await doors.gallery.ownerPass() }
            _ = try await doors.open()
            let url = try await doors.gallery.ownerPass().url
            let phone = try await doors.phone()
            #expect(url.hasPrefix(phone.origin + "/open/#"))
            let answer = try await phone.post(
                "/api/v1/session", try ReportJSON.text(["code": try OpenLaptop.fragment(url)]))
            let owner = phone.with(.bearer(try #require(answer.text("bearer"))))
            #expect(try await owner.get("/api/v1/status").status == 200)
            #expect(try await owner.post("/api/v1/decide", #"{"decision":"undo"}"#).status == 200)
            #expect(try await owner.get("/owner").status == 200)
            #expect(try await owner.ask("DELETE", "/api/v1/guests/link").status == 403)
            #expect(try await owner.get("/api/v1/me").text("kind") == "owner")
            doors.clock.advance(12 * 3600)
            #expect(try await owner.get("/api/v1/status").status == 401)
        }
    }

    /// A film that is longer than what a connection holds of it.
    private static let film = PictureFile(
        byteCount: 256 << 20, mediaType: "video/mp4", entityTag: EntityTag(hashing: [1])
    ) { _, count in ByteBuffer(repeating: 0, count: count) }

    /// Shows that the owner sees the phones that are signed in, and signs one of them out: its session, its stream and its
    /// download end at once and stay ended, and those of the other one go on.
    @Test func theOwnerEndsAPhonesPass() async throws {
        let host = FakeHost()
        let photo = host.gathering.put(FakeGathering.photo(1), into: host.gathering.make("Beach day"))
        host.change { $0.pictures[.original] = [photo: .here(Self.film)] }
        let lost = try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open()
            #expect(try await doors.gallery.phones().phones.isEmpty)
            let lost = try await doors.ownersPhone()
            let id = try #require(try await doors.gallery.phones().phones.first?.id)
            doors.clock.advance(60)
            let kept = try await doors.ownersPhone()
            let phones = try await doors.gallery.phones().phones
            #expect(phones.map(\.id).count == 2 && phones[1].id == id)
            #expect(phones[1].expires.millisecondsSince1970 - phones[1].since.millisecondsSince1970 == 12 * 3_600_000)
            // The owner's browser may; phones may not end each other.
            let owner = try await doors.owner()
            #expect(try await owner.get("/api/v1/phones").body.contains(id))
            #expect(try await kept.get("/api/v1/phones").status == 403)
            #expect(try await kept.ask("DELETE", "/api/v1/phones/\(id)").status == 403)
            #expect(try await owner.ask("DELETE", "/api/v1/phones/zzz").status == 404)
            let streams = [try await lost.follow(), try await kept.follow()]
            for stream in streams { _ = try await stream.receive(upTo: "id: ") }
            let download = try await lost.begin("/api/v1/photos/\(photo.hex)/original")
            _ = try await download.receive(upTo: "\r\n\r\n")
            let start = ContinuousClock.now
            #expect(try await owner.ask("DELETE", "/api/v1/phones/\(id)").status == 200)
            #expect(try await streams[0].receive(upTo: "session.ended").contains("event: session.ended"))
            #expect(try await download.receive().utf8.count < 128 << 20)
            // Long before the next sign of life of the stream.
            #expect(.now - start < .seconds(8))
            #expect(try await lost.get("/api/v1/me").status == 401)
            #expect(try await kept.get("/api/v1/status").status == 200)
            #expect(try await doors.gallery.phones().phones.count == 1)
            return lost
        }
        try await withOpenLaptop(host) { doors async throws in
            await doors.gallery.entrance.begun.wait()
            #expect(try await lost.get("/api/v1/me").status == 401)
        }
    }

    /// Shows that the session that signs out has ended, and no other one.
    @Test func signingOutEndsOneSession() async throws {
        try await withOpenLaptop { doors async throws in
            let (first, second) = (try await doors.owner(), try await doors.owner())
            let answer = try await first.ask("DELETE", "/api/v1/session")
            #expect(answer.status == 204 && answer.headers["set-cookie"]?.contains("Max-Age=0") == true, "\(answer)")
            #expect(try await first.get("/api/v1/me").status == 401)
            #expect(try await second.get("/api/v1/me").status == 200)
        }
    }

    // MARK: Being put out

    /// Shows that a revoked guest's sessions and stream end at once, that the link is another one, and that others stay.
    @Test func aRevokedGuestIsOut() async throws {
        try await withOpenLaptop { doors async throws in
            let before = try await doors.open().link
            let (lena, id) = try await doors.guest("Lena")
            let (ben, _) = try await doors.guest("Ben")
            let stream = try await lena.follow()
            _ = try await stream.receive(upTo: "event: ticket")
            let clock = ContinuousClock()
            let time = try await clock.measure {
                let report = try await doors.gallery.revoke(guest: "lena")
                #expect(report.guests.first { $0.id == id }?.revoked == true)
                #expect(try await stream.receive(upTo: "session.ended").contains("event: session.ended"))
            }
            // Long before the next sign of life of the stream.
            #expect(time < .seconds(8))
            #expect(try await lena.get("/api/v1/albums").status == 401)
            #expect(try await ben.get("/api/v1/albums").status == 200)
            let after = try #require(try await doors.gallery.guests().link?.link)
            #expect(after != before)
            let phone = try await doors.phone()
            #expect(
                try await phone.post("/api/v1/guests", try Self.join(try OpenLaptop.fragment(before))).status == 401)
            #expect(try await phone.post("/api/v1/guests", try Self.join(try OpenLaptop.fragment(after))).status == 201)
        }
    }

    /// Shows that whatever a guest is downloading ends with its session, or when the link no longer shows it; others go on.
    @Test(arguments: ["/api/v1/photos/PHOTO/original", "/api/v1/photos/PHOTO/preview", "/api/v1/albums/ALBUM/zip"])
    func downloadsEndWithTheSession(target: String) async throws {
        let host = FakeHost()
        let album = host.gathering.make("Beach day")
        let photo = host.gathering.put(FakeGathering.photo(1), into: album)
        for kind in [PictureKind.original, .preview] { host.putEndless(Array("beginning".utf8), kind, of: photo) }
        let target = target.replacing("PHOTO", with: photo.hex).replacing("ALBUM", with: album.hex)
        try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open()
            var downloads: [RawClient] = []
            for guest in [try await doors.guest("Lena").browser, try await doors.guest("Ben").browser] {
                let download = try await guest.begin(target)
                #expect(try await download.receive(upTo: "beginning").hasPrefix("HTTP/1.1 200"))
                downloads.append(download)
            }
            _ = try await doors.gallery.revoke(guest: "Lena")
            // Nothing comes of it but its end.
            #expect(try await downloads[0].isReadable(withinMilliseconds: 10_000))
            #expect(try await downloads[0].receive() == "")
            #expect(try await !downloads[1].isReadable(withinMilliseconds: 0))
            host.gathering.put(FakeGathering.photo(2), into: host.gathering.make("Dinner"))
            _ = try await doors.open(GuestDoorOrder(albums: ["Dinner"]))
            #expect(try await downloads[1].isReadable(withinMilliseconds: 10_000))
            #expect(try await downloads[1].receive() == "")
        }
    }

    /// Shows that a guest is named by a name or by the beginning of an ID, and that nobody is put out where several fit.
    @Test func whoIsRevokedIsClear() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            let ids = ["abcd1", "abcd2", "beef1"].map { $0 + String(repeating: "0", count: 27) }
            doors.host.arrive { standing in
                for (id, name) in zip(ids, ["Ann", "Ben", "ABCD"]) { standing.names[GuestID(hex: id)!] = name }
            }
            await doors.gallery.entrance.heed(await doors.host.standing())
            func refusal(_ text: String) async -> PotluckError? {
                do {
                    _ = try await doors.gallery.revoke(guest: text)
                    return nil
                } catch { return error as? PotluckError }
            }
            let several = await refusal("abcd")
            #expect(several?.status == .usage)
            for id in ids { #expect(several?.message.contains(id) == true, "\(several?.message ?? "")") }
            #expect(several?.message.contains("Ann") == true && several?.message.contains("Ben") == true)
            #expect(await refusal("abc")?.status == .notFound)
            #expect(doors.host.state.withLock { $0.standing.revoked == [] })
            #expect(await refusal("ABCD1") == nil)
            #expect(doors.host.state.withLock { $0.standing.revoked } == [GuestID(hex: ids[0])!])
            // Whoever is listed as shown out is no stranger.
            let again = await refusal("Ann")
            #expect(again?.status == .notFound && again?.message == "“Ann” was shown out already.")
        }
    }

    /// Shows that what other laptops said counts here, too: a guest who was put out there, and the end of all links.
    @Test func otherLaptopsPutOutToo() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            let (lena, id) = try await doors.guest("Lena")
            let (ben, _) = try await doors.guest("Ben")
            let streams = [try await lena.follow(), try await ben.follow()]
            for stream in streams { _ = try await stream.receive(upTo: "event: ticket") }
            let guest = try #require(GuestID(hex: id))
            let photo = doors.host.gathering.put(FakeGathering.photo(1), into: doors.host.gathering.make("Beach day"))
            doors.host.change { $0.pictures[.original] = [photo: .here(Self.film)] }
            let download = try await lena.begin("/api/v1/photos/\(photo.hex)/original")
            _ = try await download.receive(upTo: "\r\n\r\n")
            doors.host.arrive { $0.revoked.insert(guest) }
            #expect(try await download.receive().utf8.count < 128 << 20)
            #expect(try await streams[0].receive(upTo: "session.ended").contains("event: session.ended"))
            #expect(try await ben.get("/api/v1/albums").status == 200)
            doors.host.arrive { $0.epoch += 1 }
            // The door closes, with all that came through it.
            _ = try await streams[1].receive()
            #expect(try await doors.gallery.guests().link == nil)
            _ = try await doors.open()
            #expect(try await ben.get("/api/v1/albums").status == 401)
        }
    }

    /// Shows that nobody is let in once more guests were revoked than are kept, neither by a link nor by a ticket, also
    /// after a restart; the owner is told so.
    @Test func everybodyIsPutOut() async throws {
        let host = FakeHost()
        try await withOpenLaptop(host) { doors async throws in
            let link = try await doors.open().link
            let (lena, _) = try await doors.guest("Lena")
            let ticket = try #require(try await lena.get("/api/v1/ticket").text("ticket"))
            let stream = try await lena.follow()
            _ = try await stream.receive(upTo: "event: ticket")
            host.arrive { $0.revoked = .everybody }
            // The door closes, with all that came through it.
            _ = try await stream.receive()
            #expect(try await doors.gallery.guests().link == nil)
            await #expect(throws: PotluckError.self) { try await doors.open() }
            let entrance = doors.gallery.entrance
            await #expect(throws: (any Error).self) {
                try await entrance.join(token: OpenLaptop.fragment(link), name: "Tom", from: "10.0.0.1")
            }
            await #expect(throws: (any Error).self) { try await entrance.join(ticket: ticket, from: "10.0.0.1") }
        }
        try await withOpenLaptop(host) { doors async throws in
            await doors.gallery.entrance.begun.wait()
            #expect(try await doors.gallery.guests().link == nil)
            await #expect(throws: PotluckError.self) { try await doors.open() }
        }
    }

    /// Shows that pages that show the guests' link are told when it changes, and get the one that holds then.
    @Test func pagesFollowTheLink() async throws {
        try await withOpenLaptop { doors async throws in
            let owner = try await doors.owner()
            let stream = try await owner.follow()
            _ = try await stream.receive(upTo: "id: ")
            func changed(_ note: String) async throws -> String? {
                _ = try await stream.receive(upTo: "event: link.changed\n")
                let answer = try await owner.get("/api/v1/link")
                #expect(answer.status == 200, "\(note): \(answer)")
                return answer.text("link")
            }
            let first = try await doors.open().link
            #expect(try await changed("opened") == first)
            let renewed = try await doors.open(GuestDoorOrder(renew: true)).link
            #expect(renewed != first)
            #expect(try await changed("renewed") == renewed)
            _ = try await doors.guest("Lena")
            _ = try await doors.gallery.revoke(guest: "Lena")
            let afterwards = try await changed("a guest was put out")
            #expect(afterwards != nil && afterwards != renewed)
            let (ben, _) = try await doors.guest("Ben")
            #expect(try await ben.get("/api/v1/link").text("link") == afterwards)
            #expect(try await doors.phone().get("/api/v1/link").status == 401)
            try await doors.gallery.closeGuestDoor(everywhere: false)
            #expect(try await changed("closed") == nil)
        }
    }

    // MARK: Moving

    /// Shows that a ticket lets the same guest in at another laptop of the gathering, and at no other one; not after the
    /// guest was put out.
    @Test func aTicketMovesAGuest() async throws {
        let (one, other) = (FakeHost(device: "d1"), FakeHost(device: "d2"))
        let stranger = FakeHost(device: "d3", secret: 8)
        try await withOpenLaptop(one) { doors async throws in
            _ = try await doors.open()
            let (lena, id) = try await doors.guest("Lena")
            let ticket = try #require(try await lena.get("/api/v1/ticket").text("ticket"))
            let stream = try await (try await lena.follow()).receive(upTo: "id: ")
            #expect(
                stream.hasPrefix("HTTP/1.1 200") && stream.contains("event: ticket\ndata: {\"ticket\":"), "\(stream)")
            let body = try ReportJSON.text(["ticket": ticket])
            try await withOpenLaptop(other) { there async throws in
                _ = try await there.open(GuestDoorOrder(lookOnly: true))
                let phone = try await there.phone()
                let answer = try await phone.post("/api/v1/guests", body)
                #expect(answer.status == 201, "\(answer)")
                #expect(answer["guest"]?.members?["id"] == .string(id))
                let moved = phone.with(.bearer(try #require(answer.text("bearer"))))
                // The rules of that door hold.
                #expect(try await moved.get("/api/v1/me").body.contains(#""may":["see","take"]"#))
                #expect(
                    try await phone.post("/api/v1/guests", body.replacing("ticket\":\"", with: "ticket\":\"a")).status
                        == 401)
                other.arrive { $0.revoked.insert(GuestID(hex: id)!) }
                #expect(try await phone.post("/api/v1/guests", body).status == 410)
            }
            try await withOpenLaptop(stranger) { there async throws in
                _ = try await there.open()
                #expect(try await (try await there.phone()).post("/api/v1/guests", body).status == 401)
            }
        }
    }

    /// Goes on at another laptop.
    private static func move(_ guest: Browser, to there: OpenLaptop) async throws -> Browser {
        let ticket = try #require(try await guest.get("/api/v1/ticket").text("ticket"))
        let phone = try await there.phone()
        let answer = try await phone.post("/api/v1/guests", try ReportJSON.text(["ticket": ticket]))
        try #require(answer.status == 201, "\(answer)")
        return phone.with(.bearer(try #require(answer.text("bearer"))))
    }

    /// Shows that a guest of a limited link is as limited at a laptop whose own link has no limits: at once, by the
    /// personal link there, at a third laptop, and after a restart; and that the link's end ends it there, too.
    @Test func aTicketCarriesTheLinksLimits() async throws {
        let gathering = FakeGathering()
        let shown = gathering.make("Beach day")
        let hidden = gathering.make("Surprise")
        var photo = FakeGathering.photo(1)
        (photo.latitude, photo.longitude) = (52.5, 13.25)
        gathering.put(photo, into: shown)
        gathering.put(FakeGathering.photo(2), into: hidden)
        let (one, other) = (FakeHost(device: "d1", gathering: gathering), FakeHost(device: "d2", gathering: gathering))
        let third = FakeHost(device: "d3", gathering: gathering)
        func expectLimits(_ guest: Browser, _ place: String) async throws {
            #expect(try await guest.get("/api/v1/me").body.contains(#""may":["see","take"]"#), "\(place)")
            let albums = try await guest.get("/api/v1/albums")
            #expect(albums.body.contains("Beach day") && !albums.body.contains("Surprise"), "\(place): \(albums)")
            #expect(try await guest.get("/api/v1/albums/\(hidden.hex)/months").status == 404, "\(place)")
            let photos = try await guest.get("/api/v1/albums/\(shown.hex)/photos")
            #expect(photos.body.contains("IMG_1.JPG") && !photos.body.contains("13.25"), "\(place): \(photos)")
            #expect(
                try await guest.ask("POST", "/api/v1/uploads", ["Tus-Resumable": "1.0.0"]).status == 403, "\(place)")
        }
        try await withOpenLaptop(one) { doors async throws in
            let until = Instant(millisecondsSince1970: doors.clock.clock.wall() + 60_000)
            _ = try await doors.open(
                GuestDoorOrder(albums: ["Beach day"], lookOnly: true, hidesPlaces: true, until: until))
            let lena = try await doors.guest("Lena").browser
            let moved = try await withOpenLaptop(other) { there async throws in
                _ = try await there.open()
                let moved = try await Self.move(lena, to: there)
                try await expectLimits(moved, "moved")
                guard case .string(let link)? = try await moved.get("/api/v1/me")["guest"]?.members?["link"] else {
                    throw PotluckError(.failed, "no personal link")
                }
                let token = String(try OpenLaptop.fragment(link).dropFirst("me=".count))
                let again = try await there.phone().post("/api/v1/guests", try ReportJSON.text(["token": token]))
                try await expectLimits(moved.with(.bearer(try #require(again.text("bearer")))), "by the personal link")
                try await withOpenLaptop(third) { beyond async throws in
                    _ = try await beyond.open()
                    try await expectLimits(try await Self.move(moved, to: beyond), "moved twice")
                }
                return moved
            }
            try await withOpenLaptop(other) { there async throws in
                await there.gallery.entrance.begun.wait()
                try await expectLimits(moved, "after a restart")
                let ticket = try ReportJSON.text([
                    "ticket": try #require(try await moved.get("/api/v1/ticket").text("ticket"))
                ])
                there.clock.advance(60)
                #expect(try await moved.get("/api/v1/albums").status == 401)
                #expect(try await there.phone().post("/api/v1/guests", ticket).status == 410)
            }
        }
    }

    /// Shows that what a guest may after a move is what both laptops allow, that the later of two tickets counts whichever
    /// is shown last, and that a guest who comes home may again what the own link gives.
    @Test func bothLaptopsLimitAMovedGuest() async throws {
        let gathering = FakeGathering()
        for name in ["Beach day", "Dinner", "Surprise"] { _ = gathering.make(name) }
        let (one, other) = (FakeHost(device: "d1", gathering: gathering), FakeHost(device: "d2", gathering: gathering))
        func albums(_ guest: Browser) async throws -> [String] {
            let body = try await guest.get("/api/v1/albums").body
            return ["Beach day", "Dinner", "Surprise"].filter { body.contains($0) }
        }
        try await withOpenLaptop(one) { doors async throws in
            _ = try await doors.open(GuestDoorOrder(albums: ["Beach day", "Dinner"]))
            let lena = try await doors.guest("Lena").browser
            let wide = try ReportJSON.text(["ticket": try #require(try await lena.get("/api/v1/ticket").text("ticket"))]
            )
            try await withOpenLaptop(other) { there async throws in
                _ = try await there.open(GuestDoorOrder(albums: ["Dinner", "Surprise"]))
                let moved = try await Self.move(lena, to: there)
                #expect(try await albums(moved) == ["Dinner"])
                _ = try await there.open(GuestDoorOrder(albums: []))
                #expect(try await albums(moved) == ["Beach day", "Dinner"])
                doors.clock.advance(1)
                _ = try await doors.open(GuestDoorOrder(albums: ["Beach day"]))
                let narrowed = try await Self.move(lena, to: there)
                #expect(try await albums(narrowed) == ["Beach day"])
                #expect(try await there.phone().post("/api/v1/guests", wide).status == 201)
                #expect(try await albums(narrowed) == ["Beach day"])
                _ = try await there.open(GuestDoorOrder(albums: ["Surprise"]))
                #expect(try await albums(narrowed) == [])
                #expect(try await albums(try await Self.move(narrowed, to: doors)) == ["Beach day"])
            }
        }
    }

    /// Shows that a ticket without restrictions, as earlier versions wrote them, lets nobody in, and that restrictions
    /// cannot be taken out of one.
    @Test func aTicketWithoutRestrictionsIsNone() async throws {
        let (one, other) = (FakeHost(device: "d1"), FakeHost(device: "d2"))
        let id = try #require(GuestID(bytes: [UInt8](repeating: 7, count: 16)))
        let old = Array(
            try ReportJSON.text(
                [
                    "guest": .string(id.hex), "name": .string("Lena"), "epoch": .integer(0), "laptop": .string("d1"),
                    "random": .string("AAAAAAAAAAA"),
                ] as [String: JSONValue]
            ).utf8)
        try await withOpenLaptop(other) { there async throws in
            _ = try await there.open()
            let phone = try await there.phone()
            for label in ["potluck ticket 1\n", "potluck ticket 2\n"] {
                let signature = try await one.sign(Array(label.utf8) + old)
                let text = Base64URL.text(old) + "." + Base64URL.text(signature)
                #expect(try await phone.post("/api/v1/guests", try ReportJSON.text(["ticket": text])).status == 401)
            }
            let ticket = Ticket(
                guest: id, name: "Lena", epoch: 0, laptop: "d1", restrictions: GuestRestrictions(isLookOnly: true),
                issued: 0, random: "AAAAAAAAAAA")
            let good = try await ticket.text { try await one.sign($0) }
            var widened = ticket
            widened.restrictions = GuestRestrictions()
            let payload = Base64URL.text(Array(try ReportJSON.data(widened)))
            let forged = payload + good.drop { $0 != "." }
            #expect(try await phone.post("/api/v1/guests", try ReportJSON.text(["ticket": forged])).status == 401)
            #expect(try await phone.post("/api/v1/guests", try ReportJSON.text(["ticket": good])).status == 201)
        }
    }

    // MARK: The doors

    /// Shows that who is in stays in over a restart, at the same addresses, and that a door that was closed stays closed.
    @Test func sessionsSurviveARestart() async throws {
        let host = FakeHost()
        let (owner, guest) = try await withOpenLaptop(host) { doors async throws in
            _ = try await doors.open()
            return (try await doors.owner(), try await doors.guest().browser)
        }
        let link = try await withOpenLaptop(host) { doors async throws in
            await doors.gallery.entrance.begun.wait()
            #expect(try await owner.get("/api/v1/me").status == 200)
            #expect(try await guest.get("/api/v1/me").status == 200)
            let link = try await doors.gallery.guests().link?.link
            try await doors.gallery.closeGuestDoor(everywhere: false)
            #expect(try await doors.gallery.guests().link == nil)
            #expect(!RawClient.isOpen(host: guest.host, port: guest.port))
            return link
        }
        try await withOpenLaptop(host) { doors async throws in
            await doors.gallery.entrance.begun.wait()
            #expect(!RawClient.isOpen(host: guest.host, port: guest.port))
            // The same link, so that what is printed holds.
            #expect(try await doors.open().link == link)
            #expect(try await guest.get("/api/v1/me").status == 200)
        }
    }

    /// Shows that nothing takes the place of a document that cannot be read.
    @Test(arguments: ["doors", "sessions", "guests"]) func whatCannotBeReadIsLeftAlone(name: String) async throws {
        let host = FakeHost()
        try await withOpenLaptop(host) { doors in _ = try await doors.open() }
        host.state.withLock { $0.unreadable = [name] }
        await #expect(throws: PotluckError.self) { try await withOpenLaptop(host) { _ in } }
        host.state.withLock { state in
            state.unreadable = []
            state.documents[name] = Array("{".utf8)
        }
        await #expect(throws: PotluckError.self) { try await withOpenLaptop(host) { _ in } }
        #expect(host.state.withLock { $0.documents[name] } == Array("{".utf8))
    }

    /// Shows that a link that could not be written down is not handed out.
    @Test func aLinkIsWrittenBeforeItIsTold() async throws {
        try await withOpenLaptop { doors async throws in
            await doors.gallery.entrance.begun.wait()
            let full = PotluckError(.failed, "The disk is full.")
            doors.host.state.withLock { $0.keepingFailure = full }
            await #expect(throws: full) { try await doors.open() }
            doors.host.state.withLock { $0.keepingFailure = nil }
            _ = try await doors.open()
        }
    }
}
