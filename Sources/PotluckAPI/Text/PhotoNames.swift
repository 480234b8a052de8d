import AlbumModel

/// Where the photos that a text may mean are in a list that is in the order of their IDs. Each table is made when a text is
/// first looked for in it: mostly that is one.
struct PhotoNames {
    private let candidates: [PhotoLookup.Candidate]
    // Swift compares strings by canonical equivalence, so that NFC and NFD are one name.
    private lazy var names = places { $0.name }
    private lazy var fileNames = places { $0.fileName }
    private lazy var foldedNames = places { AlbumName.key($0.name) }
    private lazy var foldedFileNames = places { $0.fileName.map { AlbumName.key($0) } }

    init(_ candidates: [PhotoLookup.Candidate]) { self.candidates = candidates }

    private func places(by name: (PhotoLookup.Candidate) -> String?) -> [String: [Int]] {
        var places: [String: [Int]] = [:]
        for (place, candidate) in candidates.enumerated() {
            if let name = name(candidate) { places[name, default: []].append(place) }
        }
        return places
    }

    /// By the first of these rules that any photo fits: the ID or its beginning, the name, the name of the file here, then
    /// either in any case.
    mutating func places(of text: String) -> [Int] {
        let identified = places(ofID: text.lowercased())
        if !identified.isEmpty { return Array(identified) }
        if let places = names[text] { return places }
        // A file may be named by its path, as the shell completes it.
        let fileName = text.split(separator: "/").last.map { String($0) } ?? text
        return fileNames[fileName] ?? foldedNames[AlbumName.key(text)] ?? foldedFileNames[AlbumName.key(fileName)] ?? []
    }

    private func places(ofID digits: String) -> Range<Int> {
        guard digits.utf8.count >= PhotoLookup.digitCountMin, digits.allSatisfy(\.isHexDigit) else { return 0..<0 }
        let first = firstPlace { $0 >= digits }
        let end = firstPlace { $0 >= digits && !$0.hasPrefix(digits) }
        return first..<end
    }

    /// Of the first photo whose ID is behind a limit, as is that of each one after it.
    private func firstPlace(where isBehind: (String) -> Bool) -> Int {
        var range = candidates.startIndex..<candidates.endIndex
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = isBehind(candidates[middle].blob.hex) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
