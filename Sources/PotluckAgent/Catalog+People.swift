import AlbumModel
import PotluckAPI

/// Devices' people and guests, as others read of them.
extension Catalog {
    /// `nil` for a device's own person while the device has not said its name.
    func shownName(of person: Person) -> String? {
        guard let guest = person.guest else { return deviceName(person.device) }
        let device = deviceName(person.device) ?? "Laptop \(person.device.hex.prefix(6))"
        return "\(guestName(guest) ?? "A guest") (at \(device))"
    }

    func report(_ comment: PhotoComment) -> PhotosReport.Comment {
        PhotosReport.Comment(
            id: comment.dot.commentID,
            by: shownName(of: comment.person) ?? "Laptop \(comment.person.device.hex.prefix(6))", text: comment.text,
            at: Instant(microsecondsSince1970: comment.clock.microseconds), guest: comment.person.guest?.hex)
    }
}

extension Dot {
    /// What names a comment in reports: the replica that wrote it, and its number there.
    var commentID: String { "\(replica.hex)-\(sequence)" }
}
