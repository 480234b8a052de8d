/// Which photos took the place of which others.
///
/// A function of the set of changes: links are only added. People may link in circles, so every walk stops at what it
/// has seen; and at ``CatalogLimits/replacementCountMax`` photos, the nearest first, since links are free.
struct Replacements: Sendable {
    private var successors: [PhotoKey: SortedChunks<PhotoKey>] = [:]
    private var formers: [PhotoKey: SortedChunks<PhotoKey>] = [:]

    mutating func add(_ photo: PhotoKey, for former: PhotoKey) {
        successors[former, default: SortedChunks()].insert(photo)
        formers[photo, default: SortedChunks()].insert(former)
    }

    func hasFormers(_ photo: PhotoKey) -> Bool { formers[photo] != nil }

    func contains(_ photo: PhotoKey, for former: PhotoKey) -> Bool { successors[former]?.contains(photo) == true }

    /// The photos that took the place of `photo`, over any number of steps; never itself.
    func successors(of photo: PhotoKey) -> [PhotoKey] { Self.reached(from: photo, over: successors) { _ in true } }

    /// The photos whose place `photo` took, over any number of steps, each of which passes the test; never itself.
    func formers(of photo: PhotoKey, where isPassed: (PhotoKey) -> Bool) -> [PhotoKey] {
        Self.reached(from: photo, over: formers, where: isPassed)
    }

    private static func reached(
        from start: PhotoKey, over links: [PhotoKey: SortedChunks<PhotoKey>], where isPassed: (PhotoKey) -> Bool
    ) -> [PhotoKey] {
        guard links[start] != nil else { return [] }
        let countMax = CatalogLimits.replacementCountMax
        var seen: Set<PhotoKey> = [start]
        // The start, and then what was found, in that order.
        var walk = [start]
        var step = 0
        while step < walk.count, walk.count <= countMax {
            for photo in (links[walk[step]] ?? SortedChunks()).prefix(countMax) where walk.count <= countMax {
                if isPassed(photo), seen.insert(photo).inserted { walk.append(photo) }
            }
            step += 1
        }
        return Array(walk.dropFirst())
    }
}

// MARK: - Within an album

extension Catalog {
    /// The photos that took a photo's place in its album, over any number of steps, as far as they are in that; in no order.
    public func liveSuccessors(of photo: PhotoKey) -> [PhotoKey] {
        replacements.successors(of: photo).filter { $0.album == photo.album && isLive($0) }
    }

    /// The photos whose place a photo took in its album, over any number of steps in that, live or not; in no order.
    public func formers(of photo: PhotoKey) -> [PhotoKey] {
        replacements.formers(of: photo) { $0.album == photo.album }
    }
}

// MARK: - Favours

/// A favour is signed by the device that gives it, and nobody can sign it again for another photo. So the fold counts it
/// for whatever took the photo's place, as long as the photo is in its album no longer.
extension Catalog {
    mutating func replace(_ former: PhotoKey, by photo: PhotoKey, _ difference: inout CatalogDifference) {
        guard !replacements.contains(photo, for: former) else { return }
        replacements.add(photo, for: former)
        noteReplacements(of: former, &difference)
    }

    /// Something changed about a photo: what took its place may have other favours now.
    func noteReplacements(of photo: PhotoKey, _ difference: inout CatalogDifference) {
        for successor in replacements.successors(of: photo) where self.photo(successor) != nil {
            difference.wordedPhotos.insert(successor)
            difference.albums.insert(successor.album)
        }
    }

    /// Whether somebody said that the photo took the place of the former one.
    public func isReplaced(_ former: PhotoKey, by photo: PhotoKey) -> Bool {
        replacements.contains(photo, for: former)
    }

    /// The photos whose favours count for a photo, ordered: itself, and those whose place it took that are in their
    /// albums no longer.
    public func favouredKeys(of photo: PhotoKey) -> [PhotoKey] {
        let formers = replacements.formers(of: photo) { self.photo($0)?.isLive != true }
        return (formers + [photo]).sorted()
    }

    /// The devices whose people like a photo, or liked what it took the place of; ordered. At most
    /// ``CatalogLimits/favourerCountMax``.
    public func favourers(of photo: PhotoKey) -> [DeviceID] {
        let keys = favouredKeys(of: photo)
        let devices = Set(keys.flatMap { self.photo($0)?.favouredBy ?? [] }).sorted()
        return Array(devices.prefix(CatalogLimits.favourerCountMax))
    }

    /// The same of guests; at most ``CatalogLimits/favouringGuestCountMax``.
    public func favouringGuests(of photo: PhotoKey) -> [Person] {
        guard replacements.hasFormers(photo) else { return self.photo(photo)?.favouringGuests ?? [] }
        let people = Set(favouredKeys(of: photo).flatMap { self.photo($0)?.favouringGuests ?? [] }).sorted()
        return Array(people.prefix(CatalogLimits.favouringGuestCountMax))
    }

    /// What was written below a photo, or below what it took the place of, in the order of time, each with the photo that
    /// it was written below; at most ``CatalogLimits/shownCommentCountMax``: the latest.
    public func comments(of photo: PhotoKey) -> [(key: PhotoKey, comment: PhotoComment)] {
        let keys = replacements.hasFormers(photo) ? favouredKeys(of: photo) : [photo]
        let comments = keys.flatMap { key in (self.photo(key)?.comments ?? []).map { (key: key, comment: $0) } }
        return comments.sorted { ChangeTime($0.comment) < ChangeTime($1.comment) }
            .suffix(CatalogLimits.shownCommentCountMax)
    }
}
