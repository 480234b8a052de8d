import FoundationEssentials
import PotluckAPI
import TestSupport
import Testing

/// The shapes of `--json` are a promise to scripts.
@Suite struct ReportTests {
    /// Shows the exact document of each report: keys in alphabetical order, sizes in bytes, instants in RFC 3339, and
    /// null where a value is unknown.
    @Test func everyReportHasItsPromisedShape() throws {
        #expect(
            try ReportJSON.text(Sample.albums)
                == #"{"albums":[{"bytes":48000000,"copies_min":2,"cover":"b1","digest":"d1","digest_level":1,"here":3,"#
                + #""id":"a1","name":"Beach day","photos":12,"updated":"2026-11-21T13:44:29.250Z"},"#
                + #"{"bytes":0,"copies_min":null,"cover":null,"digest":"d2","digest_level":1,"here":0,"id":"a2","#
                + #""name":"Empty","photos":0,"updated":null}]}"#)
        #expect(
            try ReportJSON.text(Sample.photos)
                == #"{"album":"Beach day","album_id":"a1","photos":[{"altitude":260.5,"by":"Anna","bytes":4200000,"#
                + #""caption":"Waves","companions":[{"bytes":2100000,"id":"b3","name":"IMG_0001.MOV","role":"video"}],"#
                + #""contributors":["Anna","Ben"],"copies":2,"duration":1.91,"favourites":["Ben"],"#
                + #""file":"Beach day/IMG_0001.HEIC","height":3024,"here":true,"id":"b1","kind":"live","#
                + #""latitude":39.051344,"lens":"back triple camera 4.25mm f/1.8","longitude":-94.288772,"#
                + #""make":"Apple","model":"iPhone 11 Pro Max","name":"IMG_0001.HEIC","#
                + #""problem":"Its colour profile is damaged.","tags":["first swim","sea"],"#
                + #""taken":"2026-08-01T12:00:00+02:00","taken_from":"exif","thumbnail":"e1","type":"image/heic","#
                + #""where":["Anna"],"width":4032},{"altitude":null,"by":null,"bytes":1,"caption":null,"#
                + #""companions":[],"contributors":[],"copies":null,"duration":null,"favourites":[],"file":null,"#
                + #""height":null,"here":false,"id":"b2","kind":null,"latitude":null,"lens":null,"longitude":null,"#
                + #""make":null,"model":null,"name":"IMG_0002.JPG","problem":null,"tags":[],"taken":null,"#
                + #""taken_from":null,"thumbnail":null,"type":"image/jpeg","where":[],"width":null}]}"#)
        #expect(
            try ReportJSON.text(Sample.peers)
                == #"{"peers":[{"address":"10.77.0.1:4711","connected":true,"found":"dns-sd","host":true,"id":"c1","#
                + #""last_seen":"2026-11-21T13:44:29.250Z","name":"Anna","photos":12},{"address":null,"#
                + #""connected":false,"found":null,"host":null,"id":"c2","last_seen":null,"name":null,"photos":null}]}"#
        )
        #expect(
            try ReportJSON.text(Sample.hosts)
                == #"{"founding":"known","hosts":[{"id":"c1","name":"Anna","this":false},"#
                + #"{"id":"c0","name":null,"this":true}],"own_id":"c0"}"#)
        #expect(
            try ReportJSON.text(Sample.hostReport)
                == #"{"gathering":"Kuh reunion","link":"potluck://join/lusab-babad-gutih-tugad-kabok","#
                + #""phrase":"lusab-babad-gutih-tugad-kabok","#
                + #""recovery_code":"sogan-sorar-sugat-suraz-tagid-tarig-tigij-tiril-gigud"}"#)
        #expect(
            try ReportJSON.text(Sample.invite)
                == #"{"gathering":null,"link":"potluck://join/lusab-babad-gutih-tugad-kabok","#
                + #""phrase":"lusab-babad-gutih-tugad-kabok"}"#)
    }

    /// Shows the documents about words: tags with counts, a cover, and cameras with what is known of their clocks.
    @Test func wordsHaveTheirPromisedShapes() throws {
        #expect(
            try ReportJSON.text(Sample.tags)
                == #"{"album":null,"album_id":null,"tags":[{"photos":12,"tag":"sea"},{"photos":1,"tag":"first swim"}]}"#
        )
        #expect(
            try ReportJSON.text(Sample.cover)
                == #"{"album":"Beach day","album_id":"a1","cover":"b1","name":"IMG_0001.HEIC"}"#)
        #expect(
            try ReportJSON.text(Sample.clocks)
                == #"{"album":"Beach day","album_id":"a1","cameras":[{"applied":60,"by":"Anna","device":"c1","#
                + #""doubt":null,"evidence":{"cameras":3,"gps_photos":9,"moments":14,"spread":1.5},"fault":"astray","#
                + #""make":"Canon","model":"Canon EOS 7D","photos":142,"proposed":3725,"serial":"0123","#
                + #""verdict":"wrong"},{"applied":0,"by":null,"device":"c2","doubt":"changed","evidence":null,"#
                + #""fault":null,"make":null,"model":null,"periods":[{"from":"1970-01-01T00:00:00","photos":12,"#
                + #""seconds":-5,"to":"1970-01-01T00:00:01"}],"photos":12,"proposed":null,"serial":null,"#
                + #""verdict":"unknown"}]}"#)
    }

    /// Shows that captions that were written at one time are there only where there are several.
    @Test func concurrentCaptionsAreListed() throws {
        var photo = Sample.barePhoto
        photo.captions = [.init(by: "Anna", caption: "Waves"), .init(by: nil, caption: "Surf")]
        let text = try ReportJSON.text(photo)
        #expect(text.contains(#""captions":[{"by":"Anna","caption":"Waves"},{"by":null,"caption":"Surf"}],"#))
        #expect(!(try ReportJSON.text(Sample.barePhoto)).contains("captions"))
    }

    /// Shows that a report whose numbers are absurd, as one that an agent of before made of a prepared stick, is only that.
    @Test(arguments: [Int.min, Int.max, -1]) func absurdReportsAreNoTrap(number: Int) throws {
        var report = Sample.unpackReport
        (report.batches, report.photos, report.thumbnails, report.missing) = (number, number, number, number)
        (report.refused, report.unreadable, report.gone) = (number, number, number)
        report.damaged = []
        let read = try JSONDecoder().decode(UnpackReport.self, from: ReportJSON.data(report))
        #expect(read == report)
        #expect(read.isDamaged == (number > 0))
        #expect(read.isNothing == (number < 0))
    }

    /// Shows that an amount says of how many files nobody knows the size, also in a sum, and nothing where it knows all.
    @Test func amountsTellWhatTheyDoNotKnow() throws {
        let some = StatusReport.Amount(photos: 3, bytes: 24, unmeasured: 2)
        #expect(try ReportJSON.text(some) == #"{"bytes":24,"photos":3,"unmeasured":2}"#)
        let all = StatusReport.Amount(photos: 1, bytes: 6)
        #expect(try ReportJSON.text(all + all) == #"{"bytes":12,"photos":2}"#)
        #expect(all + some == StatusReport.Amount(photos: 4, bytes: 30, unmeasured: 2))
    }

    /// Shows that reports have the time until the folder's files are shared where it is known, under one name.
    @Test func reportsHaveTheTimeUntilAllIsShared() throws {
        var status = Sample.status
        status.incomingSeconds = 120
        #expect(try ReportJSON.text(status).contains(#""incoming_seconds":120,"#))
        let none = StatusReport.Amount(photos: 0, bytes: 0)
        var leaving = LeaveReport(
            safe: true, others: 1, here: none, alone: none, short: none, blocked: 0, incoming: none, obstacles: [],
            rate: nil, seconds: nil, albums: [], devices: [], photos: [])
        #expect(try !ReportJSON.text(leaving).contains("incoming_seconds"))
        leaving.incomingSeconds = 120
        #expect(try ReportJSON.text(leaving).contains(#""incoming_seconds":120,"#))
    }

    /// Shows that `skipped` is in a status only when asked for, and that a stopped agent's rate is null.
    @Test func statusHasItsPromisedShape() throws {
        #expect(
            try ReportJSON.text(Sample.status)
                == #"{"agent":"running","at_risk":{"bytes":8000000,"photos":2},"connected":1,"#
                + #""device":{"id":"c0","name":"Grandma"},"folder":"/home/g/Pictures/Potluck","#
                + #""gathering":{"name":"Kuh reunion","tag":"0011223344556677"},"missing":{"bytes":4200000,"#
                + #""items":[{"album":"Beach day","id":"b2","name":"IMG_0002.JPG","reason":"asking Anna"}],"photos":1,"#
                + #""unreachable":0},"problems":[],"rate":2100000}"#)
        #expect(
            try ReportJSON.text(Sample.stoppedStatus)
                == #"{"agent":"stopped","at_risk":{"bytes":0,"photos":0},"connected":0,"#
                + #""device":{"id":"c0","name":"Grandma"},"folder":null,"gathering":{"name":null,"#
                + #""tag":"0011223344556677"},"missing":{"bytes":0,"items":[],"photos":0,"unreachable":null},"#
                + #""problems":[],"rate":null,"skipped":[{"path":"a.txt","reason":"it is not a photo or video"}]}"#)
    }

    /// Shows that an event has its time and kind and only what else it knows.
    @Test func eventsHaveOnlyWhatTheyKnow() throws {
        let here = EventRecord.photoHere(
            at: Sample.instant, album: "a1", photo: "b1", name: "IMG_0001.JPG", file: "Beach day/IMG_0001.JPG")
        #expect(
            try ReportJSON.text(here)
                == #"{"album":"a1","at":"2026-11-21T13:44:29.250Z","event":"photo.here","#
                + #""file":"Beach day/IMG_0001.JPG","name":"IMG_0001.JPG","photo":"b1"}"#)
        let progress = EventRecord.transferProgress(at: Sample.instant, missingPhotos: 2, missingBytes: 10, rate: nil)
        #expect(
            try ReportJSON.text(progress)
                == #"{"at":"2026-11-21T13:44:29.250Z","event":"transfer.progress","missing_bytes":10,"#
                + #""missing_photos":2}"#)
    }

    /// Shows that instants survive being written and read, on leap days, at the century's end and before 1970 too.
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"), (4_102_444_799_999, "2099-12-31T23:59:59.999Z"),
        (1_709_251_199_001, "2024-02-29T23:59:59.001Z"),
    ])
    func instantsRoundTrip(milliseconds: Int64, text: String) {
        #expect(Instant(millisecondsSince1970: milliseconds).text == text)
        #expect(Instant(parsing: text)?.millisecondsSince1970 == milliseconds)
    }

    /// Shows that local times are read as days, minutes and seconds, and written to the second.
    @Test(arguments: [
        ("2024-02-29T23:59:59", "2024-02-29T23:59:59"), ("2024-02-29 23:59", "2024-02-29T23:59:00"),
        ("2024-02-29", "2024-02-29T00:00:00"), ("2024-02", "2024-02-01T00:00:00"), ("1969", "1969-01-01T00:00:00"),
    ])
    func localTimesAreRead(text: String, whole: String) throws {
        let time = try #require(LocalTime(parsing: text))
        #expect(time.text == whole)
        #expect(LocalTime(parsing: whole) == time)
    }

    /// Shows that what is no local time is refused, days that a month does not have among it.
    @Test(arguments: [
        "", "T", "24", "2024-2-1", "2023-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-01T",
        "2024-01T10:00",
        "2024-01-01T10", "2024-01-01T24:00", "2024-01-01T10:60", "2024-01-01T10:00:00Z", "2024-01-01T10:00+02:00",
        "2024-01-01T10:00:00:00", "+024-01-01", "yesterday",
    ])
    func whatIsNoLocalTimeIsRefused(text: String) {
        #expect(LocalTime(parsing: text) == nil)
    }

    /// Shows that what is no instant in UTC is refused.
    @Test(arguments: [
        "", "Z", "2026-11-21", "2026-11-21T13:44:29", "2026-13-21T13:44:29Z", "2026-11-21T25:44:29Z",
        "2026-11-21T13:44:29.5Z", "2026-11-21T13:44:29+02:00", "2026-11-21T13:44:29Z\u{301}",
        "2026-11-21T\u{301}13:44:29Z", "2026-11\u{301}-21T13:44:29Z", "2026-11-21T13:44:29.\u{FF11}Z",
    ])
    func whatIsNoInstantIsRefused(text: String) {
        #expect(Instant(parsing: text) == nil)
    }
}
