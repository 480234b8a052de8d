import AlbumModel
import PhotoStore
import PotluckAPI
import SyncEngine

/// What a person decided about this laptop's transfers while the agent ran. It survives restarts, as facts of the
/// journal.
struct TransferChoices: Hashable, Sendable {
    var fetching = FetchPolicy()
    var isPaused = false
    var up = LimitWord.standard
    var down = LimitWord.standard

    init() {}

    init(_ journal: Journal) throws {
        for (key, value) in try journal.facts(.policy) {
            guard let album = AlbumID(bytes: key) else { continue }
            // What a later version wrote is none of this one's.
            fetching[album] = OriginalsPolicy(rawValue: Self.text(value)) ?? .all
        }
        for (key, _) in try journal.facts(.fetch) {
            guard let photo = PhotoKey(bytes: key) else { continue }
            fetching.asked.insert(photo)
        }
        let settings = try journal.facts(.setting).map { (Self.text($0.key), Self.text($0.value)) }
        for (key, value) in settings {
            switch TransferSetting(rawValue: key) {
            case .paused: isPaused = true
            case .limitUp: up = LimitWord(rawValue: value) ?? .standard
            case .limitDown: down = LimitWord(rawValue: value) ?? .standard
            case nil: break
            }
        }
    }

    func limits(_ standard: TransferLimits) -> TransferLimits {
        TransferLimits(up: up.limit(standard.up), down: down.limit(standard.down))
    }

    /// What has to be stored when these choices become `new`.
    func changes(to new: TransferChoices) -> [FactChange] {
        let albums = Set(fetching.albums.keys).union(new.fetching.albums.keys).sorted()
        var changes = albums.filter { fetching[$0] != new.fetching[$0] }.map { album in
            let policy = new.fetching[album]
            return FactChange(
                kind: .policy, key: album.bytes, value: policy == .all ? nil : Self.bytes(policy.rawValue))
        }
        changes += new.fetching.asked.subtracting(fetching.asked).sorted().map {
            FactChange(kind: .fetch, key: $0.bytes, value: [1])
        }
        changes += fetching.asked.subtracting(new.fetching.asked).sorted().map {
            FactChange(kind: .fetch, key: $0.bytes, value: nil)
        }
        func set(_ setting: TransferSetting, _ value: String?) {
            changes.append(
                FactChange(kind: .setting, key: Self.bytes(setting.rawValue), value: value.map(Self.bytes)))
        }
        if isPaused != new.isPaused { set(.paused, new.isPaused ? "yes" : nil) }
        if up != new.up { set(.limitUp, new.up == .standard ? nil : new.up.rawValue) }
        if down != new.down { set(.limitDown, new.down == .standard ? nil : new.down.rawValue) }
        return changes
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}

extension FactKind {
    /// Which originals of an album are pulled, where that is not all of them; the key is its `AlbumID`, the value an
    /// ``OriginalsPolicy``.
    static let policy = FactKind(rawValue: "policy")
    /// Photos that are pulled whatever the policy says; the key is the album and the blob.
    static let fetch = FactKind(rawValue: "fetch")
    /// What was set while the agent ran; keys are ``TransferSetting``, values texts.
    static let setting = FactKind(rawValue: "setting")
}

/// Keys of ``FactKind/setting`` that concern transfers.
enum TransferSetting: String {
    case paused
    case limitUp = "limit_up"
    case limitDown = "limit_down"
}

extension PhotoKey {
    /// The album and the blob, one behind the other.
    fileprivate var bytes: [UInt8] { album.bytes + blob.bytes }

    fileprivate init?(bytes: [UInt8]) {
        guard let album = AlbumID(bytes: bytes.dropLast(BlobID.byteCount)),
            let blob = BlobID(bytes: bytes.suffix(BlobID.byteCount))
        else { return nil }
        self.init(album: album, blob: blob)
    }
}
