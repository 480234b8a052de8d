import Testing

@testable import WebGallery

/// RFC 9110, section 13: conditions, tags and dates.
@Suite struct ConditionalRequestTests {
    private let tag = EntityTag(opaque: "xyzzy")
    private let modified = HTTPTimestamp(secondsSince1970: 784_111_777)
    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    private func decision(
        _ request: ConditionalRequest, isReading: Bool = true, tag: EntityTag? = EntityTag(opaque: "xyzzy")
    ) -> ConditionalRequest.Decision {
        request.decision(isReading: isReading, entityTag: tag, lastModified: modified)
    }

    @Test(
        arguments: [
            "\"xyzzy\"", "W/\"xyzzy\"", "\"r2d2\", \"xyzzy\"", "\"a,b\",W/\"xyzzy\"", "*", " * ", ",, \"xyzzy\"",
        ])
    func whatIsTheSameIsNotSentAgain(_ field: String) {
        #expect(decision(ConditionalRequest(ifNoneMatch: field)) == .notModified)
        #expect(decision(ConditionalRequest(ifNoneMatch: field), isReading: false) == .failed)
    }

    @Test(arguments: ["\"r2d2\"", "\"xyzz\"", "xyzzy", "\"xyzzy", "", "\"*\"", "w/\"xyzzy\"", "\"xyzzy,a\""])
    func whatIsNewIsSent(_ field: String) {
        #expect(decision(ConditionalRequest(ifNoneMatch: field)) == .perform)
    }

    /// Shows that tags count more than dates, and are compared strongly where something changes.
    @Test func conditionsHaveTheirOrder() {
        #expect(decision(ConditionalRequest(ifMatch: "\"xyzzy\"")) == .perform)
        #expect(decision(ConditionalRequest(ifMatch: "*")) == .perform)
        #expect(decision(ConditionalRequest(ifMatch: "W/\"xyzzy\"")) == .failed)
        #expect(decision(ConditionalRequest(ifMatch: "\"r2d2\""), isReading: false) == .failed)
        #expect(decision(ConditionalRequest(ifMatch: "\"r2d2\", \"xyzzy\""), tag: nil) == .failed)
        #expect(decision(ConditionalRequest(ifMatch: "\"xyzzy\"", ifNoneMatch: "\"xyzzy\"")) == .notModified)
        #expect(decision(ConditionalRequest(ifModifiedSince: date)) == .notModified)
        #expect(decision(ConditionalRequest(ifModifiedSince: earlier)) == .perform)
        #expect(decision(ConditionalRequest(ifModifiedSince: date), isReading: false) == .perform)
        #expect(decision(ConditionalRequest(ifModifiedSince: "yesterday")) == .perform)
        #expect(decision(ConditionalRequest(ifNoneMatch: "\"new\"", ifModifiedSince: date)) == .perform)
        #expect(decision(ConditionalRequest(ifUnmodifiedSince: date)) == .perform)
        #expect(decision(ConditionalRequest(ifUnmodifiedSince: earlier)) == .failed)
        #expect(decision(ConditionalRequest(ifMatch: "*", ifUnmodifiedSince: earlier)) == .perform)
    }

    /// Shows the three forms of section 5.6.7, and that what is no date is none.
    @Test func datesAreRead() {
        for text in [date, "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(HTTPTimestamp(parsing: text) == modified, "\(text)")
        }
        #expect(modified.text == date)
        #expect(HTTPTimestamp(parsing: "Sunday, 06-Nov-30 08:49:37 GMT")?.text == "Wed, 06 Nov 2030 08:49:37 GMT")
        #expect(HTTPTimestamp(secondsSince1970: 951_782_400).text == "Tue, 29 Feb 2000 00:00:00 GMT")
        for text in [
            "", "Sun, 06 Nov 1994 08:49:37", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1995 08:49:37 GMT",
            "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "06 Nov 1994 08:49:37 GMT x y",
            "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT", "1994-11-06T08:49:37Z",
        ] {
            #expect(HTTPTimestamp(parsing: text) == nil, "\(text)")
        }
    }

    @Test func tagsComeFromBytes() {
        let tag = EntityTag(hashing: Array("a".utf8))
        #expect(tag == EntityTag(hashing: Array("a".utf8)) && tag != EntityTag(hashing: Array("b".utf8)))
        #expect(EntityTag(parsing: tag.text) == tag && !tag.isWeak)
        #expect(EntityTag(parsing: "\"\"")?.opaque == "")
        #expect(EntityTag(parsing: "\"a\"b\"") == nil && EntityTag(parsing: "\"") == nil)
    }
}
