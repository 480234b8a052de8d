import AlbumModel
import SyncEngine

/// A photo that was confirmed to the person who dropped it is there, unless somebody removed it, or the only disk that
/// had its batch went back.
enum NoneLost {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let catalog = simulation.honest[0].engine!.catalog
        for key in simulation.oracle.mustLive where catalog.photo(key)?.isLive != true {
            throw SimulationFailure(.lostPhoto, "\(key.blob.hex.prefix(8)) was confirmed, never removed, and is gone")
        }
    }
}
