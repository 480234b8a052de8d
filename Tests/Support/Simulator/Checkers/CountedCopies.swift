import AlbumModel
import SyncEngine

/// In the end no copy that is counted is missing, and each that a connected laptop has is counted: of photos that both
/// have, unless it denied one. No copy counts on a device that is out.
enum CountedCopies {
    static func isKept(_ simulation: Simulation) -> Bool { flaw(simulation) == nil }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        if let failure = flaw(simulation) { throw failure }
        for laptop in simulation.honest {
            try simulation.checkAllClaims(laptop.index, isThorough: true)
            let wall = simulation.wall(laptop.index)
            let counted = laptop.look { $0.copies(wall: wall).devices } ?? []
            guard let device = counted.first(where: laptop.knownOut.contains) else { continue }
            let sentence = "laptop \(laptop.index) counts copies on \(device.hex.prefix(8)), which is out"
            throw SimulationFailure(.falseCopy, sentence)
        }
    }

    private static func flaw(_ simulation: Simulation) -> SimulationFailure? {
        let laptops = simulation.honest
        let photos = laptops[0].look { Set($0.catalog.albums.values.flatMap { $0.livePhotos.map(\.key) }) } ?? []
        for laptop in laptops {
            let wall = simulation.wall(laptop.index)
            guard let connected = laptop.look({ $0.connectedDevices }),
                let copies = laptop.look({ $0.copies(wall: wall) })
            else { continue }
            let others = laptops.filter { connected.contains($0.id) && $0.id != laptop.id }
            for blob in photos where laptop.disk.blobs.contains(blob) {
                let holders = copies.holders(of: blob)
                for other in others where other.disk.blobs.contains(blob) != holders.contains(other.id) {
                    if simulation.watch.claims.isDenied(blob, by: other.id, to: laptop.index) { continue }
                    let sentence = "laptop \(laptop.index) is wrong about \(blob.hex.prefix(8))"
                    return SimulationFailure(.uncountedCopy, sentence + " on laptop \(other.index)")
                }
            }
        }
        return nil
    }
}
