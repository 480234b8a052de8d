import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Books of peers on a network in which a dial takes a second, or five where nobody answers, and nothing else happens.
private struct MeshNetwork {
    struct Node {
        let device: DeviceID
        var book: PeerBook
        var links: Set<Int> = []
        var isUp = true
        /// Others that cannot be reached from here.
        var unreachable: Set<Int> = []
    }

    var nodes: [Node] = []
    private(set) var linkCountMax = 0
    private(set) var dialCount = 0
    private var now = MonotonicInstant(nanoseconds: 1_000_000_000)
    private var random: TestRandom
    private var indices: [DeviceID: Int] = [:]
    private var hosts: [PeerAddress: Int] = [:]
    /// By the round in which it comes to something.
    private var dials: [UInt64: [(from: Int, Dial)]] = [:]
    private var roundCount: UInt64 = 0
    private static let shareCount = 8

    init(count: Int, seed: UInt64) {
        random = TestRandom(state: seed)
        for index in 0..<count {
            let bytes = (0..<4).flatMap { _ in BigEndian.bytes(random.next()) }
            let device = DeviceID(bytes: bytes)!
            var node = Node(device: device, book: PeerBook(own: device, limits: EngineLimits()))
            node.book.setOwn(record(index, device))
            indices[device] = index
            hosts[address(index)] = index
            nodes.append(node)
        }
    }

    func address(_ index: Int) -> PeerAddress { PeerAddress(host: "10.0.\(index >> 8).\(index & 255)", port: 4711) }

    /// Signed by nobody: the content is the index.
    private func record(_ index: Int, _ device: DeviceID) -> AddressRecord {
        let signed = SignedStatement(content: BigEndian.bytes(UInt32(index)), signature: [])
        return AddressRecord(device: device, number: 1, addresses: [address(index)], signed: signed)
    }

    // MARK: What happens

    /// What multicast does.
    mutating func announceEveryone(to index: Int) {
        for other in nodes.indices where other != index && !nodes[index].unreachable.contains(other) {
            let key = PeerKey.device(nodes[other].device.prefix)
            nodes[index].book.announcementEnded(key)
            nodes[index].book.learn(key, [address(other)], source: .discovery, now: now)
        }
    }

    /// Mutes the cables for which the condition holds, and mends all others.
    mutating func mute(where isMute: (_ from: Int, _ to: Int) -> Bool) {
        for index in nodes.indices {
            nodes[index].unreachable = Set(nodes.indices.filter { isMute(index, $0) })
            for other in nodes[index].links.intersection(nodes[index].unreachable).sorted() { cut(index, other) }
        }
    }

    mutating func give(_ index: Int, addressOf other: Int) {
        nodes[index].book.learn(.fixed(address(other)), [address(other)], source: .fixed, now: now)
    }

    mutating func stop(_ index: Int) {
        nodes[index].isUp = false
        for other in nodes[index].links.sorted() { cut(index, other) }
    }

    private mutating func cut(_ first: Int, _ second: Int) {
        unlink(first, second)
        nodes[first].book.disconnected(nodes[second].device, now: now, using: &random)
        nodes[second].book.disconnected(nodes[first].device, now: now, using: &random)
    }

    /// One second.
    mutating func round() {
        now = now + 1
        roundCount += 1
        for index in nodes.indices where nodes[index].isUp {
            for dial in nodes[index].book.due(now: now, using: &random) {
                dials[roundCount + (target(of: dial, from: index) == nil ? 5 : 1), default: []].append((index, dial))
                dialCount += 1
            }
        }
        let ripe = dials.removeValue(forKey: roundCount)?.shuffled(using: &random) ?? []
        // Those who greet in the same moment say all the same in their hellos.
        let ends = Set(ripe.flatMap { [$0.from, target(of: $0.1, from: $0.from) ?? $0.from] })
        let lonely = ends.filter { nodes[$0].book.needsLink }
        for (from, dial) in ripe { perform(dial, from: from, lonely: lonely) }
        for index in nodes.indices where nodes[index].isUp && (Int(roundCount) + index) % 30 == 0 { turn(index) }
        linkCountMax = max(linkCountMax, nodes.map(\.links.count).max() ?? 0)
    }

    private func target(of dial: Dial, from: Int) -> Int? {
        dial.addresses.compactMap { hosts[$0] }.first { nodes[$0].isUp && !nodes[from].unreachable.contains($0) }
    }

