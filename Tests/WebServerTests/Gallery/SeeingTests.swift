import AlbumModel
import FoundationEssentials
import Synchronization
import Testing
import WebGallery

@testable import PotluckAPI
@testable import WebServer

/// What guests see of albums, photos and events, and what pages do.
@Suite(.timeLimit(.minutes(1))) struct SeeingTests {
    /// Two albums of which guests see one.
    private struct World {
        let host = FakeHost()
        let shown: AlbumID
        let hidden: AlbumID
        let photo: BlobID
        let secret: BlobID

        init() {
            shown = host.gathering.make("Beach day")
            hidden = host.gathering.make("Surprise")
            photo = host.gathering.put(FakeGathering.photo(1), into: shown)
            secret = host.gathering.put(FakeGathering.photo(2), into: hidden)
        }
    }

    /// Shows that a link for one album shows that album alone, by whatever address.
    @Test func aLinkMayBeForSomeAlbums() async throws {
        let world = World()
        try await withOpenLaptop(world.host) { doors async throws in
            #expect(try await doors.open(GuestDoorOrder(albums: ["Beach day"])).albums == ["Beach day"])
            let guest = try await doors.guest().browser
            let (shown, hidden, photo, secret) = (
                world.shown.hex, world.hidden.hex, world.photo.hex, world.secret.hex
            )
            for target in [
                "/api/v1/albums", "/api/v1/albums?covers=1", "/api/v1/albums/all/months", "/api/v1/albums/all/filters",
                "/api/v1/albums/all/months/2026-08", "/api/v1/albums/all/photos?limit=10&order=newest",
                "/api/v1/albums/\(shown)/months", "/api/v1/albums/\(shown)/photos", "/api/v1/photos?text=IMG",
                "/api/v1/albums/all/photos/\(photo)", "/api/v1/albums/\(shown)/photos/\(photo)", "/",
                "/album/\(shown)", "/album/all", "/album/\(shown)/photo/\(photo)",
            ] {
                let answer = try await guest.get(target)
                #expect(answer.status == 200, "\(target): \(answer)")
                for word in ["Surprise", "IMG_2", secret, Base64URL.text(world.secret.bytes), hidden] {
                    #expect(!answer.body.contains(word), "\(target) tells of \(word): \(answer.body)")
                }
                // Nothing of this laptop's folder, nor of where copies are.
                #expect(!answer.body.contains("Beach/IMG_1.JPG") && !answer.body.contains("Ben's laptop"), "\(target)")
            }
            for target in [
                "/api/v1/albums/\(hidden)/months", "/api/v1/albums/\(hidden)/months/2026-08",
                "/api/v1/albums/\(hidden)/filters", "/api/v1/albums/\(hidden)/photos", "/api/v1/albums/Surprise/photos",
                "/api/v1/albums/\(hidden)/photos/\(secret)", "/api/v1/albums/all/photos/\(secret)",
                "/api/v1/albums/\(shown)/photos/\(secret)", "/api/v1/tags?album=Surprise",
                "/api/v1/cover?album=Surprise",
                "/album/\(hidden)", "/album/\(hidden)/photo/\(secret)", "/album/all/photo/\(secret)",
            ] {
                let answer = try await guest.get(target)
                #expect(answer.status == 404, "\(target): \(answer)")
            }
            // Wider from now on, for those who are in.
            _ = try await doors.open(GuestDoorOrder(albums: []))
            #expect(try await guest.get("/api/v1/albums/\(hidden)/months").status == 200)
        }
    }

    /// Shows that guests who may only look may do no more, as the link says now, not when they came.
    @Test func aLinkMayBeForLooking() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            let guest = try await doors.guest().browser
            #expect(try await guest.get("/api/v1/me").body.contains(#""may":["see","add","talk","take","make"]"#))
            _ = try await doors.open(GuestDoorOrder(lookOnly: true))
            #expect(try await guest.get("/api/v1/me").body.contains(#""may":["see","take"]"#))
            for target in ["/api/v1/status", "/api/v1/peers", "/api/v1/guests", "/owner", "/cards", "/api/v1/trash"] {
                #expect(try await guest.get(target).status == 403, "\(target)")
            }
        }
    }

    /// Shows that a link may keep places from guests: from those who are in, too, and from no owner.
    @Test func aLinkMayHidePlaces() async throws {
        let world = World()
        var photo = FakeGathering.photo(1)
        (photo.latitude, photo.longitude, photo.altitude) = (52.5, 13.25, 41.75)
        world.host.gathering.put(photo, into: world.shown)
        try await withOpenLaptop(world.host) { doors async throws in
            #expect(try await !doors.open().hidesPlaces)
            let guest = try await doors.guest().browser
            let targets = [
                "/api/v1/albums/\(world.shown.hex)/photos", "/api/v1/photos?text=IMG",
                "/api/v1/albums/all/photos?limit=10&order=newest", "/api/v1/albums/all/photos/\(world.photo.hex)",
                "/api/v1/albums/\(world.shown.hex)/photos/\(world.photo.hex)",
            ]
            for target in targets { #expect(try await guest.get(target).body.contains("13.25"), "\(target)") }
            #expect(try await doors.open(GuestDoorOrder(hidesPlaces: true)).hidesPlaces)
            // What is not named stays.
            #expect(try await doors.open(GuestDoorOrder(approve: true)).hidesPlaces)
            let (owner, phone) = (try await doors.owner(), try await doors.ownersPhone())
            for target in targets {
                let answer = try await guest.get(target)
                #expect(answer.status == 200 && answer.body.contains("IMG_1.JPG"), "\(target): \(answer)")
                for number in ["52.5", "13.25", "41.75"] { #expect(!answer.body.contains(number), "\(target)") }
                #expect(try await owner.get(target).body.contains("13.25"), "\(target)")
                #expect(try await phone.get(target).body.contains("13.25"), "\(target)")
            }
            for page in ["/album/\(world.shown.hex)", "/album/\(world.shown.hex)/photo/\(world.photo.hex)"] {
                #expect(try await !guest.get(page).body.contains("13.25"))
            }
        }
    }

    /// Shows that a guest hears of its albums, and of nothing that is the owner's.
    @Test func eventsAreForWhoMayKnow() async throws {
        let world = World()
        try await withOpenLaptop(world.host) { doors async throws in
            _ = try await doors.open(GuestDoorOrder(albums: [world.shown.hex]))
            let (guest, owner) = (try await doors.guest().browser, try await doors.owner())
            let streams = [try await guest.follow(), try await owner.follow()]
            for stream in streams { _ = try await stream.receive(upTo: "id: ") }
            let at = Instant(millisecondsSince1970: 1)
            doors.agent.happen(.problem(at: at, message: "The disk is full."))
            doors.agent.happen(.peerConnected(at: at, peer: "d1", name: "Ben's laptop", address: "10.0.0.6:4711"))
            doors.agent.happen(
                .photoHere(
                    at: at, album: world.hidden.hex, photo: world.secret.hex, name: "IMG_2.JPG", file: "S/IMG_2.JPG"))
            doors.agent.happen(
                .photoHere(
                    at: at, album: world.shown.hex, photo: world.photo.hex, name: "IMG_1.JPG", file: "B/IMG_1.JPG"))
            let heard = try await streams[0].receive(upTo: "IMG_1.JPG")
            for word in ["full", "Ben", "10.0.0.6", "IMG_2", "B/IMG_1"] {
                #expect(!heard.contains(word), "a guest hears of \(word): \(heard)")
            }
            #expect(!heard.contains("afresh"))
            let all = try await streams[1].receive(upTo: "B/IMG_1.JPG")
            #expect(all.contains("The disk is full.") && all.contains("IMG_2.JPG"))
            // Who comes back hears what was missed, and again no more.
            let run = try #require(heard.split(separator: "id: ").last?.split(separator: "-").first)
            let back = try await guest.follow(after: "\(run)-0")
            let missed = try await back.receive(upTo: "IMG_1.JPG")
            #expect(!missed.contains("full") && !missed.contains("IMG_2") && !missed.contains("afresh"), "\(missed)")
            // What only pages hear, by the albums of the photo.
            doors.host.tell(.ready(.preview, world.secret))
            doors.host.tell(.ready(.preview, world.photo))
            let ready = try await back.receive(upTo: "preview.ready\ndata: {\"photo\":\"\(world.photo.hex)\"}")
            #expect(!ready.contains(world.secret.hex))
        }
    }

    /// Shows that a page that asks because of an event gets what the event told of, and that what did not change is not
    /// sent again.
    @Test func gridsFollowEvents() async throws {
        let world = World()
        try await withOpenLaptop(world.host) { doors async throws in
            let owner = try await doors.owner()
            let target = "/api/v1/albums/\(world.shown.hex)/months"
            let first = try await owner.get(target)
            let tag = try #require(first.headers["etag"])
            #expect(first["count"] == .integer(1) && first.headers["cache-control"] == "private, no-cache")
            let same = try await owner.get(target, ["If-None-Match": tag])
            #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag, "\(same)")
            let stream = try await owner.follow()
            _ = try await stream.receive(upTo: "id: ")
            let at = Instant(millisecondsSince1970: 1)
            for number in 10..<20 {
                let photo = world.host.gathering.put(FakeGathering.photo(number), into: world.shown)
                doors.agent.happen(
                    .photoAdded(at: at, album: world.shown.hex, photo: photo.hex, name: "IMG_\(number)", by: nil))
            }
            // One that went before anybody asked for it.
            let gone = FakeGathering.blob(15)
            world.host.gathering.remove(gone, from: world.shown)
            world.host.gathering.remove(world.photo, from: world.shown)
            doors.agent.happen(
                .photoRemoved(at: at, album: world.shown.hex, photo: world.photo.hex, name: "IMG_1.JPG"))
            _ = try await stream.receive(upTo: "photo.removed")
            let next = try await owner.get(target, ["If-None-Match": tag])
            #expect(next.status == 200 && next["count"] == .integer(9), "\(next)")
            #expect(try await owner.get("/api/v1/albums/all/months")["count"] == .integer(10))
        }
    }

    /// Shows that searches narrow months and that what nobody understands is said.
    @Test func monthsAreFiltered() async throws {
        let world = World()
        var tagged = FakeGathering.photo(3, taken: "2025-12-24T18:00:00", by: "Lena")
        tagged.tags = ["tree"]
        world.host.gathering.put(tagged, into: world.shown)
        world.host.gathering.put(FakeGathering.photo(4, taken: nil), into: world.shown)
        try await withOpenLaptop(world.host) { doors async throws in
            let owner = try await doors.owner()
            let album = "/api/v1/albums/\(world.shown.hex)"
            #expect(try await owner.get("\(album)/months")["count"] == .integer(3))
            for query in ["tag=tree", "person=lena", "from=2025-12-01&to=2025-12-24", "text=IMG_3"] {
                let answer = try await owner.get("\(album)/months?\(query)")
                #expect(answer["count"] == .integer(1) && answer.body.contains("2025-12"), "\(query): \(answer)")
            }
            #expect(try await owner.get("\(album)/months?type=drawing").status == 400)
            #expect(
                try await owner.get("\(album)/months/undated").body.contains(
                    Base64URL.text(FakeGathering.blob(4).bytes)))
            #expect(try await owner.get("\(album)/months/1999-01")["photos"] == .array([]))
            #expect(try await owner.get("\(album)/months/13").status == 404)
            let filters = try await owner.get("\(album)/filters")
            #expect(filters.body.contains(#""tags":[{"count":1,"name":"tree"}]"#), "\(filters)")
            #expect(try await owner.get("/api/v1/albums/\(AlbumName.identifier("None").hex)/months").status == 404)
        }
    }

    /// Shows that a search over all albums finds photos by the names of those that its visitor sees.
    @Test func albumsAreFoundByTheirNames() async throws {
        let world = World()
        try await withOpenLaptop(world.host) { doors async throws in
            let owner = try await doors.owner()
            let all = "/api/v1/albums/all/months?text="
            #expect(try await owner.get(all + "surpr%C3%ADse")["count"] == .integer(1))
            #expect(try await owner.get(all + "img")["count"] == .integer(2))
            #expect(
                try await owner.get("/api/v1/albums/\(world.hidden.hex)/months?text=surprise")["count"] == .integer(0))
            _ = try await doors.open(GuestDoorOrder(albums: ["Beach day"]))
            let guest = try await doors.guest().browser
            #expect(try await guest.get(all + "surprise")["count"] == .integer(0))
            #expect(try await guest.get(all + "beach")["count"] == .integer(1))
        }
    }

    /// Shows covers, pages of all photos, and one photo; and that the listings of `--json` are what they were.
    @Test func listingsHaveMoreForPages() async throws {
        let world = World()
        for number in 3...12 {
            world.host.gathering.put(
                FakeGathering.photo(number, taken: "2026-08-14T10:\(number < 10 ? "0" : "")\(number):00"),
                into: world.shown)
        }
        try await withOpenLaptop(world.host) { doors async throws in
            let owner = try await doors.owner()
            #expect(try await owner.get("/api/v1/albums").body == ReportJSON.text(world.host.gathering.report()))
            #expect(try await owner.get("/api/v1/albums?colour=red").status == 400)
            let covered = try await owner.get("/api/v1/albums?covers=1")
            #expect(covered.body.contains(#""newest":"2026-08-14T18:40:07""#), "\(covered)")
            #expect(covered.body.contains(#""covers":["\#(world.photo.hex)","#), "\(covered)")
            #expect(covered.body.contains(#""people":["Grandma's laptop"]"#), "\(covered)")

            var (seen, after, pageCount): ([JSONValue], String, Int) = ([], "", 0)
            repeat {
                let page = try await owner.get("/api/v1/albums/all/photos?limit=5&order=newest\(after)")
                guard case .array(let photos)? = page["photos"] else { throw PotluckError(.failed, "\(page)") }
                seen += photos.compactMap { $0.members?["id"] }
                pageCount += 1
                after = page.text("next").map { "&after=\($0)" } ?? ""
            } while !after.isEmpty && pageCount < 10
            #expect(seen.count == 12 && Set(seen).count == 12 && pageCount == 3)
            #expect(Set(seen.prefix(2)) == [.string(world.photo.hex), .string(world.secret.hex)])
            #expect(try await owner.get("/api/v1/albums/all/photos?limit=0").status == 400)
            #expect(try await owner.get("/api/v1/albums/all/photos?limit=5&after=x").status == 400)
            #expect(try await owner.get("/api/v1/albums/Beach%20day/photos?limit=5").status == 400)

            let key = PhotoKey(album: world.shown, blob: world.photo)
            let (guest, id) = try await { () async throws in
                _ = try await doors.open()
                return try await doors.guest("Lena")
            }()
            let known = KnownGuest(id: try #require(GuestID(hex: id)), name: "Lena")
            _ = try await world.host.comment(key, "Lovely", by: known)
            let details = try await guest.get("/api/v1/albums/\(world.shown.hex)/photos/\(world.photo.hex)")
            #expect(
                details.body.contains(#""by":"Lena""#) && details.body.contains(#""mine":true,"text":"Lovely""#),
                "\(details)")
            #expect(details["mine"] == .bool(false) && details.text("name") == "IMG_1.JPG")
            let own = try await owner.get("/api/v1/albums/all/photos/\(world.photo.hex)")
            #expect(own.body.contains(#""mine":false,"text":"Lovely""#), "\(own)")
            // Below `all` a page learns which album the photo's words go to.
            #expect(own.text("album_id") == world.shown.hex && own.text("album") == "Beach day", "\(own)")
            let shown = try await guest.get("/api/v1/albums/all/photos/\(world.photo.hex)")
            #expect(shown.text("album_id") == world.shown.hex && details.text("album_id") == nil, "\(shown)")
        }
    }

    /// Shows whose a photo is: on the owner's phone what the owner added alone, not all there is.
    @Test func whoseAPhotoIs() async throws {
        let world = World()
        world.host.state.withLock { $0.own[PhotoKey(album: world.shown, blob: world.photo)] = [nil] }
        try await withOpenLaptop(world.host) { doors async throws in
            _ = try await doors.open()
            let (phone, laptop) = (try await doors.ownersPhone(), try await doors.owner())
            let guest = try await doors.guest().browser
            for (album, photo, isOwners) in [
                (world.shown, world.photo, true), (world.hidden, world.secret, false),
            ] {
                let target = "/api/v1/albums/\(album.hex)/photos/\(photo.hex)"
                #expect(try await phone.get(target)["mine"] == .bool(isOwners), "\(photo)")
                #expect(try await laptop.get(target)["mine"] == .bool(true))
                #expect(try await guest.get(target)["mine"] == .bool(false))
            }
        }
    }

    /// Shows who may replace a photo's caption and take its tags away: the owner, and a guest where nobody else added it.
    @Test func whoEditsWords() async throws {
        let world = World()
        let key = PhotoKey(album: world.shown, blob: world.photo)
        let target = "/api/v1/albums/\(key.album.hex)/photos/\(key.blob.hex)"
        try await withOpenLaptop(world.host) { doors async throws in
            _ = try await doors.open()
            let (phone, laptop) = (try await doors.ownersPhone(), try await doors.owner())
            let (lena, id) = try await doors.guest("Lena")
            let guest = try #require(GuestID(hex: id))
            for (own, isLenas) in [([guest], true), ([guest, nil], false), ([nil], false)] as [(Set<GuestID?>, Bool)] {
                world.host.state.withLock { $0.own[key] = own }
                #expect(try await lena.get(target)["edits_words"] == .bool(isLenas), "\(own)")
                for owner in [phone, laptop] { #expect(try await owner.get(target)["edits_words"] == .bool(true)) }
            }
        }
    }

    /// Shows that what a guest added waits for the owner's tap before the wall shows it.
    @Test func theWallWaitsForTheOwner() async throws {
        let world = World()
        try await withOpenLaptop(world.host) { doors async throws in
            _ = try await doors.open(GuestDoorOrder(approve: true))
            let (guest, id) = try await doors.guest("Lena")
            let known = KnownGuest(id: try #require(GuestID(hex: id)), name: "Lena")
            let key = PhotoKey(album: world.shown, blob: world.photo)
            try await doors.gallery.entrance.expect(key, name: "IMG_1.JPG", by: known)
            doors.gallery.entrance.added(by: known.id)
            let report = try await doors.gallery.guests()
            #expect(report.waiting.map(\.photo) == [world.photo.hex] && report.waiting.first?.by == "Lena")
            #expect(report.guests.first?.photos == 1)
            #expect(!(try await guest.get("/api/v1/albums/all/photos?limit=10&wall=1")).body.contains(world.photo.hex))
            #expect(try await guest.get("/api/v1/albums/all/photos?limit=10").body.contains(world.photo.hex))
            let details = try await guest.get("/api/v1/albums/\(world.shown.hex)/photos/\(world.photo.hex)")
            #expect(details["waits_for_owner"] == .bool(true), "\(details)")
            let stream = try await guest.follow()
            _ = try await stream.receive(upTo: "id: ")
            _ = try await doors.gallery.approve(album: "Beach day", photos: [world.photo.hex])
            _ = try await stream.receive(upTo: "event: wall.changed")
            #expect(try await guest.get("/api/v1/albums/all/photos?limit=10&wall=1").body.contains(world.photo.hex))
        }
    }

    /// Shows that a guest's photo waits for the owner from before it is in its album, durably: the wall shows it at no
    /// moment, also where the owner looks meanwhile, or the agent ends; and that one that never comes waits for nothing.
    @Test func whatComesWaitsFromTheBeginning() async throws {
        let world = World()
        let dinner = world.host.gathering.make("Dinner")
        let wall = "/api/v1/albums/all/photos?limit=10&wall=1"
        try await withOpenLaptop(world.host) { doors async throws in
            _ = try await doors.open(GuestDoorOrder(approve: true))
            let (guest, gallery) = (try await doors.guest().browser, doors.gallery)
            func add(_ bytes: String) async throws -> Browser.Answer {
                let metadata = "album \(Data(dinner.hex.utf8).base64EncodedString())"
                let created = try await guest.ask(
                    "POST", "/api/v1/uploads",
                    ["Tus-Resumable": "1.0.0", "Upload-Length": "1", "Upload-Metadata": metadata])
                return try await guest.ask(
                    "PATCH", try #require(created.headers["location"]),
                    ["Tus-Resumable": "1.0.0", "Upload-Offset": "0"],
                    body: bytes, type: "application/offset+octet-stream")
            }
            let (added, note) = AsyncStream.makeStream(of: BlobID.self)
            world.host.change { state in
                state.beforeAdding = { [host = world.host] photo async throws in
                    // The owner looks, and the list is written already.
                    #expect(try await gallery.guests().waiting.isEmpty)
                    #expect(gallery.entrance.waiting().contains(photo))
                    let kept = host.change { $0.documents["guests"] } ?? []
                    #expect(String(decoding: kept, as: UTF8.self).contains(photo.blob.hex))
                }
                state.afterAdding = { photo async throws in
                    #expect(try await !guest.get(wall).body.contains(photo.blob.hex))
                    #expect(try await gallery.guests().waiting.map(\.photo) == [photo.blob.hex])
                    note.yield(photo.blob)
                }
            }
            #expect(try await add("1").headers["potluck-state"] == "here")
            var photos = added.makeAsyncIterator()
            let photo = try #require(await photos.next())
            // The same of what is here already.
            _ = try await gallery.approve(album: "Dinner", photos: [photo.hex])
            world.host.change { state in
                state.known = [world.photo]
                // The wall shows it from the album that it is in already.
                state.afterAdding = { note.yield($0.blob) }
            }
            let known = try await guest.post(
                "/api/v1/uploads/known", "{\"album\":\"\(dinner.hex)\",\"files\":[{\"sha256\":\"\(world.photo.hex)\"}]}"
            )
            #expect(known.body.contains(world.photo.hex), "\(known)")
            #expect(await photos.next() == world.photo)
            _ = try await gallery.approve(album: "Dinner", photos: [world.photo.hex])

            world.host.change { state in
                state.afterAdding = nil
                state.beforeAdding = { _ in throw PotluckError(.tryAgain, "The disk sleeps.") }
            }
            #expect(try await add("2").status == 503)
            #expect(gallery.entrance.waiting().count == 1)
        }
        // The agent ended in between.
        try await withOpenLaptop(world.host) { doors async throws in
            #expect(doors.gallery.entrance.waiting().count == 1)
            #expect(try await doors.gallery.guests().waiting.isEmpty)
            #expect(doors.gallery.entrance.waiting().isEmpty)
        }
    }

    // MARK: Pages

    /// Shows the pages as a browser without scripts has them, joining by a form among them.
    @Test func pagesWorkWithoutScripts() async throws {
        let world = World()
        try await withOpenLaptop(world.host) { doors async throws in
            let link = try await doors.open().link
            let phone = try Browser(at: link)
            let closed = try await phone.get("/")
            #expect(
                closed.status == 401 && closed.body.contains("href=\"/g/\"") && closed.body.contains("Scan the code"))
            #expect(closed.headers["content-type"] == "text/html; charset=utf-8")
            let form = try await phone.get("/g/")
            #expect(form.status == 200 && form.body.contains("name=\"guest-name\""))
            let type = "application/x-www-form-urlencoded"
            let wrong = try await phone.ask(
                "POST", "/g/", ["Origin": "null"], body: "token=x&guest-name=Lena", type: type)
            #expect(wrong.status == 401 && wrong.body.contains("value=\"Lena\"") && wrong.body.contains("not right"))
            let token = try OpenLaptop.fragment(link)
            let joined = try await phone.ask(
                "POST", "/g/", ["Origin": "null"], body: "token=\(token)&guest-name=Lena+M", type: type)
            #expect(joined.status == 303 && joined.headers["location"] == "/", "\(joined)")
            let cookie = try #require(joined.headers["set-cookie"]?.split(separator: ";").first)
            let guest = phone.with(.cookie(String(cookie)))
            #expect(try await guest.get("/api/v1/me").body.contains("Lena M"))
            // Once more is no second guest.
            _ = try await guest.ask("POST", "/g/", body: "token=\(token)&guest-name=Lena", type: type)
            #expect(try await doors.gallery.guests().guests.count == 1)

            let start = try await guest.get("/")
            #expect(start.status == 200 && start.body.contains("/album/\(world.shown.hex)"), "\(start)")
            let policy = try #require(start.headers["content-security-policy"])
            #expect(policy.contains("script-src 'self'") && !policy.contains("unsafe"))
            #expect(start.headers["cross-origin-opener-policy"] == nil)
            let album = try await guest.get("/album/\(world.shown.hex)")
            #expect(album.status == 200 && album.body.contains("data-photo=\"\(world.photo.hex)\""), "\(album)")
            let photo = try await guest.get("/album/\(world.shown.hex)/photo/\(world.photo.hex)")
            #expect(photo.status == 200 && photo.body.contains("/api/v1/photos/\(world.photo.hex)/preview"), "\(photo)")
            #expect(try await guest.get("/wall").body.contains(token))
            let nowhere = try await guest.get("/nowhere")
            #expect(nowhere.status == 404 && nowhere.body.contains("<h1>This is not here</h1>"), "\(nowhere)")
            #expect(try await guest.get("/api/v1/nowhere").body.contains(#""code":"not_found""#))
            doors.host.state.withLock {
                $0.others = [
                    OtherLaptop(
                        device: "d9", name: "Ben's laptop", origins: ["http://10.0.0.6:4712", "http://10.9.0.6:4712"])
                ]
            }
            let probe = try await guest.get("/probe/")
            let origins = "http://10.0.0.6:4712 http://10.9.0.6:4712"
            #expect(probe.headers["content-security-policy"]?.contains("connect-src 'self' \(origins)") == true)
            let laptops = try await guest.get("/api/v1/laptops").body
            #expect(laptops.contains(#""origins":["http://10.0.0.6:4712","http://10.9.0.6:4712"]"#), "\(laptops)")
            #expect(laptops.contains(#""origin":"http://10.0.0.6:4712""#) && laptops.contains(#""here":true"#))
            let owner = try await doors.owner()
            #expect(try await owner.get("/owner").headers["cross-origin-opener-policy"] == "same-origin")
            #expect(try await owner.get("/cards").body.contains(token))
        }
    }

    /// Shows that modules come for good, and that a browser that has one gets no second.
    @Test func staticFilesAreForGood() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            let phone = try await doors.phone()
            let target = "\(StaticFiles.embedded.prefix)style/base.css"
            let file = try await phone.get(target)
            #expect(file.status == 200 && file.headers["content-type"] == "text/css; charset=utf-8", "\(file)")
            #expect(file.headers["cache-control"] == "public, max-age=31536000, immutable")
            let tag = try #require(file.headers["etag"])
            #expect(try await phone.get(target, ["If-None-Match": tag]).status == 304)
            #expect(try await phone.get("/static/old/style/base.css").headers["cache-control"] == "no-cache")
            #expect(try await phone.get("/static/x/templates/join.html").status == 404)
            #expect(try await phone.get("/static/x/../../etc/passwd").status == 404)
            #expect(try await phone.get("/favicon.ico").headers["content-type"] == "image/svg+xml; charset=utf-8")
            #expect(try await phone.ask("POST", "/wall", body: "{}").status == 405)
        }
    }

    /// Shows that one phone cannot hold all connections of the door.
    @Test func aPhoneHasItsShare() async throws {
        try await withOpenLaptop { doors async throws in
            _ = try await doors.open()
            let phone = try await doors.phone()
            var held: [RawClient] = []
            for _ in 0..<64 { held.append(try RawClient(host: phone.host, port: phone.port)) }
            // They have been accepted once one of them is answered.
            try await held[63].send("GET /api/v1/alive HTTP/1.1\r\nHost: \(phone.authority)\r\n\r\n")
            #expect(try await held[63].receive(upTo: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            #expect(try await phone.get("/api/v1/alive").status == 503)
            held.removeFirst(32)
        }
    }
}
