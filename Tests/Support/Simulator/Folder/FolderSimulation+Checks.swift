import AlbumModel
import FolderEngine

/// What must be true: at each loss and each add, and once everything rests.
extension FolderSimulation {
    /// Nothing is withdrawn whose file is where it was, or elsewhere in its album.
    mutating func checkLosses(_ steps: [Judgement.Step]) {
        // Of what came later nobody was told when the files that wait were looked at.
        let toldStep = min(verifiedStep, eventsWaitStep ?? .max)
        for step in steps {
            let lost = step.lost
            if case .forget = step { continue }
            if holds(lost.record.photo, at: lost.path) {
                violated("\(lost.path) is there, and was taken for gone: \(step)")
            }
            if takenAway[lost.path] == lost.record.photo, gathering.visible.contains(lost.record.photo) {
                violated("\(lost.path) was taken away by the agent, and was taken for removed by a person")
            }
            if powerLost[lost.path]?.photo == lost.record.photo {
                violated("\(lost.path) went in a power cut, and was taken for removed by a person")
            }
            // Where nobody is told of what is put somewhere, a scan tells of it, later.
            guard case .remove = step, !temper.contains(.lostEvents), !judge.pending.confirmed.contains(lost.path)
            else { continue }
            // Nor does anything but the next scan where the disk went and came back, and took the watches along.
            if let path = path(of: lost.record.photo, inAlbumOf: lost.path, since: toldStep, besides: untold) {
                violated("\(lost.path) was moved to \(path), and was taken for removed")
            }
        }
    }

    /// Whether a photo's file is where it was, since before the files that wait were looked at.
    private func holds(_ photo: PhotoKey, at path: FolderPath) -> Bool {
        ledger.photo(at: path, since: verifiedStep) == photo.blob
    }

    /// Where a photo is in an album's directory, since before a step.
    func path(
        of photo: PhotoKey, inAlbumOf path: FolderPath, since step: Int = .max, besides others: Set<FolderPath> = []
    ) -> FolderPath? {
        ledger.files.keys.filter {
            ledger.photo(at: $0, since: step) == photo.blob && !others.contains($0)
                && ($0.albumDirectory == path.albumDirectory || album($0.albumDirectory) == photo.album)
        }.min()
    }

    /// No person is asked about what did not happen.
    mutating func checkHold(_ group: HeldGroup?) {
        guard group != nil else { return }
        for path in judge.pending.heldLosses.paths.sorted() {
            if let record = judge.state.files[path], holds(record.photo, at: path) {
                violated("\(path) is there, and a person is asked about it")
            }
            if let record = judge.state.files[path], powerLost[path]?.photo == record.photo {
                violated("\(path) went in a power cut, and a person is asked about it")
            }
        }
    }

    /// Nothing is added that no person put there, whatever album the directory stands for by now.
    mutating func checkAdd(_ drop: Drop) {
        let directory = FolderPath(drop.directory)
        if !wasPut(drop.blob.id, where: { $0 == directory }) {
            violated("photo \(SimulatedGathering.content(drop.blob.id)) was added, and no person put it there")
        }
    }

    /// The same of where a photo went. A scan that finds a file of which only a lost journal knew who put it there takes it for
    /// that, so that the photo is in some album.
    mutating func checkMove(_ drop: Drop) {
        let isOnCard = FolderPath(drop.directory) == FolderDisk.card
        if drop.isLive || !isOnCard || !forgotten.contains(drop.blob.id) { checkAdd(drop) }
    }

    /// Whether a person ever put these bytes into such a first-level directory.
    func wasPut(_ blob: BlobID, where isFit: (FolderPath) -> Bool) -> Bool {
        ledger.everPut.contains { $0.value.contains(blob) && isFit($0.key.albumDirectory) }
    }

    /// Of every file, in the album of its directory; where albums that got other names share one, a record tells.
    var photos: [FolderPath: PhotoKey] {
        let photos = ledger.files.map { path, blob in
            let directory = path.albumDirectory
            let recorded = judge.state.files[path]?.photo
            if let recorded, recorded.blob == blob, judge.state.albums(in: directory).count > 1 {
                return (path, recorded)
            }
            return (path, PhotoKey(album: album(directory), blob: blob))
        }
        return Dictionary(uniqueKeysWithValues: photos)
    }

    /// Every album has the photos that its directory holds, and folder state every file.
    mutating func checkEnd() {
        if let held = judge.pending.held { return violated("something waits for a person still: \(held.sentence)") }
        let photos = photos
        let paths = Set(photos.keys).union(judge.state.files.keys)
        if let path = paths.filter({ photos[$0] != judge.state.files[$0]?.photo }).min() {
            let content = disk.truth[path].map { "photo \($0.content)" } ?? "nothing"
            return violated("\(path) holds \(content), and folder state says otherwise")
        }
        // What an album lost earlier and a scan finds again is listed, and not added by itself.
        let wanted = photos.filter { path, photo in
            judge.state.files[path]!.origin != .removed
                || gathering.standing(photo) != .removed
        }
        let difference = Set(wanted.values).symmetricDifference(gathering.visible)
        if let photo = difference.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            let content = SimulatedGathering.content(photo.blob)
            let what = wanted.values.contains(photo) ? "is not in its album" : "has no file"
            violated("photo \(content) \(what)")
        }
        checkNames()
        checkFileNames()
    }

    /// Photos that are only renamed, moved or edited keep what was said of them.
    mutating func checkContinuity() {
        for number in 0..<3 where violation == nil {
            let singles = Dictionary(grouping: disk.truth) { $0.value.content }.values.filter { $0.count == 1 }
            let paths = singles.map { $0[0].key }.sorted().filter { path in
                gathering.own.contains(key(path, disk.truth[path]!.content))
            }
            guard let path = paths.randomElement(using: &random) else { return }
            let before = key(path, disk.truth[path]!.content)
            gathering.captions[before] = "caption \(number)"
            let target = number == 0 ? FolderPath("New/\(number).jpg") : path
            if number == 0 { move(path, to: target) } else { edit(path, inPlace: number == 1) }
            comeToRest()
            let after = key(target, disk.truth[target]!.content)
            if gathering.captions[after] != "caption \(number)", !Self.isText(disk.truth[target]!.content) {
                violated("the photo of \(path) lost its caption on its way to \(target)")
            }
        }
    }
}
