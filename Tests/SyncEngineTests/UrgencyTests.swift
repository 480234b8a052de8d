import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// Whose photos go first while somebody imports many.
@Suite struct UrgencyTests {
    private static let second: UInt64 = 1_000_000
    private let importer = 0
    private let single = 1

    /// An import of 60 photos, 20 a second, that is not over when a single photo is added elsewhere; a third laptop knows
    /// of all, and has none.
    private func network() throws -> TestNetwork {
        var network = TestNetwork()
        for number in 1...3 { try network.add(TestSigning(UInt8(number))) }
        for number in 1...60 as ClosedRange<UInt8> {
            add(&network, importer, number)
            if number == 50 { add(&network, single, 100) }
            for node in network.nodes.indices { network.nodes[node].wall += Self.second / 20 }
        }
        network.slowNode = importer
        for (first, second) in [(importer, 2), (importer, single), (single, 2)] { network.connect(first, second) }
        network.settle()
        return network
    }

    private func add(_ network: inout TestNetwork, _ node: Int, _ number: UInt8) {
        network.feed(node, .contribute(token: UInt64(number), .photo(albumName: "Beach", file(number))))
        network.settle()
    }

    private func urgency(_ network: TestNetwork, _ number: UInt8) -> ClockReading {
        let engine = network.nodes[2].engine
        return engine.pull.urgency(of: engine.catalog.mentions(of: file(number).blob), engine.presence)
    }

    /// The first of an import are photos like others: so are those of a folder with a few.
    @Test func importsYield() throws {
        let network = try network()
        #expect(urgency(network, 100) > urgency(network, 60) && urgency(network, 60) > urgency(network, 33))
        #expect(urgency(network, 32) > urgency(network, 60))
        let engine = network.nodes[2].engine
        #expect(engine.precedence(of: file(100).blob) > engine.precedence(of: file(60).blob))
        #expect(
            engine.pull.scheduler.wants[file(60).blob]!.priority > engine.pull.scheduler.wants[file(1).blob]!.priority)
    }

    /// A laptop that has imported adds single photos again.
    @Test func importsEnd() throws {
        var network = try network()
        for node in network.nodes.indices { network.nodes[node].wall += Self.second }
        add(&network, importer, 61)
        #expect(urgency(network, 61) > urgency(network, 100))
        #expect(urgency(network, 61) > urgency(network, 60))
    }

    /// After a restart the order is the same.
    @Test func urgencyIsFoundAgain() throws {
        let network = try network()
        var fold = JournalFold()
        for row in network.nodes[2].journal {
            try fold.add(row.signed, id: row.id, received: network.nodes[2].wall)
        }
        let engine = Engine(
            signing: TestSigning(3), journal: fold, held: [], holdings: HoldingsBook(), replica: nil,
            run: [UInt8](repeating: 0, count: 16), port: 1)
        for number in 1...60 as ClosedRange<UInt8> {
            #expect(
                engine.pull.urgency(of: engine.catalog.mentions(of: file(number).blob), engine.presence)
                    == urgency(network, number))
        }
        var queue = engine.pull.scheduler.wants.queue
        var priorities: [WantPriority] = []
        while let next = queue.first() {
            priorities.append(next)
            queue.remove(next.blob)
        }
        #expect(priorities == priorities.sorted())
    }

    /// A photo that somebody looks at goes before all others, the newest among them; one that is not wanted changes
    /// nothing.
    @Test func whatIsAwaitedGoesFirst() throws {
        var network = try network()
        let wants = network.nodes[2].engine.pull.scheduler.wants
        #expect(wants[file(60).blob]!.priority > wants[file(5).blob]!.priority)
        network.feed(2, .awaited(file(60).blob))
        network.feed(2, .awaited(file(200).blob))
        network.settle()
        let scheduler = network.nodes[2].engine.pull.scheduler
        let awaited = try #require(scheduler.wants[file(60).blob]).priority
        for want in scheduler.wants.all where want.blob != file(60).blob { #expect(awaited < want.priority) }
        #expect(scheduler.wants[file(200).blob] == nil)
        // It is in the queue once, at its new place.
        var queue = scheduler.wants.queue
        var blobs: [BlobID] = []
        while let next = queue.first() {
            blobs.append(next.blob)
            queue.remove(next.blob)
        }
        #expect(Set(blobs).count == blobs.count)
        if let place = blobs.firstIndex(of: file(60).blob) { #expect(place == 0) }
    }
}
