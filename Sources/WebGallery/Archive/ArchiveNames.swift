import AlbumModel

/// Names of files in an archive that people take home: as shared, and such that no two are one on any disk.
public enum ArchiveNames {
    /// The names in the same order, cleaned; of names that a person would call the same each but the first has a number:
    /// `IMG_1 (2).jpg`.
    public static func distinct(_ names: [String]) -> [String] {
        let clean = names.map { FileLabel.cleaned($0) }
        // A number never takes the name of a file that is called so.
        var taken = Set(clean.map { AlbumName.key($0) })
        var seen: Set<String> = []
        // Where the search for a free number goes on: thousands of files may share a name.
        var numbers: [String: Int] = [:]
        return clean.map { name in
            let key = AlbumName.key(name)
            if seen.insert(key).inserted { return name }
            let (stem, ending) = FileLabel.split(name)
            var number = numbers[key] ?? 2
            while !taken.insert(AlbumName.key("\(stem) (\(number))\(ending)")).inserted { number += 1 }
            numbers[key] = number + 1
            return "\(stem) (\(number))\(ending)"
        }
    }
}
