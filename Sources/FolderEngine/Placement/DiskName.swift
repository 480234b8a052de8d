package import AlbumModel

/// Names on disk, made of names that came from people and peers.
///
/// A shared name is a label; what comes out of here is one path component that Linux, Windows and macOS can hold, and
/// that shows a person what it is. Files that are there keep the names that they have.
package enum DiskName {
    /// NAME_MAX of Linux's file systems, APFS and, in its own units, NTFS.
    package static let byteCountMax = 255
    /// A device's name is a note in brackets, not the name itself.
    package static let deviceByteCountMax = 64
    /// In UTF-16 units, of a path below the folder: what the 259 of Windows leave to a folder such as
    /// `C:\Users\Grandmother\Pictures\Potluck`.
    package static let pathUnitCountMax = 220
    /// In UTF-16 units; the rest is for the files.
    package static let directoryUnitCountMax = 100
    /// What a file's name has at least, in a directory with a name that a person made longer.
    private static let fileUnitCountMin = 100

    /// Names for a photo of this type to try in turn until one is free, with one of the type's extensions: as shared,
    /// then with the contributor's device, then with ever more of the photo's hash.
    ///
    /// - Parameter directory: The album's; the path has to fit.
    package static func candidates(
        name: String, type: MediaType, deviceName: String, blob: BlobID, directory: String
    ) -> Candidates {
        let (stem, ending) = parts(name, type)
        return Candidates(
            stem: stem, ending: ending,
            device: shortened(cleaned(deviceName), byteCount: deviceByteCountMax, unitCount: deviceByteCountMax),
            hex: blob.hex, unitCount: max(fileUnitCountMin, pathUnitCountMax - directory.utf16.count - 1))
    }

    package struct Candidates: Sequence, IteratorProtocol, Sendable {
        fileprivate let stem: String
        fileprivate let ending: String
        fileprivate let device: String
        fileprivate let hex: String
        fileprivate let unitCount: Int
        private var digitCount = -4

        fileprivate init(stem: String, ending: String, device: String, hex: String, unitCount: Int) {
            (self.stem, self.ending, self.device, self.hex) = (stem, ending, device, hex)
            self.unitCount = unitCount
        }

        package mutating func next() -> String? {
            defer { digitCount += 4 }
            return note(digitCount).map { DiskName.joined(stem, $0, ending, unitCount: unitCount) }
        }

        /// What tells the photo from others of its name.
        private func note(_ digitCount: Int) -> String? {
            switch digitCount {
            case -4: return ""
            case 0: return device.isEmpty ? "" : " (\(device))"
            case ...hex.utf8.count:
                let digits = hex.prefix(digitCount)
                return device.isEmpty ? " (\(digits))" : " (\(device) \(digits))"
            default: return nil
            }
        }

        /// Those to try before a name, whatever its case; `nil` where that is none of these.
        func before(_ name: String) -> [String]? {
            let folded = DiskName.folded(name)
            var names: [String] = []
            for candidate in self {
                if DiskName.folded(candidate) == folded { return names }
                names.append(candidate)
            }
            return nil
        }

        /// Whether a name is one of these, whatever its case. A long one may have been cut for a directory of another name.
        func fits(_ name: String) -> Bool {
            let (name, whole) = (DiskName.folded(name), DiskName.folded(stem))
            // Most names have no note. By bytes: in some scripts a bracket is one character with the letter before it.
            let noteEnd = DiskName.folded(")" + ending).utf8
            let isNoted = name.utf8.suffix(noteEnd.count).elementsEqual(noteEnd)
            return stride(from: -4, through: isNoted ? hex.utf8.count : -4, by: 4).contains { digitCount in
                guard let note = note(digitCount) else { return false }
                // One that a file gets **must** fit, wherever it is cut: else the file is renamed for ever.
                if DiskName.folded(DiskName.joined(stem, note, ending, unitCount: unitCount)) == name { return true }
                let rest = DiskName.folded(note + ending)
                guard name.hasSuffix(rest) else { return false }
                let start = name.dropLast(rest.count)
                let isCut = name.utf16.count > DiskName.fileUnitCountMin / 2 && whole.hasPrefix(start)
                return start == whole || isCut && (whole + rest).utf16.count > DiskName.fileUnitCountMin
            }
        }
    }

    /// Names for an album's directory to try in turn until one is free: as listed, then with a number, then with ever
    /// more of the album's ID.
    package static func directoryCandidates(_ name: String, album: AlbumID) -> some Sequence<String> {
        let stem = directoryStem(name)
        let hex = album.hex
        let digits = stride(from: 4, through: hex.utf8.count, by: 4).map { " (\(hex.prefix($0)))" }
        let notes = [""] + (2...9).map { " (\($0))" } + digits
        return notes.lazy.map { joined(stem, $0, "", unitCount: directoryUnitCountMax) }
    }

    /// Paths for a file that has to make way, to try in turn until one is free.
    package static func pathsBeside(_ path: FolderPath) -> some Sequence<FolderPath> {
        let name = String(decoding: path.name, as: UTF8.self)
        return (1...besideNumberMax).lazy.map { path.parent.appending(besideItself(name, number: $0).utf8) }
    }

    private static let besideNumberMax = 1000

    /// A name for a file that has to make way for the photo whose name it took: "a (changed).jpg", "a (changed 2).jpg".
    package static func besideItself(_ name: String, number: Int) -> String {
        let (stem, ending) = split(name)
        return joined(stem, number == 1 ? " (changed)" : " (changed \(number))", ending, unitCount: byteCountMax)
    }

    /// Equal for names that a person would call the same: case and the way accents are stored do not count.
    package static func folded(_ name: String) -> String {
        AlbumName.composed(name.uppercased().lowercased())
    }
}

