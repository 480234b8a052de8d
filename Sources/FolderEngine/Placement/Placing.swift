package import AlbumModel

/// One photo on its way into its album's directory: the names that are tried, one after the other.
package struct Placing: Sendable {
    package enum Try: Hashable, Sendable {
        /// The path is reserved; the facts are to be committed before the file is placed.
        case place(FolderPath, intent: [FactChange])
        /// The photo has a file in its album by now, or had one that a person deleted.
        case unwanted
        /// The directory is just getting another name, or is another album's by now.
        case directoryUnfit
        /// No name is free.
        case exhausted
    }

    /// What came of a try.
    package enum Outcome: Hashable, Sendable {
        case placed(FileSignature)
        /// The photo's own bytes were there already, and are durable: a crash between an import and its record leaves them.
        /// They need no second file.
        case found(FileSignature)
        /// Something else has the name.
        case taken
        /// Whether the folder, or the directory's disk, is not there.
        case failed(isUnavailable: Bool)
    }

    /// The end of a try: of the path's reservation.
    package struct End: Hashable, Sendable {
        package let path: FolderPath
        package let photo: PhotoKey
        package let outcome: Outcome

        package init(_ path: FolderPath, _ photo: PhotoKey, _ outcome: Outcome) {
            (self.path, self.photo, self.outcome) = (path, photo, outcome)
        }
    }

    package let photo: PhotoKey
    package let directory: FolderPath
    private var names: DiskName.Candidates

    /// - Parameters:
    ///   - directory: One of ``FolderState/directories(for:named:beside:)``.
    ///   - name: As shared, a label.
    ///   - type: What the bytes are.
    ///   - deviceName: The contributor's.
    package init(_ photo: PhotoKey, in directory: FolderPath, name: String, type: MediaType, deviceName: String) {
        self.photo = photo
        self.directory = directory
        names = DiskName.candidates(
            name: name, type: type, deviceName: deviceName, blob: photo.blob, directory: directory.text)
    }

    /// Reserves the next name that nothing is known to have.
    package mutating func next(_ judge: inout FolderJudge) -> Try {
        while let name = names.next() {
            let path = directory.appending(name.utf8)
            switch judge.reserve(path, for: photo) {
            case .reserved(let intent): return .place(path, intent: intent)
            case .unwanted: return .unwanted
            case .directoryUnfit: return .directoryUnfit
            case .taken: continue
            }
        }
        return .exhausted
    }
}

extension FolderState {
    /// Whether a photo is to be placed: it has no file in its album, and had none that a person deleted.
    package func isWanted(_ photo: PhotoKey) -> Bool { paths(of: photo).isEmpty && gone[photo] == nil }

    /// Directories for an album that has no files yet, to try in turn until one is there or can be made: one of its name,
    /// whatever its case, else a new one; none in which other albums have their files.
    ///
    /// - Parameters:
    ///   - name: As listed.
    ///   - entries: Of the folder itself.
    package func directories(
        for album: AlbumID, named name: String, beside entries: [FolderWalk.Entry]
    ) -> some Sequence<FolderPath> {
        let names = Set(entries.map(\.name))
        var folded: [String: [UInt8]] = [:]
        for entry in entries where entry.kind == .directory {
            guard let text = String(validating: entry.name, as: UTF8.self) else { continue }
            let before = folded[DiskName.folded(text)]
            let isFirst = before.map { entry.name.lexicographicallyPrecedes($0) } ?? true
            if isFirst { folded[DiskName.folded(text)] = entry.name }
        }
        return DiskName.directoryCandidates(name, album: album).lazy.map { wanted in
            // An exact match goes before others.
            if names.contains(Array(wanted.utf8)) { return FolderPath(wanted) }
            return folded[DiskName.folded(wanted)].map { FolderPath(bytes: $0) } ?? FolderPath(wanted)
        }.filter { [self] path in !isForeign(path, to: album) }
    }
}
