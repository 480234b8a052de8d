import AlbumModel
import SyncEngine
import WireFormat

/// Every byte that an honest laptop serves is what the blob's name promises. Bytes that nobody checked are a failure
/// even where they are not served; files that rotted are found out when they are opened.
struct ServedBytesChecker {
    func serves(_ request: PieceRequest, _ laptop: Laptop) throws(SimulationFailure) {
        guard !laptop.disk.unverified.contains(request.blob) else {
            let sentence = "laptop \(laptop.index) serves wrong bytes of \(request.blob.hex.prefix(8))"
            throw SimulationFailure(.wrongBytes, sentence)
        }
    }

    func check(_ simulation: Simulation) throws(SimulationFailure) {
        for laptop in simulation.honest {
            guard let blob = laptop.disk.unverified.min() else { continue }
            let sentence = "laptop \(laptop.index) holds wrong bytes of \(blob.hex.prefix(8))"
            throw SimulationFailure(.wrongBytes, sentence)
        }
    }
}
