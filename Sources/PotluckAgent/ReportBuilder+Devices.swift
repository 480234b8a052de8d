import AlbumModel
import PotluckAPI
import SyncEngine

/// Which laptop a person means.
extension ReportBuilder {
    /// - Parameters:
    ///   - text: name or ID of a device.
    ///   - known: those that may be meant.
    ///   - advice: where nothing is called alike.
    /// - Throws: ``PotluckError`` with `.usage`.
    func device(_ text: String, among known: [DeviceID], advice: String) throws(PotluckError) -> DeviceID {
        let laptops = known.map { (id: $0.hex, name: $0 == engine.device ? ownName : name($0)) }
        let place = try LaptopLookup.find(text, among: laptops, advice: advice)
        return known[place]
    }
}
