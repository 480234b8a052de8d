import AlbumModel
import SyncEngine

/// A photo that was confirmed to the person who dropped it is there, unless somebody removed it, or the only disk that
/// had its batch went back. What one person added or liked only that person takes back.
enum NoneLost {
    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let catalog = simulation.honest[0].engine!.catalog
        let oracle = simulation.oracle
        for key in oracle.mustLive where catalog.photo(key)?.isLive != true {
            throw SimulationFailure(.lostPhoto, "\(key.blob.hex.prefix(8)) was confirmed, never removed, and is gone")
        }
        for add in oracle.standingAdds where !isTakenBack(add, oracle.takenBack, catalog) {
            let authors = catalog.photo(add.key)?.adds.filter { $0.guest == nil }.map(\.author) ?? []
            guard !authors.contains(where: { catalog.isOwn(author: $0, of: add.device) }) else { continue }
            let sentence = "\(add.key.blob.hex.prefix(8)) was added by \(add.device.hex.prefix(8)), and taken by others"
            throw SimulationFailure(.lostPhoto, sentence)
        }
        for favour in oracle.favoured where !isTakenBack(favour, oracle.unfavoured, catalog) {
            let authors = catalog.photo(favour.key)?.favouredBy ?? []
            guard !authors.contains(where: { catalog.isOwn(author: $0, of: favour.device) }) else { continue }
            let sentence = "\(favour.key.blob.hex.prefix(8)) lost the favour of \(favour.device.hex.prefix(8))"
            throw SimulationFailure(.lostWords, sentence + ", which did not take it back")
        }
        if let (laptop, contribution) = oracle.unanswered {
            throw SimulationFailure(.unanswered, "laptop \(laptop) never did \(contribution)")
        }
    }

    /// By the device itself, or by one that shares a former life with it.
    private static func isTakenBack(_ word: Oracle.Word, _ takenBack: Set<Oracle.Word>, _ catalog: Catalog) -> Bool {
        func lives(_ device: DeviceID) -> Set<DeviceID> { catalog.formerDevices(of: device).union([device]) }
        return takenBack.contains { $0.key == word.key && !lives($0.device).isDisjoint(with: lives(word.device)) }
    }
}
