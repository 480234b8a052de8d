/// Where a film was taken, by descriptions that ExifTool hands on as text.
enum FilmLocation {
    static func find(in raw: RawMetadata) -> (latitude: Double, longitude: Double, altitude: Double?)? {
        raw[.userLocation].flatMap(described)
            ?? [raw[.keysLocation], raw[.matroskaLocation]].lazy.compactMap { $0.flatMap(standard) }.first
    }

    /// 3GPP's box `loci` (TS 26.244, 8.2.3). A height always stands there, zero where nobody knew it; only the place of
    /// the shooting counts, not what a scene pretends to be.
    private static func described(_ text: String) -> (latitude: Double, longitude: Double, altitude: Double?)? {
        let words = text.split(separator: " ")
        func number(_ name: String) -> Double? {
            words.first { $0.hasPrefix(name) }.flatMap { RawMetadata.number($0.dropFirst(name.count)) }
        }
        guard words.contains("Role=shooting"), let latitude = number("Lat="), let longitude = number("Lon=") else {
            return nil
        }
        return (latitude, longitude, number("Alt=").flatMap { $0 == 0 ? nil : $0 })
    }

    /// ISO 6709 in degrees with decimals, annex H: a sign before each number, a slash behind the last.
    private static func standard(_ text: String) -> (latitude: Double, longitude: Double, altitude: Double?)? {
        var numbers: [String] = []
        for character in text.trimmed.prefix(while: { $0 != "/" }) {
            if character == "+" || character == "-" {
                numbers.append(String(character))
            } else if numbers.isEmpty {
                return nil
            } else {
                numbers[numbers.count - 1].append(character)
            }
        }
        let values = numbers.compactMap(RawMetadata.number)
        guard (2...3).contains(values.count), values.count == numbers.count else { return nil }
        return (values[0], values[1], values.count > 2 ? values[2] : nil)
    }
}
