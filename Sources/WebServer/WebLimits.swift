public import NIOCore
import PotluckAPI
public import WebGallery

/// Everything that bounds what visitors of a door can cost.
///
/// With the standard values the memory that clients can bind is some 64 × (8 MiB body + 256 KiB unsent answer) =
/// 528 MiB, reachable by the home's owner alone.
public struct WebLimits: Hashable, Sendable {
    /// Connections at a time; as many further ones are answered with 503, and the rest is closed without a word.
    public var connectionCountMax = 64
    /// Connections at a time from one address, so that one phone cannot hold all; `nil` for no share. A page uses up to
    /// six, and a household behind one address has several.
    public var connectionCountMaxOfAddress: Int?
    /// How long one that is to be answered with 503 may say nothing.
    public var refusalPatience = TimeAmount.seconds(1)
    /// Of one header's name and value, and of the request's target.
    public var headerByteCountMax = 8 << 10
    /// Of all headers together.
    public var headerListByteCountMax = 32 << 10
    public var headerCountMax = 100
    public var bodyByteCountMax = APILimits.requestByteCountMax
    /// From the connection's beginning to the end of the first request's head.
    public var headPatience = TimeAmount.seconds(10)
    /// From the end of an answer to the end of the next request's head.
    public var idlePatience = TimeAmount.seconds(60)
    /// From the end of a head to the end of the body; every ``bodyByteCountMin`` bytes add a second.
    public var bodyPatience = TimeAmount.seconds(10)
    /// Fewer bytes a second are taken for an attempt to keep a connection busy.
    public var bodyByteCountMin = 8 << 10
    /// How long a reader may take nothing of an answer that waits. The owner may pause `potluck events | less`.
    public var stallPatience = TimeAmount.minutes(10)
    /// How long, and how much of, a request is read and dropped after it was refused, so that the reason arrives before
    /// the connection's reset (RFC 9112, section 9.6).
    public var lingerPatience = TimeAmount.seconds(2)
    public var lingerByteCountMax = 16 << 20
    /// Costly reads of one guest, in tokens: a listing is 1, a search 4, a picture that is made 1, an archive 20. A page
    /// that searches and scrolls at full speed takes some 60 a second.
    public var readsOfGuest = TokenBucket.Rate(capacity: 800, refill: 80)
    /// The same of all guests: a dozen such pages, or hundreds that are looked at.
    public var readsOfGuests = TokenBucket.Rate(capacity: 8000, refill: 1000)
    /// Questions of monitors at all doors together: a scraper asks every few seconds, and each answer looks at all photos.
    public var monitoring = TokenBucket.Rate(capacity: 20, refill: 2)
    /// Pieces in which an answer is written: each waits until the one before is on its way.
    public var writeByteCount = 128 << 10
    /// Events that are kept for clients that come back.
    public var replayCountMax = 1024
    /// Bytes of them, names and places included.
    public var replayByteCountMax = 1 << 20
    /// How long events are kept while nobody listens; after that, who comes back has to load everything again.
    public var replayPatience = Duration.seconds(120)
    /// Events that wait for one slow client; it is told that it missed some.
    public var watcherCountMax = 1024
    /// Steps of progress that wait for one slow client; older ones are dropped.
    public var progressCountMax = 64
    /// How often a stream without events says that it is still here.
    public var stillHereInterval = Duration.seconds(APILimits.stillHereSeconds)

    public init() {}

    /// Of a door for monitors: a few scrapers, whose requests have no body.
    public static let ofMonitors = {
        var limits = WebLimits()
        limits.connectionCountMax = 16
        limits.connectionCountMaxOfAddress = 8
        limits.bodyByteCountMax = 1 << 10
        limits.stallPatience = .seconds(30)
        return limits
    }()
}
