/// What it means to put laptops out, as `potluck put-out` says it before it asks.
public struct PutOutPlan: Codable, Hashable, Sendable {
    public struct Laptop: Codable, Hashable, Sendable {
        /// The `DeviceID` in hexadecimal digits.
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }

    public struct Leaving: Codable, Hashable, Sendable {
        public var laptop: Laptop
        /// Photos in albums that it added; they stay.
        public var photos: Int
        /// Those of all photos that are known to be on this laptop alone: out, it can give them to nobody.
        public var alone: StatusReport.Amount

        public init(laptop: Laptop, photos: Int, alone: StatusReport.Amount) {
            self.laptop = laptop
            self.photos = photos
            self.alone = alone
        }
    }

    /// Who was named.
    public var out: [Leaving]
    /// Earlier identities of theirs, which are put out as well: nobody is connected under them.
    public var formerly: [Laptop]
    /// Earlier identities of theirs that stay: somebody is connected under them, or they are hosts for longer than this
    /// laptop.
    public var formerlyStaying: [Laptop]
    /// Laptops that go on from one that is put out, as copies of its home do, and stay.
    public var continuing: [Laptop]
    /// Hosts that one of those named who are put out: they stay, and are hosts no longer.
    public var hostsNoMore: [Laptop]
    /// Laptops that were out, and that hosts of those named had let in: they are out again.
    public var outAgain: [Laptop]
    /// Laptops that were kept out by those named alone, and are in again, by the recovery code: they are among
    /// ``staying``.
    public var comingBack: [Laptop]
    /// Laptops that are in by what those named decided alone, and have to be let in.
    public var leftBehind: [Laptop]
    /// Whoever else stays, this laptop among them.
    public var staying: [Laptop]
    /// Whether this laptop becomes a host by it, as it does by the recovery code; absent where that is not so.
    public var isHostHere: Bool?

    public init(
        out: [Leaving], formerly: [Laptop] = [], formerlyStaying: [Laptop] = [], continuing: [Laptop] = [],
        hostsNoMore: [Laptop] = [], outAgain: [Laptop] = [], comingBack: [Laptop] = [], leftBehind: [Laptop] = [],
        staying: [Laptop], isHostHere: Bool? = nil
    ) {
        self.out = out
        self.formerly = formerly
        self.formerlyStaying = formerlyStaying
        self.continuing = continuing
        self.hostsNoMore = hostsNoMore
        self.outAgain = outAgain
        self.comingBack = comingBack
        self.leftBehind = leftBehind
        self.staying = staying
        self.isHostHere = isHostHere
    }

    /// All whom it concerns, for ``PutOutRequest``.
    public var devices: [String] { out.map(\.laptop.id) + formerly.map(\.id) }

    enum CodingKeys: String, CodingKey {
        case out, formerly, continuing, staying
        case formerlyStaying = "formerly_staying"
        case hostsNoMore = "hosts_no_more"
        case outAgain = "out_again"
        case comingBack = "coming_back"
        case leftBehind = "left_behind"
        case isHostHere = "host_here"
    }
}
