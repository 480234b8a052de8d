import Foundation

/// Small pictures such as phones and programs write them, as this machine has nothing to make them with.
enum HEIFPicture {
    /// A HEIC of 64 × 64 pixels with EXIF, whose metadata belong to two images at once, as an iPhone 15 and newer have it.
    static let ofSeveralTargets = decoded(
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAaZtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA\
        ACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAA5waXRtAAAAAAABAAAANGlsb2MAAAAAREAAAgABAAAAAAHKAAEA\
        AAAAAAAAFwACAAAAAAHhAAEAAAAAAAAAbgAAADhpaW5mAAAAAAACAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAFWluZmUCAAABAAIA\
        AEV4aWYAAAAAv2lwcnAAAAChaXBjbwAAAHVodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA\
        AAMAHroCQCEAAQAoQgEBA3AAAAMAkAAAAwAAAwAeoCCBBZbqSSmubAgAAAMACAAAAwAIQCIAAQAHRAHBcrAiQAAAABRpc3BlAAAA\
        AAAAAEAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAAcaXJlZgAAAAAAAAAQY2RzYwACAAIAAQAD\
        AAAAjW1kYXQAAAATKAGvC2D6UijP/+tbvn373dpGcAAAAABNTQAqAAAACAADAQ8AAgAAAARLdWgAARAAAgAAAAUAAAAyh2kABAAA\
        AAEAAAA4AAAAAEFsbTEAAAACkAAABwAAAAQwMjMykAMAAgAAABQAAABWAAAAADIwMjQ6MDc6MDEgMTI6MzA6MDUA
        """)

    /// The same where the space that repairing takes is not to be had: libheif before 1.17 refuses it for good.
    static let beyondRepair = replacing("dinf", by: "junk", in: ofSeveralTargets)

    /// An AVIF of 16 × 24 pixels, stored lying on its side; its rotation stands before its size.
    static let turnedBeforeSize = decoded(
        """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAD8bWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAA\
        AGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABJAAAABwAAAAoaWluZgAAAAAAAQAAABppbmZl\
        AgAAAAABAABhdjAxQ29sb3IAAAAAdGlwcnAAAABUaXBjbwAAABRpc3BlAAAAAAAAABgAAAAQAAAAEHBpeGkAAAAAAwgICAAAAAxh\
        djFDgSAAAAAAABNjb2xybmNseAABAA0ABoAAAAAJaXJvdAEAAAAYaXBtYQAAAAAAAAABAAEFAoMEhQEAAAAkbWRhdBIACgg4EO/8\
        oCGg0jIORjAAABAQ2nByntcvVrQ=
        """)

    private static func decoded(_ text: String) -> [UInt8] { [UInt8](Data(base64Encoded: text)!) }

    private static func replacing(_ kind: String, by other: String, in file: [UInt8]) -> [UInt8] {
        let start = file.indices.first { file[$0...].starts(with: kind.utf8) }!
        return file[..<start] + Array(other.utf8) + file[(start + 4)...]
    }
}
