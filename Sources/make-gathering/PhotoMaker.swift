import AlbumModel
import Crypto

/// The photos of the gathering, by their numbers from 0.
struct PhotoMaker {
    let plan: GatheringPlan
    /// Whether photos are a few bytes that a home can hold; else they are as large as a camera's, and nobody has them.
    let isTiny: Bool
    /// Seconds since 1970 at which photo 0 was taken.
    let start: Int64

    private static let cameraByteCount: UInt64 = 4_000_000

    /// The bytes of a tiny photo.
    func content(_ number: Int) -> [UInt8] { Array("photo \(number)".utf8) }

    func albumName(_ number: Int) -> String { "Album \(albumNumber(number) + 1)" }

    func albumNumber(_ number: Int) -> Int { number * plan.albumCount / plan.photoCount }

    func addition(_ number: Int) -> PhotoAddition {
        PhotoAddition(
            album: AlbumName.identifier(albumName(number)), blob: blob(number), byteCount: byteCount(number),
            pieceListHash: isTiny ? nil : BlobID(digest: SHA256.hash(data: Array("pieces \(number)".utf8))),
            name: "IMG_\(digits(number)).JPG", mediaType: "image/jpeg",
            modified: (start + Int64(number)) * 1_000_000_000)
    }

    /// The second change of a photo that `added` names. It stands in for dates, camera and place, which no kind of change
    /// carries so far, and is about as long: 150 bytes.
    func second(_ number: Int, added: Dot) -> Change {
        let name = "IMG_\(digits(number)), by the lake in the afternoon, all of us.JPG"
        let addition = addition(number)
        return .photoNamed(addition.album, addition.blob, name: name, replaces: [added])
    }

    func blob(_ number: Int) -> BlobID { BlobID(digest: SHA256.hash(data: content(number))) }

    private func byteCount(_ number: Int) -> UInt64 {
        isTiny ? UInt64(content(number).count) : Self.cameraByteCount
    }

    /// At least five.
    private func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }
}
