import AlbumModel
import SyncEngine

/// All honest laptops know the same batches and make the same albums of them.
enum EqualDigests {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptops = simulation.honest
        let reference = laptops[0].engine!
        for laptop in laptops {
            let engine = laptop.engine!
            guard engine.log.vector == reference.log.vector else {
                let sentence = "laptops \(laptops[0].index) and \(laptop.index) know different batches"
                throw SimulationFailure(.notConverged, sentence)
            }
            let albums = reference.catalog.albums.sorted { $0.key < $1.key }
            for (id, album) in albums where engine.catalog.albums[id]?.digest != album.digest {
                let sentence = "laptops \(laptops[0].index) and \(laptop.index) differ in \(album.ownName)"
                throw SimulationFailure(.differentManifests, sentence)
            }
        }
    }
}
