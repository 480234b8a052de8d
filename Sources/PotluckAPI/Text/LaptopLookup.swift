import AlbumModel

/// Which laptop a person means: by ID, by the beginning of one, or by name in any case.
public enum LaptopLookup {
    /// - Parameters:
    ///   - laptops: Those that may be meant; IDs in hexadecimal digits.
    ///   - advice: What to do where no name is close; a sentence.
    /// - Returns: The laptop's place in the list.
    /// - Throws: `.usage`: with the IDs where several laptops fit, with names that are close where none does.
    public static func find(
        _ text: String, among laptops: [(id: String, name: String)], advice: String
    ) throws(PotluckError) -> Int {
        let (key, digits) = (AlbumName.key(text), text.lowercased())
        if let exact = laptops.firstIndex(where: { $0.id == digits }) { return exact }
        let isID = digits.utf8.count >= PhotoLookup.digitCountMin && digits.allSatisfy(\.isHexDigit)
        let found = laptops.indices.filter { place in
            AlbumName.key(laptops[place].name) == key || isID && laptops[place].id.hasPrefix(digits)
        }
        switch found.count {
        case 1: return found[0]
        case 0:
            let question = CloseNames.question(CloseNames.find(text, among: laptops.map(\.name)))
            throw PotluckError(
                .usage, "No other laptop of this gathering is called “\(text)”. \(question ?? advice)")
        default:
            let choices = found.map { "\(laptops[$0].id.prefix(12)) (\(laptops[$0].name))" }.joined(separator: ", ")
            throw PotluckError(.usage, "Several laptops are called “\(text)”; name one by its ID: \(choices).")
        }
    }
}