    private mutating func perform(_ dial: Dial, from: Int, lonely: Set<Int>) {
        guard nodes[from].isUp else { return }
        guard let to = target(of: dial, from: from) else {
            return nodes[from].book.failed(dial.key, isStranger: false, now: now, using: &random)
        }
        guard !nodes[from].links.contains(to) else {
            return nodes[from].book.connected(nodes[to].device, key: dial.key, now: now)
        }
        let isKept = greet(from, to, key: dial.key, theyNeed: lonely.contains(to))
        let isKeptThere = greet(to, from, key: nil, theyNeed: lonely.contains(from))
        guard isKept, isKeptThere else {
            nodes[from].book.refusedAsFull(nodes[to].device, key: dial.key, now: now, using: &random)
            return nodes[to].book.refusedAsFull(nodes[from].device, key: nil, now: now, using: &random)
        }
        nodes[from].links.insert(to)
        nodes[to].links.insert(from)
        nodes[from].book.remember(nodes[to].device, address(to), source: .discovery)
        share(from, with: to)
        share(to, with: from)
    }

    private mutating func greet(_ index: Int, _ other: Int, key: PeerKey?, theyNeed: Bool) -> Bool {
        let device = nodes[other].device
        let connected = nodes[index].links.map { nodes[$0].device }
        let verdict = nodes[index].book.judge(
            device, needsLink: theyNeed, key: key, connected: connected, now: now, using: &random)
        switch verdict {
        case .refuse: return false
        case .keepInstead(let gone): letGo(index, indices[gone]!)
        case .keep: break
        }
        nodes[index].book.connected(device, key: key, now: now)
        return true
    }

    private mutating func turn(_ index: Int) {
        let connected = nodes[index].links.map { nodes[$0].device }
        let turn = nodes[index].book.turn(connected: connected, now: now, using: &random)
        if let other = turn.share { share(index, with: indices[other]!) }
        if let other = turn.letGo { letGo(index, indices[other]!) }
    }

    private mutating func letGo(_ first: Int, _ second: Int) {
        unlink(first, second)
        nodes[first].book.refusedAsFull(nodes[second].device, key: nil, now: now, using: &random)
        nodes[second].book.refusedAsFull(nodes[first].device, key: nil, now: now, using: &random)
    }

    private mutating func unlink(_ first: Int, _ second: Int) {
        nodes[first].links.remove(second)
        nodes[second].links.remove(first)
    }

    private mutating func share(_ index: Int, with other: Int) {
        let sample = nodes[index].book.sample(Self.shareCount, for: nodes[other].device, knowing: nil, using: &random)
        for signed in sample.compactMap({ nodes[index].book.record(of: $0) }) {
            let index = Int(BigEndian.word(signed.content))
            _ = nodes[other].book.learn(record(index, nodes[index].device), now: now)
        }
    }

    // MARK: What came of it

    /// How many devices that are up can be reached over links from the first of them.
    var reachableCount: Int {
        guard let first = nodes.firstIndex(where: \.isUp) else { return 0 }
        var seen: Set<Int> = [first]
        var next = [first]
        while let index = next.popLast() {
            next += nodes[index].links.filter { seen.insert($0).inserted }
        }
        return seen.count
    }

    var upCount: Int { nodes.count(where: \.isUp) }
    var isConnected: Bool { reachableCount == upCount }
    /// In few words, for tests that fail.
    var shape: Shape { Shape(isConnected: isConnected, isBounded: linkCountMax <= MeshLimits().linkCountMax) }

    struct Shape: Hashable {
        var isConnected: Bool
        /// Nobody had too many links at the end of any round.
        var isBounded: Bool

        static let good = Shape(isConnected: true, isBounded: true)
    }

    /// Links of those that are up, fewest first.
    var linkCounts: [Int] { nodes.filter(\.isUp).map(\.links.count).sorted() }

    /// Rounds until a condition holds for the first time; `nil` if it did not come to that.
    mutating func rounds(atMost max: Int, until condition: (MeshNetwork) -> Bool) -> Int? {
        for count in 1...max {
            round()
            if condition(self) { return count }
        }
        return nil
    }
}

/// The graph that many books make of their links.
@Suite struct MeshTests {
    /// Multicast is off, and everyone was given the address of one and the same device, which may keep eight links.
    @Test(arguments: UInt64(1)...10) func oneKnownDeviceIsEnough(seed: UInt64) {
        var network = MeshNetwork(count: 40, seed: seed)
        for index in 1..<40 { network.give(index, addressOf: 0) }
        let rounds = network.rounds(atMost: 60) { $0.shape == .good && $0.linkCounts[4] >= 5 }
        #expect(rounds != nil)
        // Links are exchanged from then on, and it stays in one piece.
        for _ in 0..<300 {
            network.round()
            #expect(network.shape == .good)
        }
        #expect(network.linkCounts[0] >= 4)
    }

