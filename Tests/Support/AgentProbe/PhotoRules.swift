#if DEBUG
import AlbumModel
import FoundationEssentials
import PhotoStore
import PotluckAPI
import SharedFolder
import StoreProbe
import SyncEngine

@testable import PotluckAgent

/// What has become of a photo.
enum PhotoFate: String, Sendable {
    /// In its album.
    case live
    /// In its album, with a file in the folder.
    case shown
    /// In its album, and not to be seen on this laptop.
    case hidden
    /// No longer in its album.
    case removed
    /// No longer in its album nor the folder; its bytes are in the trash.
    case trashed
    /// Its bytes are gone, as somebody asked for.
    case deleted
}

/// What has to hold of photos, whenever an agent ends.
struct PhotoRules: Sendable {
    /// What each photo was before an operation, and what it is after it.
    typealias Course = (before: PhotoFate, after: PhotoFate)

    private let courses: [SamplePhoto: Course]
    /// In which the files are in the end.
    private let directory: String

    init(_ courses: [SamplePhoto: Course], directory: String) {
        (self.courses, self.directory) = (courses, directory)
    }

    private struct Facts {
        var isLive, isHidden, isHeld, isInTrash, hasFile: Bool

        init(_ photo: SamplePhoto, _ probe: Probe, _ catalog: Catalog, _ removedPhotos: RemovedPhotos) {
            isLive = catalog.photo(photo.key)?.isLive == true
            isHidden = removedPhotos.hidden[photo.key] != nil
            isInTrash = removedPhotos.trash[photo.key] != nil
            isHeld = HomeRules.holds(BlobStore.path(of: photo.blob, home: probe.home), photo.blob)
            hasFile = photo.paths(probe).contains { HomeRules.holds($0, photo.blob) }
        }

        func isAt(_ fate: PhotoFate) -> Bool {
            switch fate {
            case .live: isLive && isHeld
            case .shown: isLive && isHeld && !isHidden && !isInTrash && hasFile
            case .hidden: isLive && isHeld && isHidden && !hasFile
            case .removed: !isLive
            case .trashed: !isLive && isHeld && isInTrash && !hasFile
            case .deleted: !isLive && !isHeld
            }
        }
    }

    private func each(
        _ probe: Probe, _ journal: Journal, _ body: (SamplePhoto, Course, Facts) -> [String]
    ) throws -> [String] {
        let removedPhotos = try RemovedPhotos(journal)
        let catalog = try HomeRules.catalog(journal)
        return courses.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { photo, course in
            body(photo, course, Facts(photo, probe, catalog, removedPhotos)).map { "\(photo): \($0)" }
        }
    }

    /// At any moment.
    func breaches(_ probe: Probe, _ promises: [Acknowledgement]) throws -> [String] {
        try each(probe, Journal(home: probe.home)) { photo, course, facts in
            var breaches: [String] = []
            if !facts.isHeld, facts.isLive || course.after != .deleted { breaches.append("its bytes are lost") }
            if course.before == course.after, !facts.isAt(course.after) { breaches.append("it is not \(course.after)") }
            if course.before == .shown, !facts.hasFile, !facts.isHidden, facts.isLive {
                breaches.append("its file is gone, and it is to be seen")
            }
            if !facts.isLive, facts.isHeld, !facts.isInTrash, !facts.hasFile {
                breaches.append("it is neither in the folder nor in the trash")
            }
            let words = promises.compactMap { promise -> PhotoFate? in
                guard case .photo(photo.blob, let word) = promise else { return nil }
                return PhotoFate(rawValue: word)
            }
            // After this word it is on its way to the next.
            if let last = words.last, last != .trashed || course.after == .trashed, !facts.isAt(last) {
                breaches.append("it was said to be \(last)")
            }
            return breaches
        }
    }

    /// Once the operation has come to its end: `potluck verify` finds nothing, and nothing is under way.
    func breachesInTheEnd(_ probe: Probe) throws -> [String] {
        let journal = try Journal(home: probe.home)
        var breaches = try each(probe, journal) { _, course, facts in
            facts.isAt(course.after) && facts.isInTrash == (course.after == .trashed)
                ? [] : ["it is not \(course.after) in the end"]
        }
        for kind in ["folder.intent", "folder.leaving", "folder.renaming"]
        where try !journal.facts(FactKind(rawValue: kind)).isEmpty {
            breaches.append("a fact \(kind) is left")
        }
        let directory = "\(AgentSession.folder(of: probe))/\(directory)"
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        breaches += names.filter { $0.hasPrefix(BlobStore.placingPrefix) || $0.hasPrefix(".potluck-leaving-") }
            .map { "\($0) is left in the folder" }
        return try breaches + HomeRules.findings(home: probe.home)
    }
}

enum HomeRules {
    /// What `potluck verify` finds wrong in a home.
    static func findings(home: String) throws -> [String] {
        try waiting {
            try await OfflineVerify.run(home: home, VerifyOrder(repair: false, restart: true)) { _ in }
        }.findings.map(\.message)
    }

    static func catalog(_ journal: Journal) throws -> Catalog {
        var fold = JournalFold()
        try journal.forEachBatch { row in try fold.add(row.batch, id: row.id, received: row.received) }
        return fold.catalog
    }

    /// Photos of a home's albums, and those of them whose bytes are there and right.
    static func photos(home: String) throws -> (live: Set<BlobID>, held: Set<BlobID>) {
        let live = Set(try catalog(Journal(home: home)).albums.values.flatMap { $0.livePhotos.map(\.0) })
        return (live, live.filter { holds(BlobStore.path(of: $0, home: home), $0) })
    }

    /// Whether a file has the bytes of a blob.
    static func holds(_ path: String, _ blob: BlobID) -> Bool {
        FileManager.default.contents(atPath: path).map { Samples.blobID(Array($0)) == blob } ?? false
    }
}
#endif
