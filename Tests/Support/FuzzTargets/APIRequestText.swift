import FoundationEssentials
import PotluckAPI

/// Requests of the agent's API as HTTP carries them: a line of method and target, and the body behind it.
enum APIRequestText {
    /// What reads the requests of one route.
    private struct Reader: Sendable {
        var route: Route
        var shape: Shape
        var type: any APIRequest.Type
    }

    private static let types: [any APIRequest.Type] = [
        AlbumsRequest.self, PhotoQuery.self, TagsRequest.self, CoverRequest.self, ClocksRequest.self,
        PeersRequest.self, HostsRequest.self, StatusRequest.self, HeldRequest.self, InviteRequest.self,
        TrashRequest.self, HiddenRequest.self, OriginalsRequest.self, TransfersRequest.self, LeaveCheckRequest.self,
        PackPlanRequest.self, AddRequest.self, UnpackRequest.self, VerifyOrder.self, PhotoEdit.self,
        SetCoverRequest.self, ClockEdit.self, SetOriginalsRequest.self, FetchRequest.self, TransferEdit.self,
        RemovalOrder.self, MoveOrder.self, RenameRequest.self, DeviceNameRequest.self, AddHostRequest.self,
        NewPhraseRequest.self, PutOutPlanRequest.self, PutOutRequest.self, LetInRequest.self, JoinAgainRequest.self,
        TrashOrder.self, DecideRequest.self, GuestsRequest.self, GuestDoorOrder.self, GuestDoorEnd.self,
        ApproveRequest.self, RevokeRequest.self, OwnerLinkRequest.self, OwnerLinkStateRequest.self,
        PhonesRequest.self, PhoneEnd.self,
    ]

    private static let readers: [Reader] = AgentRoutes.all.compactMap { route in
        guard let shape = try? route.shape(), let type = types.first(where: { "\($0)" == route.name }) else {
            return nil
        }
        return Reader(route: route, shape: shape, type: type)
    }

    static let seeds: [[UInt8]] = [
        "GET /api/v1/albums/Beach%20day/photos?tag=a&tag=b+c&type=raw&from=2026-08-14&favourites=true\n",
        "GET /api/v1/leave-check?others=3\n",
        "POST /api/v1/edit\n{\"album\":\"A\",\"photos\":[\"b1\"],\"add_tags\":[\"x\"],\"favourite\":true}",
        "POST /api/v1/transfers\n{\"up\":\"500000\",\"down\":\"off\",\"paused\":true}",
        "POST /api/v1/remove\n{\"action\":\"remove-for-everyone\",\"album\":\"A\",\"photos\":[\"b1\"]}",
        "POST /api/v1/decide\n{\"decision\":\"confirm\",\"version\":7}",
        "POST /api/v1/guests/link\n{\"until\":\"2026-08-17T12:00:00Z\",\"look_only\":true}",
        "POST /api/v1/guests/revoke\n{\"guest\":\"Lena & Tom\"}", "DELETE /api/v1/phones/0a%201b%26\n",
    ].map { Array($0.utf8) }

    /// `nil` for what no route answers.
    static func read(_ bytes: [UInt8]) throws -> (any APIRequest)? {
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let words = String(decoding: parts[0], as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[1].hasPrefix(APIPath.root) else { return nil }
        let target = words[1].dropFirst(APIPath.root.count).split(
            separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        for reader in readers where reader.route.method.rawValue == words[0] {
            guard let path = reader.route.patterns.compactMap({ $0.match(target[0]) }).first else { continue }
            let data = try reader.route.request(
                path: path, query: target.count > 1 ? target[1] : "", body: parts.count > 1 ? Data(parts[1]) : Data(),
                shape: reader.shape)
            let request = try decoded(reader.type, data)
            return isWritable(request) ? request : nil
        }
        return nil
    }

    private static func decoded<Request: APIRequest>(_ type: Request.Type, _ data: Data) throws -> any APIRequest {
        try ReportJSON.value(type, from: data)
    }

    /// What the last moments of the year 9999 are read as has no text.
    private static func isWritable(_ request: any APIRequest) -> Bool {
        switch request {
        case let query as PhotoQuery: query.takenBefore.map { LocalTime(parsing: $0.text) != nil } ?? true
        case let order as GuestDoorOrder: order.until.map { Instant(parsing: $0.text) != nil } ?? true
        default: true
        }
    }

    /// As the program's own commands send it; empty where it cannot be sent.
    static func written<Request: APIRequest>(_ request: Request) -> [UInt8] {
        guard let form = try? AgentRoutes.route(for: Request.self).form(request) else { return [] }
        return Array("\(form.method.rawValue) \(form.target)\n".utf8) + form.body
    }
}
