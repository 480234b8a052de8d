import AlbumModel
import SyncEngine

/// A card full of small photos is imported where nobody can see it: afterwards more is to be told at once than one message
/// holds. All but one of the others leave the album's originals where they are.
extension Simulation {
    private static let bulkName = "Card"

    static let bulkAlbum = AlbumName.identifier(bulkName)

    mutating func importBulk() throws(SimulationFailure) {
        let candidates = laptops.indices.filter {
            laptops[$0].isHonest && laptops[$0].isRunning && !laptops[$0].isDiskFull
        }
        guard candidates.count >= 2, let index = candidates.randomElement(using: &bulkRandom),
            let reader = candidates.filter({ $0 != index }).randomElement(using: &bulkRandom)
        else { return }
        for other in laptops.indices where other != index && other != reader {
            var policy = laptops[other].disk.fetching
            policy[Self.bulkAlbum] = OriginalsPolicy.none
            try setPolicy(policy, other)
        }
        network.reachability.isolate(index)
        for number in laptops[index].connections.values.sorted() {
            for end in 0...1 {
                network.connections[number].directions[end].lose(from: now)
                plan(.over(connection: number, end: end), after: bulkRandom.seconds(in: 0...0.1))
            }
        }
        for _ in 0..<options.bulkCount {
            let blob = SimulatedBlob(content: bulkRandom.next(), byteCount: 200)
            let file = takeIn(blob, called: "DSC.JPG", index)
            try contribute(.photo(albumName: Self.bulkName, file), index)
        }
        plan(.faultEnd(.partition), after: bulkRandom.seconds(in: 3...6))
    }
}
