import FoundationEssentials
import Testing

@testable import PotluckAPI

/// Routes as values: what the client sends is what the server reads, and the description says both.
@Suite struct RouteTests {
    private static let requests: [any APIRequest] = [
        AlbumsRequest(), PhotoQuery(album: "Beach day"), PhotoQuery(words: "sea & sun", tags: ["a", "b c"]),
        PhotoQuery(
            album: "a/b", photos: ["b1"], words: "é", tags: ["ü"], by: ["Anna"],
            takenAfter: LocalTime(parsing: "2026"), takenBefore: LocalTime(parsing: "2026-08-02"), camera: "eos",
            kinds: [.live, .raw], isFavourite: true, hasConflict: true, isBrief: true),
        TagsRequest(), TagsRequest(album: ""), CoverRequest(album: "A"), ClocksRequest(album: "A", camera: "x y"),
        PeersRequest(), StatusRequest(), StatusRequest(skipped: true, all: false), InviteRequest(),
        TrashRequest(album: "A"), HiddenRequest(), HeldRequest(), LeftOutRequest(album: "A"),
        OriginalsRequest(album: "A"), TransfersRequest(),
        LeaveCheckRequest(others: 3), PackPlanRequest(device: "Ben"), AddRequest(album: "A", files: ["/a", "/b"]),
        UnpackRequest(directory: "/media/stick"), VerifyOrder(repair: true, restart: false),
        PhotoEdit(album: "A", photos: ["b1"], caption: "", isFavourite: false),
        SetCoverRequest(album: "A", photo: nil), ClockEdit(album: "A", seconds: -5),
        SetOriginalsRequest(album: "A", .own), FetchRequest(album: "A", photos: ["b1"]),
        TransferEdit(isPaused: true, up: .rate(50_000), down: .standard),
        RemovalOrder(.unhide, album: "A", photos: ["b1"]), TrashOrder(album: nil), DecideRequest(.undo),
        DecideRequest(.confirm, version: (1 << 53) - 1),
        MoveOrder(album: "A", photos: ["b1"], to: "B", copy: true), RenameRequest(album: "A", name: "B"),
        DeviceNameRequest(device: "A/b"), HostsRequest(), AddHostRequest(device: "Ben’s laptop"),
        NewPhraseRequest(), PutOutPlanRequest(devices: ["Ben"]), PutOutRequest(devices: ["c2c2"]),
        PutOutRequest(devices: ["c2c2"], recoveryCode: "sogan-sorar"),
        LetInRequest(devices: ["Ben", "c8c8"]),
        JoinAgainRequest(phrase: "a-b c", again: true), EventsRequest(), DownRequest(),
        DescriptionRequest(), GuestsRequest(),
        GuestDoorOrder(
            albums: ["A", "b c"], lookOnly: true, hidesPlaces: true, until: Instant(parsing: "2026-08-17T12:00:00Z")),
        GuestDoorEnd(everywhere: true), RevokeRequest(guest: "Lena & Tom"),
        ApproveRequest(album: "A", photos: ["b1"]), OwnerLinkRequest(phone: true),
        OwnerLinkStateRequest(code: "c0de"),
        PhonesRequest(), PhoneEnd(phone: "0a1b2c3d"),
    ]

    /// The server's half: finds the pattern, and gathers the members.
    private func read<Request: APIRequest>(_ form: HTTPForm, as type: Request.Type) throws -> Request {
        let route = AgentRoutes.route(for: type)
        let halves = form.target.dropFirst(APIPath.root.count).split(separator: "?", maxSplits: 1)
        let path = try #require(route.patterns.compactMap { $0.match(halves[0]) }.first)
        let data = try route.request(
            path: path, query: halves.count > 1 ? String(halves[1]) : "", body: form.body, shape: route.shape())
        return try ReportJSON.value(type, from: data)
    }

    private func roundTrip<Request: APIRequest>(_ request: Request) throws {
        let form = try AgentRoutes.route(for: Request.self).form(request)
        #expect(form.target.utf8.allSatisfy { (0x21..<0x7F).contains($0) })
        #expect(try read(form, as: Request.self) == request)
    }

    /// Shows that every request is read as it was written.
    @Test func requestsRoundTrip() throws {
        for request in Self.requests { try roundTrip(request) }
        let types = Set(Self.requests.map { ObjectIdentifier(type(of: $0)) })
        #expect(AgentRoutes.all.allSatisfy { types.contains($0.requestType) }, "a route has no sample here")
    }

