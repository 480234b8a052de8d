import AlbumModel
import Crypto
import NIOSSL
import Testing

@testable import PeerTransport

struct DeviceIdentityTests {
    /// A signature holds for its bytes and its key, and for nothing else; malformed input is no signature.
    @Test func signaturesHoldForTheirBytesAlone() {
        let identity = DeviceIdentity()
        let signature = identity.sign([1, 2, 3])
        func holds(_ signature: [UInt8], _ bytes: [UInt8], _ key: [UInt8]) -> Bool {
            DeviceIdentity.verify(signature: signature, bytes: bytes, publicKeyDER: key)
        }
        #expect(signature.count == 64)
        #expect(holds(signature, [1, 2, 3], identity.publicKeyDER))
        #expect(!holds(signature, [1, 2, 4], identity.publicKeyDER))
        #expect(!holds(signature, [1, 2, 3], DeviceIdentity().publicKeyDER))
        #expect(!holds(Array(signature.dropLast()), [1, 2, 3], identity.publicKeyDER))
        #expect(!holds([], [1, 2, 3], []))
    }

    /// The key that a home keeps is the same device again.
    @Test func identitySurvivesItsKey() {
        let identity = DeviceIdentity()
        let again = DeviceIdentity(rawPrivateKey: identity.rawPrivateKey)
        #expect(again?.deviceID == identity.deviceID)
        #expect(again?.publicKeyDER == identity.publicKeyDER)
        #expect(DeviceIdentity(rawPrivateKey: [1, 2, 3]) == nil)
    }

    /// A certificate carries the key and little else, and each run's is another: that tells copies of a home apart.
    @Test func certificatesAreShortAndDiffer() throws {
        let identity = DeviceIdentity()
        let certificates = try (0..<2).map { _ in try identity.makeCertificate() }
        #expect(certificates[0] != certificates[1])
        for certificate in certificates {
            #expect(certificate.count < 270)
            let parsed = try NIOSSLCertificate(bytes: certificate, format: .der)
            #expect(try parsed.extractPublicKey().toSPKIBytes() == identity.publicKeyDER)
        }
    }

    /// One key has one device ID: other encodings of it, other curves and noise have none.
    @Test func onlyOneFormOfAKeyCounts() {
        let identity = DeviceIdentity()
        #expect(DeviceIdentity.deviceID(publicKeyDER: identity.publicKeyDER) == identity.deviceID)
        #expect(DeviceIdentity.deviceID(publicKeyDER: identity.publicKeyDER + [0]) == nil)
        let compressed = Array(identity.key.publicKey.compressedRepresentation)
        #expect(DeviceIdentity.deviceID(publicKeyDER: compressed) == nil)
        let other = P384.Signing.PrivateKey().publicKey.derRepresentation
        #expect(DeviceIdentity.deviceID(publicKeyDER: Array(other)) == nil)
    }
}
