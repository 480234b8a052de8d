import AlbumModel
import SyncEngine
import WireFormat

/// The same batches in another order of arrival fold to the same.
enum FoldOrder {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptop = simulation.honest[0]
        let engine = laptop.engine!
        var shuffled = Catalog()
        var random = SeededRandom(seed: simulation.options.seed, stream: "fold order")
        for row in CountedRows(of: laptop).counted.shuffled(using: &random) {
            guard let batch = try? Batch(decoding: row.signed.content) else { continue }
            let author = engine.log.author(of: batch.replica)!
            _ = shuffled.apply(batch, id: row.id, author: author, received: row.received)
        }
        guard let difference = CatalogComparison.difference(engine.catalog, shuffled) else { return }
        throw SimulationFailure(.foldDependsOnOrder, "\(difference) depends on the order of arrival")
    }
}
