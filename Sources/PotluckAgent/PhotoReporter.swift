import AlbumModel

/// Turns entries into what people and scripts read.
struct PhotoReporter {
    /// As it is shown, of any device.
    let deviceName: (DeviceID) -> String
    /// The device that signed a change; `nil` where that is not known.
    let author: (Dot) -> DeviceID?
    let holders: (BlobID) -> [DeviceID]
    let isHere: (BlobID) -> Bool
    /// The path below the folder.
    let file: (PhotoKey) -> String?
    /// The album's name, for a listing of all albums.
    let albumName: ((AlbumID) -> String)?
    /// Leaves out what a listing for people does not show.
    let isBrief: Bool

    func report(_ entry: PhotoEntry) -> PhotosReport.Photo {
        let (photo, blob) = (entry.photo, entry.key.blob)
        let contributors = photo.contributors.map(deviceName)
        let (holders, isHere) = (holders(blob), isHere(blob))
        var report = PhotosReport.Photo(
            id: blob.hex, name: photo.shownName, file: isBrief ? nil : file(entry.key),
            bytes: photo.adds.first?.byteCount ?? 0, type: photo.adds.first?.mediaType ?? "", by: contributors.first,
            contributors: contributors, here: isHere, copies: holders.count + (isHere ? 1 : 0),
            where: isBrief && isHere ? [] : holders.map(deviceName))
        if let albumName {
            report.album = albumName(entry.key.album)
            report.albumID = entry.key.album.hex
        }
        report.kind = entry.kind
        report.taken = entry.taken.text
        report.duration = entry.durationMilliseconds.map { Double($0) / 1000 }
        report.companions = entry.companions.map {
            .init(id: $0.blob.hex, name: $0.photo.shownName, role: $0.role.rawValue)
        }
        addWords(entry, to: &report)
        report.problem = photo.facts.flatMap { $0.problem.isEmpty ? nil : $0.problem }
        if !isBrief { addDetails(entry, to: &report) }
        return report
    }

    private func addWords(_ entry: PhotoEntry, to report: inout PhotosReport.Photo) {
        report.tags = entry.tags
        report.caption = entry.caption
        report.favourites = entry.favouredBy.map(deviceName).sorted()
        let captions = entry.concurrentCaptions
        if !captions.isEmpty {
            report.captions = captions.map { .init(by: author($0.dot).map(deviceName), caption: $0.caption) }
        }
    }

    private func addDetails(_ entry: PhotoEntry, to report: inout PhotosReport.Photo) {
        report.takenFrom = PhotosReport.TakenFrom(entry.taken.source)
        guard let facts = entry.photo.facts else { return }
        (report.width, report.height) = (facts.size?.width, facts.size?.height)
        report.make = facts.camera.make.nonEmpty
        report.model = facts.camera.model.nonEmpty
        report.lens = facts.camera.lens.nonEmpty
        report.latitude = facts.place.map { Double($0.latitudeMicrodegrees) / 1_000_000 }
        report.longitude = facts.place.map { Double($0.longitudeMicrodegrees) / 1_000_000 }
        report.altitude = facts.place?.altitudeCentimetres.map { Double($0) / 100 }
        report.thumbnail = facts.thumbnail?.blob.hex
    }
}

extension PhotosReport.TakenFrom {
    fileprivate init(_ source: CaptureTime.Source) {
        switch source {
        case .exif: self = .exif
        case .xmp: self = .xmp
        case .quickTime: self = .quicktime
        case .fileName: self = .name
        case .modification: self = .mtime
        }
    }
}

extension CaptureTime {
    /// RFC 3339 where the offset is known, `Z` for an instant that says nothing of the place; else local.
    var text: String {
        let local = LocalTime(milliseconds: localMilliseconds).text
        if isInstant { return local + "Z" }
        guard let offset = offsetMinutes.map({ Int64($0) }) else { return local }
        let clock = [offset.magnitude / 60, offset.magnitude % 60].map { Digits.padded(Int64($0), to: 2) }
        return "\(local)\(offset < 0 ? "-" : "+")\(clock[0]):\(clock[1])"
    }
}

extension String {
    /// Facts say an empty text where a file says nothing.
    var nonEmpty: String? { isEmpty ? nil : self }
}
