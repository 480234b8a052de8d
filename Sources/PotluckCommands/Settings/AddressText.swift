import SyncEngine

/// Addresses as people write them.
enum AddressText {
    /// `HOST:PORT` or `[IPV6]:PORT`.
    static func peer(_ text: String) -> PeerAddress? {
        PeerAddress(parsing: text)
    }

    /// `ADDRESS:PORT`, or `:PORT` for all addresses.
    static func listening(_ text: String) -> PeerAddress? {
        if text.hasPrefix(":") {
            return UInt16(text.dropFirst()).flatMap { $0 > 0 ? PeerAddress(host: "", port: $0) : nil }
        }
        return PeerAddress(parsing: text)
    }
}