    @Test func oneKnownDeviceIsEnoughForAThousand() {
        var network = MeshNetwork(count: 1000, seed: 1)
        for index in 1..<1000 { network.give(index, addressOf: 0) }
        let rounds = network.rounds(atMost: 60) { $0.shape == .good && $0.linkCounts[100] >= 5 }
        #expect(rounds != nil)
    }

    /// Everyone starts at once and hears of everyone in the same order.
    @Test(arguments: [9, 10, 12, 50]) func announcedDevicesFindEachOther(count: Int) {
        var network = MeshNetwork(count: count, seed: 3)
        for index in 0..<count { network.announceEveryone(to: index) }
        let rounds = network.rounds(atMost: 10, until: \.isConnected)
        #expect(rounds != nil)
        for _ in 0..<60 { network.round() }
        #expect(network.shape == .good)
        #expect(network.linkCounts[0] >= 5)
    }

    @Test func eightDevicesAreAllLinked() {
        var network = MeshNetwork(count: 8, seed: 4)
        for index in 1..<8 { network.give(index, addressOf: 0) }
        for _ in 0..<120 { network.round() }
        #expect(network.linkCounts == [Int](repeating: 7, count: 8))
    }

    /// They come one after the other, each with the address of one that is there: the first ones make room.
    @Test func latecomersFindRoom() {
        var network = MeshNetwork(count: 30, seed: 5)
        for index in 1..<30 { network.nodes[index].isUp = false }
        for index in 1..<30 {
            network.nodes[index].isUp = true
            network.give(index, addressOf: index / 5)
            for _ in 0..<5 { network.round() }
            #expect(network.shape == .good)
        }
        for _ in 0..<300 { network.round() }
        #expect(network.shape == .good)
        #expect(network.linkCounts[0] >= 5)
    }

    /// Half of the devices leave at once; the other half knits itself together again.
    @Test(arguments: UInt64(1)...5) func halfOfThemMayLeave(seed: UInt64) {
        var network = MeshNetwork(count: 60, seed: seed)
        for index in 0..<60 { network.announceEveryone(to: index) }
        for _ in 0..<60 { network.round() }
        for index in stride(from: 0, to: 60, by: 2) { network.stop(index) }
        for _ in 0..<60 { network.round() }
        #expect(network.shape == .good)
        #expect(network.linkCounts[3] >= 5)
    }

    /// Of twelve devices not all reach each other, and each hears announcements of those only that it reaches.
    @Test(arguments: UInt64(1)...10) func muteCablesAreGoneAround(seed: UInt64) {
        var network = MeshNetwork(count: 12, seed: seed)
        var random = TestRandom(state: seed)
        let mute = Set((0..<66).shuffled(using: &random).prefix(26))
        network.mute { first, second in
            let (low, high) = (min(first, second), max(first, second))
            return low < high && mute.contains(high * (high - 1) / 2 + low)
        }
        for index in 0..<12 { network.announceEveryone(to: index) }
        for _ in 0..<60 { network.round() }
        #expect(network.shape == .good)
    }

    /// A network that was cut in two is one again after the cut is mended: at once where devices are announced anew,
    /// within a minute or two where they are not, though everyone has all the links that it wants in its own half.
    @Test(arguments: [true, false], UInt64(1)...5) func halvesGrowTogether(isAnnounced: Bool, seed: UInt64) {
        var network = MeshNetwork(count: 40, seed: seed)
        for index in 0..<40 { network.announceEveryone(to: index) }
        for _ in 0..<120 { network.round() }
        network.mute { $0 % 2 != $1 % 2 }
        for _ in 0..<300 { network.round() }
        #expect(network.reachableCount == 20)
        network.mute { _, _ in false }
        if isAnnounced { for index in 0..<40 { network.announceEveryone(to: index) } }
        let rounds = network.rounds(atMost: isAnnounced ? 5 : 180, until: \.isConnected)
        #expect(rounds != nil)
        for _ in 0..<120 { network.round() }
        #expect(network.shape == .good)
    }

    /// Devices that have what they want hardly dial: now and then one exchanges a link.
    @Test func aSettledMeshIsQuiet() {
        var network = MeshNetwork(count: 100, seed: 8)
        for index in 0..<100 { network.announceEveryone(to: index) }
        for _ in 0..<300 { network.round() }
        let before = network.dialCount
        for _ in 0..<600 { network.round() }
        // Two turns each in ten minutes, and what they leave to be repaired.
        #expect(network.dialCount - before < 100 * 4)
        #expect(network.shape == .good)
    }
}
