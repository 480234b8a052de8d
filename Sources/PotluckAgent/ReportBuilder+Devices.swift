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
        let named = known.map { ($0, $0 == engine.device ? ownName : name($0)) }
        let (key, digits) = (AlbumName.key(text), text.lowercased())
        if let exact = known.first(where: { $0.hex == digits }) { return exact }
        let isID = digits.utf8.count >= PhotoLookup.digitCountMin && digits.allSatisfy(\.isHexDigit)
        let found = named.filter { AlbumName.key($0.1) == key || isID && $0.0.hex.hasPrefix(digits) }
        switch found.count {
        case 1: return found[0].0
        case 0:
            let question = CloseNames.question(CloseNames.find(text, among: named.map(\.1)))
            throw PotluckError(
                .usage, "No other laptop of this gathering is called “\(text)”. \(question ?? advice)")
        default:
            let choices = found.map { "\($0.0.hex.prefix(12)) (\($0.1))" }.joined(separator: ", ")
            throw PotluckError(.usage, "Several laptops are called “\(text)”; name one by its ID: \(choices).")
        }
    }
}