    /// Shows that no two routes answer the same, and that those that may change something are no GET.
    @Test func routesAreDistinct() {
        let keys = AgentRoutes.all.flatMap { route in route.patterns.map { "\(route.method.rawValue) \($0)" } }
        #expect(Set(keys).count == keys.count)
        for route in AgentRoutes.all where route.method == .get {
            if case .progress = route.answering { Issue.record("\(route.name) works on a GET") }
        }
        let paths = ["add", "unpack", "down", "pack-plan"]
        let guarded = AgentRoutes.all.filter { route in paths.contains { route.patterns[0].description == "/" + $0 } }
        #expect(guarded.count == paths.count && guarded.allSatisfy { $0.right == .govern })
    }

    /// Shows that no text in a path is taken for the fixed part of another one, whatever the methods: the server finds
    /// the path first, and the method after that.
    @Test func textsInPathsMeanNothingElse() {
        let patterns = Set(AgentRoutes.all.flatMap(\.patterns))
        for pattern in patterns {
            let others = patterns.filter { $0 != pattern && pattern.match($0.description) != nil }
            #expect(others.isEmpty, "what stands in \(pattern) may mean \(others)")
        }
    }

    /// Shows how dates end: a day with its midnight, a time with itself.
    @Test func daysEndAtMidnight() throws {
        for (text, end) in [("2026-08-02", "2026-08-03T00:00:00"), ("2026-08-02T12:30", "2026-08-02T12:30:00")] {
            let form = HTTPForm(method: .get, target: "/api/v1/photos?to=\(text)", body: Data())
            #expect(try read(form, as: PhotoQuery.self).takenBefore?.text == end)
        }
    }

    /// Shows that the shape of every type is learned: nullable and missing members, lists, words, nested objects.
    @Test func shapesAreLearned() throws {
        #expect(
            try Shape.of(TagsReport.self)
                == .object([
                    .init(name: "album", shape: .string(), isRequired: false),
                    .init(
                        name: "tags",
                        shape: .array(
                            .object([
                                .init(name: "tag", shape: .string(), isRequired: true),
                                .init(name: "photos", shape: .integer(), isRequired: true),
                            ])), isRequired: true),
                    .init(name: "album_id", shape: .string(), isRequired: false),
                ]))
        #expect(
            try Shape.of(DecideRequest.self)
                == .object([
                    .init(name: "decision", shape: .enumeration(["confirm", "undo"]), isRequired: true),
                    .init(name: "version", shape: .integer(minimum: 0), isRequired: false),
                ]))
        for route in AgentRoutes.all { #expect(throws: Never.self) { try route.answerShape() } }
    }

    /// Shows the description's head, and one operation of it.
    @Test func theDescriptionIsOpenAPI() throws {
        let description = try #require(try OpenAPI.description(AgentRoutes.all).members)
        #expect(description["openapi"] == "3.1.0")
        let paths = try #require(description["paths"]?.members)
        #expect(paths.count == Set(AgentRoutes.all.flatMap(\.patterns)).count)
        let operation = try #require(paths["/api/v1/albums/{album}/photos"]?.members?["get"]?.members)
        guard case .array(let parameters)? = operation["parameters"] else { throw CancellationError() }
        let places = parameters.compactMap { $0.members?["in"] }
        #expect(places.first == "path" && places.count == 12 && places.dropFirst().allSatisfy { $0 == "query" })
        let ids = paths.values.flatMap { Array($0.members!.values) }.compactMap { $0.members?["operationId"] }
        #expect(Set(ids).count == ids.count)
    }

    /// Shows that every error has one HTTP status and comes back as itself.
    @Test func errorsRoundTrip() throws {
        for status in ExitStatus.allCases {
            let error = PotluckError(status, "It is so.")
            let text = try ReportJSON.data(ErrorDocument(error))
            let read = try ReportJSON.value(ErrorDocument.self, from: text)
            #expect(PotluckError(read, httpStatus: status.httpStatus) == error)
            #expect((400..<600).contains(status.httpStatus))
            let other = ErrorDocument(code: "no_thumbnail", message: "None.")
            let again = PotluckError(other, httpStatus: status.httpStatus).status
            #expect(again == (status == .notRunning ? .tryAgain : status))
        }
    }

    @Test(arguments: [
        ("a b", "a%20b"), ("%", "%25"), ("é", "%C3%A9"), ("..", "%2E%2E"), ("a.b~c_d-e", "a.b~c_d-e"),
        ("+&=", "%2B%26%3D"),
    ])
    func textsAreEscaped(text: String, escaped: String) {
        #expect(PercentCoding.encoded(text) == escaped)
        #expect(PercentCoding.decoded(escaped) == text)
    }

    @Test(arguments: ["%", "%4", "%zz", "%ff", "%C3"]) func brokenEscapesAreNoText(text: String) {
        #expect(PercentCoding.decoded(text) == nil)
    }
}
