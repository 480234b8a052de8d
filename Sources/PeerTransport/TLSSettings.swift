import AlbumModel
import Crypto
import NIOCore
import NIOSSL

/// What the two ends speak once TLS is up: the ALPN identifier.
enum ProtocolVersion: String, CaseIterable, Sendable {
    /// What both ends prefer.
    case newest = "potluck/2"
    /// The first, which knows one phrase alone.
    case earlier = "potluck/1"
}

/// TLS 1.3 with both certificates, and the key as the whole identity.
struct TLSSettings: Sendable {
    /// The own certificate, DER. Its serial number is drawn, so another run with the same key has another one.
    let certificate: [UInt8]
    private let client: NIOSSLContext
    private let server: NIOSSLContext

    init(identity: DeviceIdentity, versions: [ProtocolVersion], closeTimeout: Duration) throws {
        self.certificate = try identity.makeCertificate()
        let certificate = try NIOSSLCertificate(bytes: self.certificate, format: .der)
        let key = try NIOSSLPrivateKey(bytes: Array(identity.key.derRepresentation), format: .der)
        func configure(_ settings: TLSConfiguration) throws -> NIOSSLContext {
            var settings = settings
            settings.certificateChain = [.certificate(certificate)]
            settings.privateKey = .privateKey(key)
            settings.trustRoots = .certificates([])
            // Not `.none`: then no certificate would be asked for, and `PeerKey` never be called.
            settings.certificateVerification = .noHostnameVerification
            settings.minimumTLSVersion = .tlsv13
            settings.maximumTLSVersion = .tlsv13
            settings.applicationProtocols = versions.map(\.rawValue)
            settings.shutdownTimeout = TimeAmount(closeTimeout)
            return try NIOSSLContext(configuration: settings)
        }
        client = try configure(.makeClientConfiguration())
        server = try configure(
            .makeServerConfigurationWithMTLS(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key),
                trustRoots: .certificates([])))
    }

    /// The handler of one connection; call it on the connection's event loop.
    func makeHandler(dialled: Bool, peer: PeerKey) throws -> NIOSSLHandler {
        let verify: NIOSSLCustomVerificationCallback = { certificates, promise in
            promise.succeed(peer.accept(certificates) ? .certificateVerified : .failed)
        }
        return dialled
            ? try NIOSSLClientHandler(context: client, serverHostname: nil, customVerificationCallback: verify)
            : NIOSSLServerHandler(context: server, customVerificationCallback: verify)
    }
}

/// Who is at the other end of one TLS connection. Used on that connection's event loop alone.
///
/// TLS calls ``accept(_:)`` in full handshakes only. A peer may send session tickets all the same, so a connection whose
/// handshake ended without that call was resumed: it has no ``publicKeyDER`` here and is refused.
final class PeerKey {
    private let own: DeviceID
    private let ownCertificate: [UInt8]
    private let isExpected: (DeviceID) -> AdmissionFailure?
    private(set) var publicKeyDER: [UInt8]?
    private(set) var device: DeviceID?
    /// Why the key was turned down.
    private(set) var failure: AdmissionFailure?

    init(own: DeviceID, ownCertificate: [UInt8], isExpected: @escaping (DeviceID) -> AdmissionFailure?) {
        self.own = own
        self.ownCertificate = ownCertificate
        self.isExpected = isExpected
    }

    /// The peer shows this device's key in another certificate. That it holds the key is known once TLS is up, and not
    /// before: anyone can show a certificate.
    var isCopy: Bool { device == own }

    /// Whether the first certificate's key is a P-256 key that may go on. That the peer holds it, TLS has checked.
    func accept(_ certificates: [NIOSSLCertificate]) -> Bool {
        guard let leaf = certificates.first, let key = try? leaf.extractPublicKey().toSPKIBytes(),
            let device = DeviceIdentity.deviceID(publicKeyDER: key)
        else {
            failure = .protocolError("the peer's certificate holds no P-256 key")
            return false
        }
        if device != own {
            failure = isExpected(device)
        } else if (try? leaf.toDERBytes()) == ownCertificate {
            failure = .isSelf
        }
        guard failure == nil else { return false }
        self.publicKeyDER = key
        self.device = device
        return true
    }
}
