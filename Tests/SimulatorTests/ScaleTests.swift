import Simulator
import TestSupport
import Testing

/// Larger gatherings without faults, small enough for a test: `simulate scale` measures the large ones.
@Suite(.slow) struct ScaleTests {
    private static func options(_ joining: ScaleOptions.Joining) -> ScaleOptions {
        var options = ScaleOptions()
        options.deviceCount = 30
        options.joining = joining
        return options
    }

    /// However the devices find each other, all come to be connected over few links each, and few hops apart.
    @Test(arguments: ScaleOptions.Joining.allCases)
    func linksAreFewAndReachEverybody(joining: ScaleOptions.Joining) throws {
        let study = try ScaleStudy(options: Self.options(joining)) { _ in }
        let graph = study.graph
        #expect(graph.most <= 8)
        #expect(graph.median >= 6)
        #expect(try #require(graph.diameter) <= 5)
    }

    /// A new photo becomes known to all within 1.5 log2 n rounds and with fewer messages than two a link and device.
    @Test func newsIsQuickAndCheap() throws {
        var study = try ScaleStudy(options: Self.options(.invited)) { _ in }
        let figures = try study.gossip(warmUp: 10, photos: 10)
        for photo in figures.photos {
            #expect(photo.knownCount == 30)
            #expect(Double(photo.hops) <= 1.5 * ScaleStudy.log2(30))
            #expect(photo.seconds <= 1.5 * ScaleStudy.log2(30) * figures.roundSeconds)
            #expect(figures.messagesPerDevice(photo) < 2 * figures.linkMean)
        }
    }

    /// One photo of four pieces reaches all, and few pieces twice.
    @Test func aPhotoComesToAll() throws {
        var study = try ScaleStudy(options: Self.options(.invited)) { _ in }
        let figures = try study.swarm(photos: 1)
        #expect(figures.isComplete)
        #expect(figures.piecesPerNeeded < 1.1)
    }
}
