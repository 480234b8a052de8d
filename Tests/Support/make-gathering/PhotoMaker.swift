import AlbumModel
import Crypto
import MediaReader

/// The photos of the gathering, by their numbers from 0.
struct PhotoMaker {
    let plan: GatheringPlan
    /// Whether photos are a few bytes that a home can hold; else they are as large as a camera's, and nobody has them.
    let isTiny: Bool
    /// Seconds since 1970 at which photo 0 was taken.
    let start: Int64

    private static let cameraByteCount: UInt64 = 4_000_000

    /// The bytes of a tiny photo, which begin as a JPEG does: what is none is not placed.
    func content(_ number: Int) -> [UInt8] { [0xFF, 0xD8, 0xFF, 0xE0] + Array("photo \(number)".utf8) }

    func albumName(_ number: Int) -> String { "Album \(albumNumber(number) + 1)" }

    func albumNumber(_ number: Int) -> Int { number * plan.albumCount / plan.photoCount }

    func addition(_ number: Int) -> PhotoAddition {
        PhotoAddition(
            album: AlbumName.identifier(albumName(number)), blob: blob(number), byteCount: byteCount(number),
            pieceListHash: isTiny ? nil : BlobID(digest: SHA256.hash(data: Array("pieces \(number)".utf8))),
            name: "IMG_\(digits(number)).JPG", mediaType: "image/jpeg",
            modified: (start + Int64(number)) * 1_000_000_000)
    }

    /// What is read of a photo and told as its second change.
    ///
    /// - Parameter author: whose camera it is, from 0: every other one is a phone's, which knows where it is.
    func facts(_ number: Int, by author: Int) -> PhotoFacts {
        let isPhone = author.isMultiple(of: 2)
        let taken = start + Int64(number)
        return PhotoFacts(
            readerVersion: MediaReader.version, kind: .photo, size: PixelSize(width: 4032, height: 3024),
            taken: CaptureTime(
                localMilliseconds: (taken - 5 * 3600) * 1000, offsetMinutes: isPhone ? -300 : nil, source: .exif),
            gpsMilliseconds: isPhone ? taken * 1000 : nil, camera: isPhone ? Self.phone : Self.camera(of: author),
            place: isPhone ? place(number) : nil, thumbnail: isTiny ? nil : thumbnail(number))
    }

    private static let phone = Camera(
        make: "Apple", model: "iPhone 15 Pro", lens: "iPhone 15 Pro back triple camera 6.765mm f/1.78")

    private static func camera(of author: Int) -> Camera {
        Camera(
            make: "Canon", model: "Canon EOS R6", lens: "RF24-105mm F4 L IS USM", serial: "0330210\(10_000 + author)")
    }

    /// Somewhere around a lake.
    private func place(_ number: Int) -> Place {
        Place(
            latitudeMicrodegrees: 44_000_000 + Int32(number % 1000), longitudeMicrodegrees: -71_500_000,
            altitudeCentimetres: 15_400)
    }

    private func thumbnail(_ number: Int) -> Thumbnail {
        Thumbnail(
            blob: BlobID(digest: SHA256.hash(data: Array("thumbnail \(number)".utf8))), byteCount: 24_000,
            size: PixelSize(width: 480, height: 360), mediaType: "image/jpeg")
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
