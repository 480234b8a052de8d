import CTLSTickets
import NIOSSL

/// Session tickets, which TLS sends to whoever connects and which no agent ever uses: some 900 bytes of each connection.
///
/// swift-nio-ssl has no setting for them, so the context of BoringSSL that it keeps to itself is looked for by its name.
/// Where a later version keeps it under another name tickets are sent again, which costs those bytes and nothing else,
/// and a test tells.
enum TLSTickets {
    /// Has a server's context send none; to be called before its first connection.
    ///
    /// - Returns: whether that is so.
    @discardableResult
    static func turnOff(in context: NIOSSLContext) -> Bool {
        let kept = Mirror(reflecting: context).children.first { $0.label == "sslContext" }?.value
        guard let pointer = kept as? OpaquePointer else { return false }
        return CNIOBoringSSL_SSL_CTX_set_num_tickets(UnsafeMutableRawPointer(pointer), 0) == 1
    }
}
