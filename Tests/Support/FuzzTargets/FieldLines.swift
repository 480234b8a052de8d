/// Header fields of a request, a line each: `name: value`. Of several with one name the last counts.
struct FieldLines {
    private var values: [String: String] = [:]

    init(_ bytes: [UInt8]) {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            values[String(halves[0])] = String(halves[1].drop { $0 == " " })
        }
    }

    /// `nil` without such a line.
    subscript(name: String) -> String? { values[name] }
}
