/// Whether a request comes from where it says: `Host` against names of other sites that lead here (DNS rebinding),
/// `Origin` against pages of other sites and other ports, whose requests carry this site's cookies.
public struct OriginCheck: Hashable, Sendable {
    public enum Decision: Hashable, Sendable {
        case allowed
        /// 421: the request is for another site, or for none.
        case wrongHost
        /// 403: another site's page sent it.
        case wrongOrigin
    }

    /// What a request can do.
    public enum Effect: Hashable, Sendable {
        /// `GET /api/v1/alive`: pages of other laptops ask it.
        case forEverybody
        /// GET and HEAD, and a POST that only asks, such as that for an archive.
        case reading
        case changing
    }

    /// Authorities in lower case, with their ports.
    private let authorities: Set<String>

    /// - Parameter authorities: Under which the door is reached, such as `10.0.0.5:4712` and `[fe80::1]:4712`.
    public init(authorities: some Sequence<String>) {
        self.authorities = Set(authorities.map { Self.withPort($0.lowercased()) })
    }

    /// - Parameters:
    ///   - host: `nil` where there is none, or more than one.
    ///   - origin: `nil` where there is none. Browsers send `null` with forms of pages whose referrer policy is
    ///     `no-referrer`.
    ///   - carriesCredential: Whether what lets the request in stands in the request itself, as a bearer in
    ///     `Authorization` or a token in its body, not in a cookie that a browser adds by itself.
    public func decision(host: String?, origin: String?, effect: Effect, carriesCredential: Bool) -> Decision {
        guard let host, authorities.contains(Self.withPort(host.lowercased())) else { return .wrongHost }
        if effect == .forEverybody || carriesCredential { return .allowed }
        guard let origin else { return effect == .reading ? .allowed : .wrongOrigin }
        // A page without encryption is of this site only at the same address and port that the request names.
        let isOwn =
            origin.lowercased().hasPrefix("http://")
            && Self.withPort(String(origin.lowercased().dropFirst("http://".count))) == Self.withPort(host.lowercased())
        if isOwn { return .allowed }
        return effect == .reading && origin == "null" ? .allowed : .wrongOrigin
    }

    /// Browsers leave out port 80.
    private static func withPort(_ authority: String) -> String {
        let afterAddress = authority.lastIndex(of: "]").map { authority[$0...] } ?? authority[...]
        return afterAddress.contains(":") ? authority : authority + ":80"
    }
}
