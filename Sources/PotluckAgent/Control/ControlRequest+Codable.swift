extension ControlRequest: Codable {
    private enum Command: String, Codable {
        case albums, photos, tags, cover, clocks, peers, status, invite, add, edit, events, down
        case originals, fetch, transfers, unpack, verify, trash, hidden, remove, decide
        case emptyTrash = "empty-trash"
        case setCover = "set-cover"
        case setClocks = "set-clocks"
        case setOriginals = "set-originals"
        case leaveCheck = "leave-check"
        case packPlan = "pack-plan"
    }

    private enum CodingKeys: String, CodingKey {
        case command, arguments
    }

    private struct Arguments: Codable {
        var album: String?
        var photo: String?
        var camera: String?
        var files: [String]?
        var device: String?
        var directory: String?
        var skipped: Bool?
        var all: Bool?
        var originals: OriginalsReport.Policy?
        var photos: [String]?
        var others: Int?
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func whole<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try container.decode(type, forKey: .arguments)
        }
        let command = try container.decode(Command.self, forKey: .command)
        switch command {
        case .albums: self = .albums
        case .photos: self = .photos(try whole(PhotoQuery.self))
        case .edit: self = .edit(try whole(PhotoEdit.self))
        case .setClocks: self = .setClocks(try whole(ClockEdit.self))
        case .verify: self = .verify(try whole(VerifyOrder.self))
        case .remove: self = .remove(try whole(RemovalOrder.self))
        case .emptyTrash: self = .emptyTrash(try whole(TrashOrder.self))
        case .decide: self = .decide(try whole(BrakeDecision.self))
        case .peers: self = .peers
        case .invite: self = .invite
        case .events: self = .events
        case .down: self = .down
        case .transfers: self = .transfers(try whole(TransferEdit.self))
        case .tags, .cover, .clocks, .status, .add, .setCover, .originals, .setOriginals, .fetch, .leaveCheck,
            .packPlan, .unpack, .trash, .hidden:
            let arguments = try container.decodeIfPresent(Arguments.self, forKey: .arguments) ?? Arguments()
            self = try Self.request(command, arguments) { name in
                DecodingError.dataCorruptedError(
                    forKey: .arguments, in: container, debugDescription: "the argument \(name) is missing")
            }
        }
    }

    private static func request(
        _ command: Command, _ arguments: Arguments, missing: (_ name: String) -> DecodingError
    ) throws -> ControlRequest {
        func required<Value>(_ value: Value?, _ name: String) throws -> Value {
            guard let value else { throw missing(name) }
            return value
        }
        switch command {
        case .tags: return .tags(album: arguments.album)
        case .trash: return .trash(album: arguments.album)
        case .hidden: return .hidden(album: arguments.album)
        case .cover: return .cover(album: try required(arguments.album, "album"))
        case .clocks: return .clocks(album: try required(arguments.album, "album"), camera: arguments.camera)
        case .status: return .status(skipped: arguments.skipped ?? false, all: arguments.all ?? false)
        case .add:
            return .add(album: try required(arguments.album, "album"), files: try required(arguments.files, "files"))
        case .setCover: return .setCover(album: try required(arguments.album, "album"), photo: arguments.photo)
        case .packPlan: return .packPlan(device: arguments.device)
        case .unpack: return .unpack(directory: try required(arguments.directory, "directory"))
        case .originals: return .originals(album: arguments.album)
        case .setOriginals:
            return .setOriginals(
                album: try required(arguments.album, "album"), try required(arguments.originals, "originals"))
        case .fetch:
            return .fetch(album: try required(arguments.album, "album"), photos: arguments.photos ?? [])
        case .leaveCheck: return .leaveCheck(others: max(1, try required(arguments.others, "others")))
        case .albums, .photos, .edit, .setClocks, .peers, .invite, .events, .down, .transfers, .verify, .remove,
            .emptyTrash, .decide:
            preconditionFailure("init(from:) takes it")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        func encode(_ command: Command, _ arguments: some Encodable) throws {
            try container.encode(command, forKey: .command)
            try container.encode(arguments, forKey: .arguments)
        }
        switch self {
        case .albums: try encode(.albums, Arguments())
        case .photos(let query): try encode(.photos, query)
        case .tags(let album): try encode(.tags, Arguments(album: album))
        case .cover(let album): try encode(.cover, Arguments(album: album))
        case .clocks(let album, let camera): try encode(.clocks, Arguments(album: album, camera: camera))
        case .peers: try encode(.peers, Arguments())
        case .status(let skipped, let all): try encode(.status, Arguments(skipped: skipped, all: all))
        case .invite: try encode(.invite, Arguments())
        case .add(let album, let files): try encode(.add, Arguments(album: album, files: files))
        case .edit(let edit): try encode(.edit, edit)
        case .setCover(let album, let photo): try encode(.setCover, Arguments(album: album, photo: photo))
        case .setClocks(let edit): try encode(.setClocks, edit)
        case .packPlan(let device): try encode(.packPlan, Arguments(device: device))
        case .unpack(let directory): try encode(.unpack, Arguments(directory: directory))
        case .originals(let album): try encode(.originals, Arguments(album: album))
        case .setOriginals(let album, let policy):
            try encode(.setOriginals, Arguments(album: album, originals: policy))
        case .fetch(let album, let photos): try encode(.fetch, Arguments(album: album, photos: photos))
        case .transfers(let edit): try encode(.transfers, edit)
        case .leaveCheck(let others): try encode(.leaveCheck, Arguments(others: others))
        case .verify(let order): try encode(.verify, order)
        case .trash(let album): try encode(.trash, Arguments(album: album))
        case .hidden(let album): try encode(.hidden, Arguments(album: album))
        case .remove(let order): try encode(.remove, order)
        case .emptyTrash(let order): try encode(.emptyTrash, order)
        case .decide(let decision): try encode(.decide, decision)
        case .events: try encode(.events, Arguments())
        case .down: try encode(.down, Arguments())
        }
    }
}
