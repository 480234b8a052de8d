import FoundationEssentials
import SwiftASN1
import X509

extension DeviceIdentity {
    /// A self-signed certificate of the key, DER. It says nothing else, since peers look at the key alone: one travels each
    /// way with each connection.
    ///
    /// - Throws: when the certificate cannot be encoded, which no key causes.
    public func makeCertificate() throws -> [UInt8] {
        let certificateKey = Certificate.PrivateKey(key)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(UInt64.random(in: 1 ... .max)),
            publicKey: certificateKey.publicKey,
            // Fixed dates: a laptop whose clock is wrong must still be able to connect, and nobody checks them.
            notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
            notValidAfter: Date(timeIntervalSince1970: 2_524_607_999), issuer: DistinguishedName(),
            subject: DistinguishedName(), signatureAlgorithm: .ecdsaWithSHA256, extensions: Certificate.Extensions(),
            issuerPrivateKey: certificateKey)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
