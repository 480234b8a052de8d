package import AlbumModel

/// What the disk shows otherwise than folder state, until it is judged.
///
/// Folder state keeps the records meanwhile, so a restart finds the same differences again. One entry for each path that
/// differs: the files on disk and in folder state bound it.
package struct PendingChanges: Sendable {
    /// A photo at a path that held another one, or that may be where a vanished file went.
    package struct Found: Hashable, Sendable {
        package var id: BlobID
        /// `nil` where the bytes were compared only; taken into the store when an edit needs them.
        package var blob: IngestedBlob?
        package var mediaType: String
        package var signature: FileSignature
        package var isShort: Bool
        package var isLive: Bool

        package init(
            id: BlobID, blob: IngestedBlob?, mediaType: String, signature: FileSignature, isShort: Bool, isLive: Bool
        ) {
            self.id = id
            self.blob = blob
            self.mediaType = mediaType
            self.signature = signature
            self.isShort = isShort
            self.isLive = isLive
        }
    }

    package enum Now: Hashable, Sendable {
        case absent
        /// Something that is no photo.
        case other(FileSignature)
        case photo(Found)

        package var found: Found? {
            if case .photo(let found) = self { found } else { nil }
        }

        package var signature: FileSignature? {
            switch self {
            case .absent: nil
            case .other(let signature): signature
            case .photo(let found): found.signature
            }
        }
    }

    package private(set) var paths: [FolderPath: Now] = [:]
    /// The paths of which an event told, while somebody watched, what became of them.
    package private(set) var explained: Set<FolderPath> = []
    /// Files that were made anew with the bytes that they had, and when that was seen.
    private var renewed: [FolderPath: MonotonicInstant] = [:]
    /// The brake is on: what is lost waits for a person. Its group, as the host was told.
    package var held: HeldGroup?
    /// The losses of the held group; those of a group that a restart brought are not known before it is judged.
    package var heldLosses = HeldLosses()
    /// The paths of which a person said that their loss is meant.
    package var confirmed: Set<FolderPath> = []
    var questions = HeldQuestions()

    package init(heldID: UInt64?) {
        held = heldID.map {
            HeldGroup(
                id: $0, version: 0, reason: .manyVanished, vanished: 0, rewritten: 0, of: 0, paths: [], sentence: "")
        }
    }

    /// Whether that is news.
    package mutating func insert(_ path: FolderPath, _ now: Now, isExplained: Bool) -> Bool {
        let isNews = paths[path]?.signature != now.signature || paths[path] == nil
        let isNowTold = now.found?.isLive == true && paths[path]?.found?.isLive == false
        paths[path] = now
        if isNews {
            confirmed.remove(path)
            explained.remove(path)
        }
        return isExplained && explained.insert(path).inserted || isNews || isNowTold
    }

    /// What waits at these.
    func waiting(at paths: some Sequence<FolderPath>) -> [FolderPath: Now] {
        paths.reduce(into: [:]) { waiting, path in waiting[path] = self.paths[path] }
    }

    /// Whether it was there.
    @discardableResult
    package mutating func remove(_ path: FolderPath) -> Bool {
        confirmed.remove(path)
        explained.remove(path)
        return paths.removeValue(forKey: path) != nil
    }

    /// Takes out what was judged, unless it changed meanwhile.
    package mutating func remove(judged: [FolderPath: Now]) {
        for (path, now) in judged where paths[path] == now { remove(path) }
    }

    /// Whether a path was found like this before and waits. An event tells more than the scan that found the file first.
    package func isWaiting(_ path: FolderPath, _ signature: FileSignature, isLive: Bool) -> Bool {
        guard let now = paths[path], now.signature == signature else { return false }
        return !isLive || now.found?.isLive != false
    }

    package mutating func renew(_ path: FolderPath, now: MonotonicInstant) {
        renewed[path] = now
    }

    /// Nothing in the directory waits to be judged.
    mutating func follow(_ renaming: FolderRenaming) {
        for (former, target, time) in renaming.moved(renewed) {
            renewed[former] = nil
            renewed[target] = time
        }
    }

    /// The files that were made anew since then; others are forgotten.
    package mutating func renewed(since time: MonotonicInstant) -> Set<FolderPath> {
        renewed = renewed.filter { $0.value >= time }
        return Set(renewed.keys)
    }
}

// MARK: Confirming

extension PendingChanges {
    /// A person says that what they saw in this version of the held group is meant. What joined it since, or is not as it was
    /// then, goes on waiting. False where nothing of what they saw waits any more.
    mutating func confirm(_ version: UInt64) -> Bool {
        let seen = heldLosses.seen(in: version).filter { path, photo in
            paths[path].map { $0.found?.id == photo } ?? false
        }
        confirmed.formUnion(seen.keys)
        return !seen.isEmpty
    }
}

// MARK: Verifying

extension PendingChanges {
    /// What a further look at a path showed that waits.
    package enum Sight: Hashable, Sendable {
        /// Its signature, where one was asked for.
        case present(FileSignature?)
        case absent
        /// It cannot be looked at: nothing follows from it.
        case unknown

        /// Where no signature is asked for.
        package init(_ presence: FilePresence) {
            self =
                switch presence {
                case .present: .present(nil)
                case .absent: .absent
                case .unknown: .unknown
                }
        }
    }

    /// What became of the changes that waited.
    package struct Verified: Hashable, Sendable {
        /// Still as they were found.
        package fileprivate(set) var same: [FolderPath: Now] = [:]
        /// Something else is there by now: they are to be looked at once more.
        package fileprivate(set) var stale: [FolderPath: Now] = [:]
        /// Photos that were found somewhere of which nobody knows for the moment what is there.
        package fileprivate(set) var uncertain: [FolderPath: BlobID] = [:]
    }

    /// Goes on waiting for what is still as it was, and for a photo that was found where nobody can look now. What changed is
    /// forgotten, and so is everything else that nobody can look at: it is found once more when somebody can.
    package mutating func verify(_ waiting: [FolderPath: Now], _ sights: [FolderPath: Sight]) -> Verified {
        var verified = Verified()
        for (path, now) in waiting {
            switch (sights[path] ?? .unknown, now.signature) {
            case (.unknown, _): if now.found == nil { remove(path) }
            case (.absent, nil): verified.same[path] = now
            case (.present(let seen?), let signature?) where seen == signature: verified.same[path] = now
            case (.absent, _), (.present, _): verified.stale[path] = now
            }
        }
        remove(judged: verified.stale)
        verified.uncertain = waiting.filter { verified.same[$0.key] == nil }.compactMapValues { $0.found?.id }
        return verified
    }
}