extension DiskName {
    /// A safe stem, and the extension with its dot.
    private static func parts(_ name: String, _ type: MediaType) -> (stem: String, ending: String) {
        let clean = cleaned(name)
        let (stem, ending) = split(clean)
        let own = ending.dropFirst().lowercased()
        if type.fileExtensions.contains(own) { return (guarded(stem, ending), ending) }
        // "IMG_1.JPG" that is HEIC becomes "IMG_1.heic"; "Trip v1.2" keeps its ".2", and "a.jpg.lnk" becomes "a.jpg.lnk.jpg".
        let isMediaEnding = MediaType.known.contains { $0.fileExtensions.contains(own) }
        let fixed = "." + type.fileExtensions[0]
        return (guarded(isMediaEnding ? stem : clean, fixed), fixed)
    }

    private static func guarded(_ stem: String, _ ending: String) -> String {
        if stem.isEmpty { return "Photo" }
        let isJunk = JunkRules.reason(fileName: Array((stem + ending).utf8)) != nil
        return isJunk || isReserved(stem) ? "_" + stem : stem
    }

    private static func directoryStem(_ name: String) -> String {
        let clean = cleaned(name)
        if clean.isEmpty { return "Album" }
        let isJunk = JunkRules.reason(directoryName: Array(clean.utf8)) != nil
        let isSpecial = isJunk || isReserved(clean) || windowsFiles.contains(clean.lowercased())
        return isSpecial ? "_" + clean : clean
    }

    /// "a.b.jpg" → "a.b", ".jpg"; a name without an extension has an empty one.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ending = name[dot...]
        guard ending.utf8.count <= 16, ending.utf8.count > 1 else { return (name, "") }
        return (String(name[..<dot]), String(ending))
    }

    private static func joined(_ stem: String, _ note: String, _ ending: String, unitCount: Int) -> String {
        let rest = note + ending
        return shortened(
            stem, byteCount: byteCountMax - rest.utf8.count, unitCount: unitCount - rest.utf16.count) + rest
    }

    /// Composed, without what nobody sees and without dots and white space at its ends; `_` stands for what some system
    /// allows in no name.
    private static func cleaned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in AlbumName.composed(name).unicodeScalars {
            // "Photos.{2559a1f2-…}" is a directory that Windows shows as something else.
            let isShellName = scalar == "{" && scalars.last == "."
            if isUnfit(scalar) || isShellName {
                scalars.append("_")
            } else if !scalar.isInvisible || scalar.isPartOfSpelling {
                scalars.append(scalar)
            }
        }
        // Once more: two characters may have come together.
        var rest = Substring(AlbumName.composed(String(scalars)))
        while let first = rest.unicodeScalars.first, isLoose(first) { rest.unicodeScalars.removeFirst() }
        while let last = rest.unicodeScalars.last, isLoose(last) { rest.unicodeScalars.removeLast() }
        return String(rest)
    }

    /// Windows drops dots and spaces at the end, Linux hides what begins with a dot; a joiner joins nothing there.
    private static func isLoose(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "." || scalar == "\u{200C}" || scalar == "\u{200D}" || scalar.properties.isWhitespace
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        if #"<>:"/\|?*"#.unicodeScalars.contains(scalar) || scalar == "\u{FFFD}" { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    /// Cut between characters.
    private static func shortened(_ text: String, byteCount: Int, unitCount: Int) -> String {
        if text.utf8.count <= byteCount, text.utf16.count <= unitCount { return text }
        var rest = Substring()
        var (bytes, units) = (0, 0)
        for character in text {
            bytes += character.utf8.count
            units += character.utf16.count
            if bytes > byteCount || units > unitCount { break }
            rest.append(character)
        }
        while let last = rest.unicodeScalars.last, isLoose(last) { rest.unicodeScalars.removeLast() }
        // One "character" of many accents can be longer than a name may be.
        return rest.isEmpty ? "_" : String(rest)
    }

    /// Windows takes a device's name for the device, whatever follows behind a dot or a space.
    private static func isReserved(_ name: String) -> Bool {
        let base = String(name.unicodeScalars.prefix { $0 != "." })
        return reserved.contains(AlbumName.trimmed(base).uppercased())
    }

    private static let reserved: Set<String> = {
        var names: Set<String> = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"]
        for digit in "0123456789¹²³" {
            names.insert("COM\(digit)")
            names.insert("LPT\(digit)")
        }
        return names
    }()

    /// Files that Windows obeys where it finds them; none of them is an album.
    private static let windowsFiles: Set<String> = ["autorun.inf", "desktop.ini", "ehthumbs.db", "thumbs.db"]
}
