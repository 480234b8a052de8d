public import HTTPTypes
import NIOCore
import PotluckAPI
import WebGallery

/// One way into the agent: where it listens, who comes through it, and what they may reach. Every door leads to the same
/// routes.
public struct Door: Sendable {
    /// Where a door listens.
    public enum Place: Hashable, Sendable {
        /// A Unix socket of mode 0600.
        case unixSocket(path: String)
        /// A port of 0 is drawn by the system.
        case address(host: String, port: Int)
    }

    /// What stands behind a door.
    public enum Offer: Hashable, Sendable {
        /// The API, and what monitors read.
        case api
        /// Pages besides.
        case pages
        /// What monitors read, and nothing else.
        case monitoring
    }

    /// Which names of the door a request may carry in `Host`: a page of the web that has its own name resolve to this
    /// laptop (DNS rebinding) sends that name.
    public enum HostRule: Hashable, Sendable {
        case any
        /// With port, in lower case.
        case only(Set<String>)
        /// The address and port that the connection came to.
        case ownAddress
    }

    public var place: Place
    public var hosts: HostRule
    /// Whether a request that may change something needs the door's own `Origin`, or a bearer in a header.
    public var requiresOrigin: Bool
    public var offer: Offer
    public var limits: WebLimits
    /// Who asks; `nil` for somebody unknown, who may reach what ``Right/anyone`` may.
    public var visitor: @Sendable (HTTPRequest) -> Visitor?

    public init(
        place: Place, hosts: HostRule, requiresOrigin: Bool, offer: Offer = .api, limits: WebLimits,
        visitor: @escaping @Sendable (HTTPRequest) -> Visitor?
    ) {
        self.place = place
        self.hosts = hosts
        self.requiresOrigin = requiresOrigin
        self.offer = offer
        self.limits = limits
        self.visitor = visitor
    }

    /// The owner's door: whoever can open the socket may everything.
    ///
    /// - Parameter path: From ``AgentSocket/path(home:runtimeDirectory:)``.
    public static func owner(path: String, limits: WebLimits = WebLimits()) -> Door {
        Door(place: .unixSocket(path: path), hosts: .any, requiresOrigin: false, limits: limits) { _ in .owner }
    }

    /// For whoever reaches the address: `/healthz` and `/metrics`, without anybody's names.
    ///
    /// A scraper names the door by its address: a page of the web that has its own name resolve to it is refused.
    public static func monitors(host: String, port: Int, limits: WebLimits = .ofMonitors) -> Door {
        Door(
            place: .address(host: host, port: port), hosts: .ownAddress, requiresOrigin: true, offer: .monitoring,
            limits: limits
        ) { _ in .monitor }
    }

    var hasPages: Bool { offer == .pages }

    func has(_ kind: Resource.Kind) -> Bool {
        switch kind {
        case .api: offer != .monitoring
        case .page: offer == .pages
        case .monitoring: true
        }
    }
}

/// Whether a request may pass.
enum Passage {
    /// For this visitor; `nil` for somebody unknown.
    case open(Visitor?)
    /// It names another host.
    case foreignHost
    /// It comes from another page.
    case foreignOrigin
    /// Nobody knows who asks.
    case unknown
    /// This visitor may not.
    case forbidden
}

extension Door {
    /// - Parameter local: The address that the connection came to.
    func passage(
        _ request: HTTPRequest, local: SocketAddress?, needing right: Right, effect: Resource.Effect
    ) -> Passage {
        switch check(request, local: local, effect) {
        case .wrongHost: return .foreignHost
        case .wrongOrigin: return .foreignOrigin
        case .allowed: break
        }
        let visitor = visitor(request)
        if right == .anyone { return .open(visitor) }
        guard let visitor else { return .unknown }
        return visitor.rights.contains(right) ? .open(visitor) : .forbidden
    }

    private func check(
        _ request: HTTPRequest, local: SocketAddress?, _ effect: Resource.Effect
    ) -> OriginCheck.Decision {
        let hosts: Set<String>
        switch self.hosts {
        case .any:
            guard requiresOrigin, let host = request.authority else { return .allowed }
            hosts = [host]
        case .only(let names): hosts = names
        case .ownAddress: hosts = local?.authority.map { [$0] } ?? []
        }
        let hasBearer = request.headerFields[.authorization]?.hasPrefix("Bearer ") == true
        let isChecked = requiresOrigin && effect != .carryingCredential && !hasBearer
        return OriginCheck(authorities: hosts).decision(
            host: request.authority, origin: request.headerFields[.origin], effect: .init(effect),
            carriesCredential: !isChecked)
    }
}

extension OriginCheck.Effect {
    fileprivate init(_ effect: Resource.Effect) {
        switch effect {
        case .forEverybody: self = .forEverybody
        case .reading: self = .reading
        case .changing, .carryingCredential: self = .changing
        }
    }
}

extension SocketAddress {
    /// As it stands in an address of the web: `10.0.0.5:4712`, `[fd00::1]:4712`; `nil` for a Unix socket.
    var authority: String? {
        guard let address = ipAddress, let port else { return nil }
        // A zone is this machine's own name for a link, and in no address that a browser sends.
        let bare = address.split(separator: "%").first.map { String($0) } ?? address
        return self.protocol == .inet6 ? "[\(bare)]:\(port)" : "\(bare):\(port)"
    }
}
