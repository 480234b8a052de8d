/// Finds photos that belong together. Nothing of it is replicated: the same photos give the same moments everywhere.
public enum Moments {
    /// - Parameter parts: live photos of one album, each once, in any order: all of it, or at least every photo whose
    ///   content identifier or family of names, by the same contributor, one of the others has.
    /// - Returns: one moment for each photo that belongs to no other, ordered by lead.
    public static func find(_ parts: [MomentPart]) -> [Moment] {
        let parts = parts.sorted(by: precedes)
        var finder = Finder()
        finder.findLivePhotos(parts)
        finder.findRaws(parts)
        finder.findSidecars(parts)
        var companions: [BlobID: [Moment.Companion]] = [:]
        for part in parts {
            guard let role = finder.owners[part.blob]?.role else { continue }
            companions[finder.lead(of: part.blob), default: []].append(.init(blob: part.blob, role: role))
        }
        return parts.map(\.blob).filter { finder.owners[$0] == nil }.sorted()
            .map { Moment(lead: $0, companions: companions[$0] ?? []) }
    }

    /// Which of several comes first is the same everywhere.
    private static func precedes(_ left: MomentPart, _ right: MomentPart) -> Bool {
        if left.name.full.utf8.elementsEqual(right.name.full.utf8) { return left.blob < right.blob }
        return left.name.full.utf8.lexicographicallyPrecedes(right.name.full.utf8)
    }
}

/// Which photo belongs to which other.
private struct Finder {
    struct Owner {
        var blob: BlobID
        var role: Moment.Role
    }

    /// What was taken by one person and has one text in common.
    private struct Shared: Hashable {
        var contributor: Person
        var text: String
    }

    private struct Shot: Hashable {
        var contributor: Person
        var stem: String
        var takenMilliseconds: Int64
        var model: String
    }

    private(set) var owners: [BlobID: Owner] = [:]

    /// A raw file may lead a video and belong to a picture, and a sidecar may belong to any of them: three steps.
    func lead(of blob: BlobID) -> BlobID {
        var lead = blob
        while let owner = owners[lead] { lead = owner.blob }
        return lead
    }

    /// One still and one video of one content identifier; of several, those of one name.
    mutating func findLivePhotos(_ parts: [MomentPart]) {
        let marked = parts.filter { !$0.contentIdentifier.isEmpty }
        let groups = Dictionary(grouping: marked) {
            Shared(contributor: $0.contributor, text: $0.contentIdentifier)
        }
        for group in groups.values {
            guard !pair(group) else { continue }
            for namesakes in Dictionary(grouping: group, by: \.name.stem).values { _ = pair(namesakes) }
        }
    }

    private mutating func pair(_ group: [MomentPart]) -> Bool {
        let videos = group.filter { $0.kind == .video }
        let pictures = group.filter(\.isStill)
        // A raw file is the still only where the camera kept nothing else.
        let stills = pictures.isEmpty ? group.filter { $0.kind == .raw } : pictures
        guard videos.count == 1, stills.count == 1 else { return false }
        owners[videos[0].blob] = Owner(blob: stills[0].blob, role: .video)
        return true
    }

    /// Raw files and the picture of the same name, time and camera.
    mutating func findRaws(_ parts: [MomentPart]) {
        var shots: [Shot: [MomentPart]] = [:]
        for part in parts where part.kind == .raw || part.isStill {
            guard let taken = part.takenMilliseconds else { continue }
            let shot = Shot(
                contributor: part.contributor, stem: part.name.stem, takenMilliseconds: taken, model: part.model)
            shots[shot, default: []].append(part)
        }
        for group in shots.values {
            guard let picture = group.first(where: \.isStill) else { continue }
            for part in group where part.kind == .raw { owners[part.blob] = Owner(blob: picture.blob, role: .raw) }
        }
    }

    /// A sidecar belongs to the file whose whole name it has, else to one of its stem, else to one that Apple would
    /// call so without its letter.
    mutating func findSidecars(_ parts: [MomentPart]) {
        let sidecars = parts.filter(\.isSidecar)
        guard !sidecars.isEmpty else { return }
        let families = Dictionary(grouping: parts.filter { !$0.isSidecar }) {
            Shared(contributor: $0.contributor, text: $0.name.family)
        }
        for sidecar in sidecars {
            let family = sidecar.name.family
            let candidates = families[Shared(contributor: sidecar.contributor, text: family)] ?? []
            let stem = sidecar.name.stem
            let owner =
                candidates.first { $0.name.full == stem } ?? candidates.first { $0.name.stem == stem }
                ?? candidates.first { $0.name.stem == family } ?? candidates.first
            if let owner { owners[sidecar.blob] = Owner(blob: owner.blob, role: .sidecar) }
        }
    }
}
