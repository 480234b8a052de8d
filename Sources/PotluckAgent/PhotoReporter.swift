import AlbumModel
import PhotoStore
import PotluckAPI

/// Turns entries into what people and scripts read.
struct PhotoReporter {
    /// As it is shown, of any device.
    let deviceName: (DeviceID) -> String
    /// Likewise, of a device's person or a guest.
    let personName: (Person) -> String
    let comment: (PhotoComment) -> PhotosReport.Comment
    /// The device that signed a change; `nil` where that is not known.
    let author: (Dot) -> DeviceID?
    let holders: (BlobID) -> [DeviceID]
    /// The path below the folder.
    let file: (PhotoKey) -> String?
    /// The offset that most photos of an album state, in minutes.
    let usualOffset: (AlbumID) -> Int32?
    /// The album's name, for a listing of all albums.
    let albumName: ((AlbumID) -> String)?
    /// Leaves out what a listing for people does not show.
    let isBrief: Bool

    func report(_ entry: PhotoEntry) -> PhotosReport.Photo {
        let (listing, photo) = (entry.listing, entry.listing.photo)
        let contributors = photo.contributors.map(personName)
        let holders = holders(photo.blob)
        var report = PhotosReport.Photo(
            id: photo.blob.hex, name: photo.name, file: isBrief ? nil : file(entry.key), bytes: photo.byteCount,
            type: photo.mediaType, by: contributors.first, contributors: contributors, here: listing.isHere,
            copies: holders.count + (listing.isHere ? 1 : 0),
            where: isBrief && listing.isHere ? [] : holders.map(deviceName))
        if let albumName {
            report.album = albumName(photo.album)
            report.albumID = photo.album.hex
        }
        report.kind = entry.kind
        report.taken = listing.taken.text(usualOffset: usualOffset(photo.album))
        report.takenFrom = PhotosReport.TakenFrom(listing.taken.source)
        report.duration = entry.durationMilliseconds.map { Double($0) / 1000 }
        report.companions = listing.companions.map {
            .init(id: $0.blob.hex, name: $0.name, bytes: $0.byteCount, role: $0.role.rawValue)
        }
        report.problem = photo.details.problem.nonEmpty
        addWords(entry, to: &report)
        if !isBrief { addDetails(listing, to: &report) }
        return report
    }

    private func addWords(_ entry: PhotoEntry, to report: inout PhotosReport.Photo) {
        report.tags = entry.tags
        report.caption = entry.shownCaption
        report.favourites = (entry.favouredBy.map(deviceName) + entry.favouringGuests.map(personName)).sorted()
        let comments = entry.comments
        if !comments.isEmpty { report.comments = comments.map(comment) }
        let captions = entry.concurrentCaptions
        if !captions.isEmpty {
            report.captions = captions.map { .init(by: author($0.dot).map(deviceName), caption: $0.caption) }
        }
    }

    private func addDetails(_ listing: PhotoListing, to report: inout PhotosReport.Photo) {
        let details = listing.photo.details
        (report.width, report.height) = (details.size?.width, details.size?.height)
        report.make = details.camera.make.nonEmpty
        report.model = details.camera.model.nonEmpty
        report.lens = details.camera.lens.nonEmpty
        report.latitude = details.place.map { Double($0.latitudeMicrodegrees) / 1_000_000 }
        report.longitude = details.place.map { Double($0.longitudeMicrodegrees) / 1_000_000 }
        report.altitude = details.place?.altitudeCentimetres.map { Double($0) / 100 }
        report.thumbnail = details.thumbnail?.blob.hex
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
    /// RFC 3339 where the offset is known, else local. An instant is told by the clocks of most of its album, by which
    /// the album is ordered, too; with `Z` where none of its photos tells them.
    func text(usualOffset: Int32?) -> String {
        let stated = isInstant ? usualOffset : offsetMinutes
        let shift = isInstant ? Int64(usualOffset ?? 0) * 60_000 : 0
        let local = LocalTime(milliseconds: localMilliseconds + shift).text
        guard let offset = stated.map({ Int64($0) }) else { return isInstant ? local + "Z" : local }
        let clock = [offset.magnitude / 60, offset.magnitude % 60].map { Digits.padded(Int64($0), to: 2) }
        return "\(local)\(offset < 0 ? "-" : "+")\(clock[0]):\(clock[1])"
    }
}

extension String {
    /// Facts say an empty text where a file says nothing.
    var nonEmpty: String? { isEmpty ? nil : self }
}
