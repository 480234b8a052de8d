import PotluckAgent
import Testing

/// The shapes of `--json` are a promise to scripts.
@Suite struct ControlReportTests {
    /// Shows the exact document of each report: keys in alphabetical order, sizes in bytes, instants in RFC 3339, and
    /// null where a value is unknown.
    @Test func everyReportHasItsPromisedShape() throws {
        #expect(
            try ReportJSON.text(Sample.albums)
                == #"{"albums":[{"bytes":48000000,"copies_min":2,"digest":"d1","digest_level":1,"here":3,"id":"a1","#
                + #""name":"Beach day","photos":12,"updated":"2026-11-21T13:44:29.250Z"},"#
                + #"{"bytes":0,"copies_min":null,"digest":"d2","digest_level":1,"here":0,"id":"a2","name":"Empty","#
                + #""photos":0,"updated":null}]}"#)
        #expect(
            try ReportJSON.text(Sample.photos)
                == #"{"album":"Beach day","album_id":"a1","photos":[{"by":"Anna","bytes":4200000,"caption":"Waves","#
                + #""contributors":["Anna","Ben"],"copies":2,"file":"Beach day/IMG_0001.JPG","here":true,"id":"b1","#
                + #""name":"IMG_0001.JPG","tags":["sea"],"taken":"2026-08-01T12:00:00+02:00","type":"image/jpeg","#
                + #""where":["Anna"]},{"by":null,"bytes":1,"caption":null,"contributors":[],"copies":null,"file":null,"#
                + #""here":false,"id":"b2","name":"IMG_0002.JPG","tags":[],"taken":null,"type":"image/jpeg","#
                + #""where":[]}]}"#)
        #expect(
            try ReportJSON.text(Sample.peers)
                == #"{"peers":[{"address":"10.77.0.1:4711","connected":true,"found":"dns-sd","id":"c1","#
                + #""last_seen":"2026-11-21T13:44:29.250Z","name":"Anna","photos":12},{"address":null,"#
                + #""connected":false,"found":null,"id":"c2","last_seen":null,"name":null,"photos":null}]}"#)
        #expect(
            try ReportJSON.text(Sample.invite)
                == #"{"gathering":null,"link":"potluck://join/lusab-babad-gutih-tugad-kabok","#
                + #""phrase":"lusab-babad-gutih-tugad-kabok"}"#)
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

    /// Shows that what is no instant in UTC is refused.
    @Test(arguments: [
        "", "Z", "2026-11-21", "2026-11-21T13:44:29", "2026-13-21T13:44:29Z", "2026-11-21T25:44:29Z",
        "2026-11-21T13:44:29.5Z", "2026-11-21T13:44:29+02:00",
    ])
    func whatIsNoInstantIsRefused(text: String) {
        #expect(Instant(parsing: text) == nil)
    }
}
