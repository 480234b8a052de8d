import AlbumModel
import Crypto
import FoundationEssentials
import Testing

/// The ID that a photo of these bytes has.
func blobID(of text: String) throws -> String {
    try #require(BlobID(bytes: Array(SHA256.hash(data: Data(text.utf8))))).hex
}

/// Puts bytes into a home's store, and returns their ID.
func storeBlob(_ text: String, home: String) throws -> String {
    let id = try blobID(of: text)
    let directory = "\(home)/blobs/\(id.prefix(2))"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(id.dropFirst(2))"))
    return id
}
