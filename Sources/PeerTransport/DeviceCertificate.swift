import FoundationEssentials
import SwiftASN1
import X509

extension DeviceIdentity {
    /// A self-signed certificate of the key, DER. It says nothing else: peers look at the key alone.
    ///
    /// - Throws: when the certificate cannot be encoded, which no key causes.
    public func makeCertificate() throws -> [UInt8] {
        let name = try DistinguishedName { CommonName("potluck") }
        let certificateKey = Certificate.PrivateKey(key)
        let certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(), publicKey: certificateKey.publicKey,
            // Fixed dates: a laptop whose clock is wrong must still be able to connect, and nobody checks them.
            notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
            notValidAfter: Date(timeIntervalSince1970: 2_524_607_999), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth, .clientAuth])
                SubjectAlternativeNames([.dnsName("potluck.invalid")])
            },
            issuerPrivateKey: certificateKey)
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return serializer.serializedBytes
    }
}
