public import AlbumModel

/// Names on disk, made of names that came from people and peers.
///
/// A shared name is a label; what comes out of here is one path component that every file system we know can hold.
public enum DiskName {
    /// NAME_MAX of Linux's file systems.
    static let byteCountMax = 255
    /// A device's name is a note in brackets, not the name itself.
    static let deviceByteCountMax = 64

    /// The name for a photo of this type: one safe component with one of the type's extensions.
    public static func safe(_ name: String, mediaType: String) -> String {
        let (stem, ending) = parts(name, mediaType: mediaType)
        return joined(stem, "", ending)
    }

    /// The directory for an album.
    public static func safeDirectory(_ name: String) -> String {
        let clean = cleaned(name)
        let isJunk = JunkRules.reason(directoryName: Array(clean.utf8)) != nil
        return shortened(guarded(clean, isJunk: isJunk, fallback: "Album"), to: byteCountMax)
    }

    /// Names to try in turn until one is free: as shared, then with the contributor's device, then with ever more of
    /// the photo's hash.
    public static func candidates(
        name: String, mediaType: String, deviceName: String, blob: BlobID
    ) -> some Sequence<String> {
        let (stem, ending) = parts(name, mediaType: mediaType)
        let device = shortened(cleaned(deviceName), to: deviceByteCountMax)
        let hex = blob.hex
        var digitCount = -4
        return AnyIterator {
            defer { digitCount += 4 }
            switch digitCount {
            case -4: return joined(stem, "", ending)
            case 0: return joined(stem, device.isEmpty ? "" : " (\(device))", ending)
            case ...hex.utf8.count:
                let digits = hex.prefix(digitCount)
                return joined(stem, device.isEmpty ? " (\(digits))" : " (\(device) \(digits))", ending)
            default: return nil
            }
        }
    }

    /// A name for a file that has to make way for the photo whose name it took: "a (changed).jpg", "a (changed 2).jpg".
    static func besideItself(_ name: String, number: Int) -> String {
        let (stem, ending) = split(name)
        return joined(stem, number == 1 ? " (changed)" : " (changed \(number))", ending)
    }

    /// Equal for names that a person would call the same: case and the way accents are stored do not count.
    static func folded(_ name: String) -> String {
        AlbumName.composed(name.uppercased().lowercased())
    }
}

extension DiskName {
    /// A safe stem, and the extension with its dot.
    private static func parts(_ name: String, mediaType: String) -> (stem: String, ending: String) {
        let clean = cleaned(name)
        let (stem, ending) = split(clean)
        let wanted = MediaType.named(mediaType)?.fileExtensions ?? []
        if wanted.isEmpty || wanted.contains(ending.dropFirst().lowercased()) {
            return (guarded(stem, isJunk: isJunk(stem + ending), fallback: "Photo"), ending)
        }
        // "IMG_1.JPG" that is HEIC becomes "IMG_1.heic"; "Trip v1.2" keeps its ".2".
        let isMediaEnding = MediaType.known.contains { $0.fileExtensions.contains(ending.dropFirst().lowercased()) }
        let fixed = "." + wanted[0]
        let kept = isMediaEnding ? stem : clean
        return (guarded(kept, isJunk: isJunk(kept + fixed), fallback: "Photo"), fixed)
    }

    /// "a.b.jpg" → "a.b", ".jpg"; a name without an extension has an empty one.
    private static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, "") }
        let ending = name[dot...]
        guard ending.utf8.count <= 16, ending.utf8.count > 1 else { return (name, "") }
        return (String(name[..<dot]), String(ending))
    }

    private static func joined(_ stem: String, _ note: String, _ ending: String) -> String {
        shortened(stem, to: byteCountMax - note.utf8.count - ending.utf8.count) + note + ending
    }

    /// Composed, without separators, control characters, leading dots, trailing dots and outer spaces.
    private static func cleaned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in AlbumName.composed(name).unicodeScalars {
            scalars.append(isUnfit(scalar) ? "_" : scalar)
        }
        var rest = Substring(String(scalars))
        while let first = rest.unicodeScalars.first, first == "." || first.properties.isWhitespace {
            rest.unicodeScalars.removeFirst()
        }
        while let last = rest.unicodeScalars.last, last == "." || last.properties.isWhitespace {
            rest.unicodeScalars.removeLast()
        }
        return String(rest)
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" || scalar == "\\" || scalar == "\u{FFFD}" { return true }
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        // Direction marks let a name pretend to end otherwise than it does. Joiners (U+200D) stay: emoji need them.
        case .format: return scalar.properties.isBidiControl || scalar == "\u{FEFF}"
        default: return false
        }
    }

    /// Not empty, not reserved on any system, and not a name that our own rules would skip.
    private static func guarded(_ stem: String, isJunk: Bool, fallback: String) -> String {
        if stem.isEmpty { return fallback }
        let isReserved = reserved.contains(stem.prefix { $0 != "." }.uppercased())
        return isReserved || isJunk ? "_" + stem : stem
    }

    private static func isJunk(_ fileName: String) -> Bool {
        JunkRules.reason(fileName: Array(fileName.utf8)) != nil
    }

    /// At most `byteCount` bytes of UTF-8, cut between characters.
    private static func shortened(_ text: String, to byteCount: Int) -> String {
        if text.utf8.count <= byteCount { return text }
        var rest = ""
        var used = 0
        for character in text {
            used += character.utf8.count
            if used > byteCount { break }
            rest.append(character)
        }
        while let last = rest.last, last == "." || last == " " { rest.removeLast() }
        // One "character" of many accents can be longer than a name may be.
        return rest.isEmpty ? "_" : rest
    }

    /// Windows' device names: a folder on a USB stick may meet them.
    private static let reserved: Set<String> = {
        var names: Set<String> = ["CON", "PRN", "AUX", "NUL"]
        for number in 1...9 {
            names.insert("COM\(number)")
            names.insert("LPT\(number)")
        }
        return names
    }()
}
