import AlbumModel
import FolderEngine

/// What must be true: at each loss and each add, and once everything rests.
extension FolderSimulation {
    /// Nothing is withdrawn whose file is where it was, or elsewhere in its album.
    mutating func checkLosses(_ steps: [Judgement.Step]) {
        for step in steps {
            let lost = step.lost
            if case .forget = step { continue }
            if ledger.holds(lost.record.photo.blob, at: lost.path, since: verifiedStep) {
                violated("\(lost.path) is there, and was taken for gone: \(step)")
            }
            // Where nobody is told of what is put somewhere, a scan tells of it, later.
            guard case .remove = step, !temper.contains(.lostEvents), !judge.pending.confirmed.contains(lost.path)
            else { continue }
            if let path = ledger.path(of: lost.record.photo.blob, inAlbumOf: lost.path, since: verifiedStep) {
                violated("\(lost.path) was moved to \(path), and was taken for removed")
            }
        }
    }

    /// No person is asked about what did not happen.
    mutating func checkHold(_ group: HeldGroup?) {
        guard group != nil else { return }
        for path in judge.pending.heldPaths.sorted() {
            if let record = state.files[path], ledger.holds(record.photo.blob, at: path, since: verifiedStep) {
                violated("\(path) is there, and a person is asked about it")
            }
        }
    }

    /// Nothing is added that no person put there.
    mutating func checkAdd(_ photo: PhotoKey) {
        if !ledger.made.contains(photo) {
            violated("photo \(BigEndian.word(photo.blob.bytes.prefix(8))) was added, and no person put it there")
        }
    }

    /// Every album has the photos that its directory holds, and folder state every file.
    mutating func checkEnd() {
        if let held = judge.pending.held { return violated("something waits for a person still: \(held.sentence)") }
        let files = disk.truth.filter { !Self.isText($0.value.content) }
        var wanted: Set<PhotoKey> = []
        for (path, file) in files.sorted(by: { $0.key < $1.key }) {
            let photo = SimulatedGathering.key(path, file.content)
            guard let record = state.files[path], record.photo == photo else {
                return violated("\(path) holds photo \(file.content), and folder state does not")
            }
            // What an album lost earlier and a scan finds again is listed, and not added by itself.
            if record.origin == .removed, gathering.standing(photo.blob, in: path.albumDirectory) == .removed {
                continue
            }
            wanted.insert(photo)
        }
        if let path = state.files.keys.filter({ files[$0] == nil }).min() {
            return violated("folder state has \(path), which is not there")
        }
        let difference = wanted.symmetricDifference(gathering.visible)
        if let photo = difference.min(by: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            let content = BigEndian.word(photo.blob.bytes.prefix(8))
            violated(wanted.contains(photo) ? "photo \(content) is not in its album" : "photo \(content) has no file")
        }
    }

    /// Photos that are only renamed, moved or edited keep what was said of them.
    mutating func checkContinuity() {
        for number in 0..<3 where violation == nil {
            let singles = Dictionary(grouping: disk.truth) { $0.value.content }.values.filter { $0.count == 1 }
            let paths = singles.map { $0[0].key }.sorted().filter { path in
                gathering.own.contains(SimulatedGathering.key(path, disk.truth[path]!.content))
            }
            guard let path = paths.randomElement(using: &random) else { return }
            let before = SimulatedGathering.key(path, disk.truth[path]!.content)
            gathering.captions[before] = "caption \(number)"
            let target = number == 0 ? FolderPath("New/\(number).jpg") : path
            if number == 0 { move(path, to: target) } else { edit(path, inPlace: number == 1) }
            comeToRest()
            let after = SimulatedGathering.key(target, disk.truth[target]!.content)
            if gathering.captions[after] != "caption \(number)", !Self.isText(disk.truth[target]!.content) {
                violated("the photo of \(path) lost its caption on its way to \(target)")
            }
        }
    }
}
