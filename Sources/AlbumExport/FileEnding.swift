/// The ends of file names, by which other systems tell what a file is.
enum FileEnding {
    /// Longer ones are no endings.
    private static let byteCountMax = 10

    /// The ending for a file, with its dot and in lower case: its name's own where that fits its type, else the type's.
    /// Empty where neither says anything.
    static func of(_ name: String, mediaType: String) -> String {
        let own = own(name)
        guard let endings = endings[mediaType] else { return own.map { ".\($0)" } ?? "" }
        return "." + (own.flatMap { endings.contains($0) ? $0 : nil } ?? endings[0])
    }

    /// For what a ``PictureMaker`` made.
    static func ofPicture(mediaType: String) -> String { of("", mediaType: mediaType) }

    /// The name without what is an ending, or would be the ending of a photo.
    static func stem(_ name: String) -> String {
        guard own(name) != nil, let dot = name.lastIndex(of: ".") else { return name }
        return String(name[..<dot])
    }

    /// Such as `jpg`; letters and digits of ASCII only, so "Trip to St. Pölten" has none.
    private static func own(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        let ending = name[name.index(after: dot)...].lowercased()
        let isPlain = ending.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
        }
        return (1...byteCountMax).contains(ending.utf8.count) && isPlain ? ending : nil
    }

    /// The endings of what albums have; the first is given to a file that has none of them. A RAW file may be known as
    /// the TIFF that it is built like, and keeps its name.
    private static let endings: [String: [String]] = [
        "image/jpeg": ["jpg", "jpeg", "jpe", "jfif", "mpo", "insp"],
        "image/png": ["png", "apng"],
        "image/gif": ["gif"],
        "image/webp": ["webp"],
        "image/bmp": ["bmp", "dib"],
        "image/heic": ["heic", "heif", "hif"],
        "image/heif": ["heif", "heic", "hif"],
        "image/avif": ["avif"],
        "image/jxl": ["jxl"],
        "image/x-adobe-dng": ["dng"],
        "image/x-nikon-nef": ["nef", "nrw"],
        "image/x-canon-cr2": ["cr2"],
        "image/x-canon-cr3": ["cr3"],
        "image/x-sony-arw": ["arw", "sr2", "srf"],
        "image/x-pentax-pef": ["pef"],
        "image/x-samsung-srw": ["srw"],
        "image/x-fuji-raf": ["raf"],
        "image/x-olympus-orf": ["orf"],
        "image/x-panasonic-rw2": ["rw2", "raw", "rwl"],
        "image/x-sigma-x3f": ["x3f"],
        "image/tiff": [
            "tif", "tiff", "dng", "nef", "nrw", "cr2", "arw", "sr2", "srf", "pef", "srw", "3fr", "fff", "iiq", "erf",
            "mef", "mos", "kdc", "dcr", "rwl", "gpr",
        ],
        "video/mp4": ["mp4", "m4v", "mpg4", "insv", "lrv"],
        "video/quicktime": ["mov", "qt"],
        "video/x-m4v": ["m4v", "mp4"],
        "video/3gpp": ["3gp", "3g2", "3gpp"],
        "video/x-msvideo": ["avi"],
        "video/x-matroska": ["mkv"],
        "video/webm": ["webm"],
        "video/mp2t": ["mts", "m2ts", "ts", "m2t"],
        "video/mpeg": ["mpg", "mpeg", "vob", "mod"],
        "video/x-ms-wmv": ["wmv", "asf"],
        "application/rdf+xml": ["xmp"],
        "application/x-apple-adjustments": ["aae"],
    ]
}
