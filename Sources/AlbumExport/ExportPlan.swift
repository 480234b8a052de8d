import AlbumModel

/// What becomes of a file of the album on its way into an export.
enum Treatment: String, Hashable, Sendable {
    case original
    /// The same bytes less what says where it was taken.
    case placeless
    /// A picture of at most ``ExportOptions/largeSide`` pixels.
    case large
    /// For the gallery: what walls of pictures show.
    case small
    /// For the gallery: what is shown in place of an original that browsers do not show.
    case view
    /// For the gallery, and lists: text of our own.
    case text

    /// Whether it is one of the photos; the rest is made for them, and can be made again.
    var isPhoto: Bool { self == .original || self == .placeless || self == .large }

    /// Whether a ``PictureMaker`` decides what type of file it is.
    var isPicture: Bool { self == .large || self == .small || self == .view }
}

/// A file of the export before it is made.
struct PlannedFile: Hashable, Sendable {
    var source: ExportFile
    var treatment: Treatment
    /// The name without its ending, which for a picture yet to be made is known once it is.
    var stem: String
    /// With its dot.
    var ending: String
    /// `nil` where nobody knows when it was taken.
    var time: FileTime?

    var name: String { stem + ending }
    var key: FileKey { FileKey(source: source.id.hex, treatment: treatment) }
}

/// A moment of the album and the files that it becomes.
struct PlannedMoment: Hashable, Sendable {
    var entry: ExportEntry
    var time: FileTime?
    var lead: PlannedFile
    var companions: [PlannedFile]
}

/// Which files an export has and how they are called: from the entries alone, the same every time.
struct ExportPlan: Sendable {
    private(set) var moments: [PlannedMoment] = []
    /// Folded stems of leads, and folded names of all files: no two may be one on any file system.
    private var stems: Set<String> = []
    private var names: Set<String> = []

    var files: [PlannedFile] { moments.flatMap { [$0.lead] + $0.companions } }

    init(_ entries: [ExportEntry], _ options: ExportOptions) {
        for entry in Self.distinct(entries).sorted(by: Self.precedes) {
            if options.size == .large, entry.kind == .sidecar { continue }
            addLead(entry, options)
        }
        // After all leads, so that a companion never takes a lead's name.
        for index in moments.indices { addCompanions(index, options) }
    }

    /// Each file once: what is a companion is no entry of its own.
    private static func distinct(_ entries: [ExportEntry]) -> [ExportEntry] {
        var seen = Set(entries.flatMap { $0.companions.map(\.file.id) })
        return entries.filter { seen.insert($0.lead.id).inserted }
    }

    /// By time; what has none comes last.
    private static func precedes(_ left: ExportEntry, _ right: ExportEntry) -> Bool {
        switch (left.plausibleReading, right.plausibleReading) {
        case (let first?, let second?) where first != second: first < second
        case (.some, nil): true
        case (nil, .some): false
        default: (left.lead.name, left.lead.id) < (right.lead.name, right.lead.id)
        }
    }

    private mutating func addLead(_ entry: ExportEntry, _ options: ExportOptions) {
        let time = entry.plausibleReading.map { FileTime($0) }
        let plain = ExportName.stem(time: time, person: entry.person, name: entry.lead.name)
        let stem = Self.candidates(plain, entry.lead.id).first { !stems.contains(ExportName.folded($0)) } ?? plain
        let treatment = Self.treatment(entry.lead, entry.kind, options)
        let lead = PlannedFile(
            source: entry.lead, treatment: treatment, stem: stem,
            ending: FileEnding.of(
                entry.lead.name, mediaType: treatment == .large ? "image/jpeg" : entry.lead.mediaType),
            time: time)
        stems.insert(ExportName.folded(stem))
        names.insert(ExportName.folded(lead.name))
        moments.append(PlannedMoment(entry: entry, time: time, lead: lead, companions: []))
    }

    private mutating func addCompanions(_ index: Int, _ options: ExportOptions) {
        let (entry, lead) = (moments[index].entry, moments[index].lead)
        var seen: Set<BlobID> = []
        for companion in entry.companions where seen.insert(companion.file.id).inserted {
            if options.size == .large, companion.role != .video { continue }
            let ending = Self.ending(companion.file, besides: entry.lead, lead)
            var file = PlannedFile(
                source: companion.file, treatment: options.stripsPlace ? .placeless : .original, stem: lead.stem,
                ending: ending, time: lead.time)
            file.stem =
                Self.candidates(lead.stem, companion.file.id).first { stem in
                    !names.contains(ExportName.folded(stem + ending))
                } ?? lead.stem
            names.insert(ExportName.folded(file.name))
            moments[index].companions.append(file)
        }
    }

    private static func treatment(_ file: ExportFile, _ kind: ExportEntry.Kind, _ options: ExportOptions) -> Treatment {
        if options.size == .large, kind != .video, !file.mediaType.hasPrefix("video/") { return .large }
        return options.stripsPlace ? .placeless : .original
    }

    /// `.xmp`; `.jpg.xmp` where the sidecar of `IMG_1.jpg` was called `IMG_1.jpg.xmp`.
    private static func ending(_ file: ExportFile, besides lead: ExportFile, _ planned: PlannedFile) -> String {
        let ending = FileEnding.of(file.name, mediaType: file.mediaType)
        let isOfWholeName = ExportName.folded(FileEnding.stem(file.name)) == ExportName.folded(lead.name)
        return isOfWholeName && planned.treatment != .large ? planned.ending + ending : ending
    }

    /// The plain stem, then with ever more of the hash, which ends up as a name that nobody else has.
    private static func candidates(_ stem: String, _ id: BlobID) -> some Sequence<String> {
        let hex = id.hex
        return (0...hex.utf8.count / 4).lazy.map { $0 == 0 ? stem : "\(stem) (\(hex.prefix(4 * $0)))" }
    }
}

extension ExportEntry {
    /// When it was taken, unless that is a time that no calendar of four digits has: clocks are peers' words.
    var plausibleReading: Reading? {
        // 0001-01-02 to 9999-12-30: a day less, for the offset.
        let range: ClosedRange<Int64> = -62_135_510_400_000...253_402_214_400_000
        return taken.flatMap { reading in
            range.contains(reading.localMilliseconds) && (reading.offsetMinutes ?? 0).magnitude < 1440 ? reading : nil
        }
    }
}
