import Foundation
import TestSupport
import Testing

extension Lab {
    /// Waits until these laptops list every photo alike, with its small picture, and know it to be on all of them.
    ///
    /// - Parameter limit: for all but the reading of photos.
    func agree(_ laptops: [Laptop], within limit: Duration) async throws {
        try await eventually("all photos are read", within: Self.readingPatience) { try await haveRead(laptops) }
        try await eventually("all laptops list the same", within: limit) { () -> Attempt<Void> in
            var first: Set<Listing.Photo> = []
            for laptop in laptops {
                let pending = try await laptop.photosWithoutPicture().count
                guard pending == 0 else { return .notYet("laptop \(laptop.number) has no small picture of \(pending)") }
                let photos = try await laptop.everyPhoto()
                let few = photos.count { $0.copies < laptops.count }
                guard few == 0 else { return .notYet("laptop \(laptop.number) knows too few copies of \(few)") }
                // Who the others are is seen differently by each, and some may know of copies elsewhere; directories below an
                // album's are each laptop's own.
                let shared = Set(
                    photos.map { photo in
                        var photo = photo
                        photo.where = []
                        photo.copies = 0
                        photo.file = photo.file.map { ($0 as NSString).lastPathComponent }
                        return photo
                    })
                if laptop.number == laptops[0].number { first = shared }
                let others = first.symmetricDifference(shared)
                guard others.isEmpty else {
                    return .notYet("laptop \(laptop.number) lists others: \(others.sorted { $0.id < $1.id }.prefix(4))")
                }
            }
            return .done(())
        }
    }
}

extension Laptop {
    func everyPhoto() async throws -> [Listing.Photo] {
        var photos: [Listing.Photo] = []
        for album in try await albums() { photos += try await self.photos(album.id) }
        return photos
    }

    func photosWithoutPicture() async throws -> [Listing.Photo] {
        let blobs = try await blobs()
        return try await everyPhoto().filter { $0.thumbnail.map(blobs.contains) != true }
    }

    /// The blobs in the store.
    func blobs() async throws -> Set<String> {
        Set(try await entries(of: "\(home)/blobs").filter { $0.contains("/") }.map { $0.filter { $0 != "/" } })
    }

    /// What was dropped here is this laptop's, and nobody else's.
    func expectContributor(of dropped: [String: [String]]) async throws {
        let name = try await status().device.name
        for (album, files) in dropped {
            let contributors = Dictionary(
                try await photos(album).map { ($0.name, $0.contributors) }, uniquingKeysWith: +)
            for file in files.map({ ($0 as NSString).lastPathComponent }) {
                #expect(contributors[file] == [name], "\(file)")
            }
        }
    }

    /// Folder and home hold what the albums name, of the right bytes, and nothing else; nobody lost, hid or held anything,
    /// and there is nothing to say.
    func expectTidy(_ everything: [String: [String]]) async throws {
        // On a busy machine Avahi may need a while to answer, and other programs may watch files.
        try await eventually("laptop \(number) has nothing to say", within: .seconds(60)) {
            let status = try await status()
            let problems = status.problems.filter { !$0.contains("fs.inotify.max_user") }
            let isQuiet = problems.isEmpty && status.held == nil && status.skipped?.isEmpty == true
            return .when(
                isQuiet, "\(status.problems) \(status.held?.reason ?? "") \(status.skipped?.map(\.path) ?? [])")
        }
        #expect(try await read(Listing.Trash.self, "trash").trash.map(\.name) == [], "laptop \(number)")
        #expect(try await read(Listing.Hidden.self, "hidden").hidden.map(\.name) == [], "laptop \(number)")

        let files = everything.flatMap { album, files in files.map { "\(album)/\(($0 as NSString).lastPathComponent)" }
        }
        try await expectOnly(Set(files + everything.keys + [".potluck-folder"]), in: "the folder") {
            try await entries(of: folder)
        }
        try await expectTidyHome()
    }

    private static let homeEntries: Set<String> = [
        "blobs", "cache", "control.sock", "index.sqlite", "index.sqlite-shm", "index.sqlite-wal", "journal.sqlite",
        "journal.sqlite-shm", "journal.sqlite-wal", "lock", "renditions", "staging", "uploads", "web", "Photos",
    ]

    /// The store holds the originals and small pictures of all photos, of the right bytes, and nothing is half done.
    func expectTidyHome() async throws {
        try await expectOnly([], in: "staging") { try await entries(of: "\(home)/staging") }
        let top = try await Set(shell("ls -A \(home)").split(separator: "\n").map(String.init))
        #expect(top.subtracting(Self.homeEntries) == [], "laptop \(number)")
        let photos = try await everyPhoto()
        let kept = Set(photos.map(\.id) + photos.compactMap(\.thumbnail))
        try await expectOnly(kept, in: "the store") { try await blobs() }
        for (path, hash) in try await hashes(kept.sorted().map(path(ofBlob:))) where self.path(ofBlob: hash) != path {
            Issue.record("laptop \(number): \(path) has the hash \(hash)")
        }
        let output = try await potluck("verify", "--json", within: .seconds(120))
        let verification = try JSONDecoder().decode(Listing.Verification.self, from: Data(output.bytes))
        #expect(output.status == 0 && verification.findings.map(\.message) == [], "laptop \(number): \(output.errors)")
        #expect(verification.unneeded.photos == 0 && verification.quarantine.files == 0, "laptop \(number)")
    }

    /// Waits until a place holds this and nothing else: what is placed or taken away has another name for a moment.
    private func expectOnly(
        _ wanted: Set<String>, in place: String, _ find: () async throws -> Set<String>
    ) async throws {
        try await eventually("\(place) of laptop \(number) is tidy") { () -> Attempt<Void> in
            let found = try await find()
            let more = found.subtracting(wanted).sorted().prefix(5)
            let fewer = wanted.subtracting(found).sorted().prefix(5)
            return .when(more.isEmpty && fewer.isEmpty, "too many \(more), too few \(fewer)")
        }
    }
}
