public import HTTPTypes
public import PotluckAPI

/// One way into the agent: where it listens, who comes through it, and what they may reach. Every door leads to the same
/// routes.
public struct Door: Sendable {
    /// Where a door listens.
    public enum Place: Hashable, Sendable {
        /// A Unix socket of mode 0600.
        case unixSocket(path: String)
        case address(host: String, port: Int)
    }

    /// Which names of the door a request may carry in `Host`: a page of the web that has its own name resolve to this
    /// laptop (DNS rebinding) sends that name.
    public enum HostRule: Hashable, Sendable {
        case any
        /// With port, in lower case.
        case only(Set<String>)

        func allows(_ host: String?) -> Bool {
            switch self {
            case .any: true
            case .only(let hosts): host.map { hosts.contains($0.lowercased()) } ?? false
            }
        }
    }

    public var place: Place
    public var hosts: HostRule
    /// Whether a request that may change something needs the door's own `Origin`, or a bearer in a header.
    public var requiresOrigin: Bool
    public var limits: WebLimits
    /// Who asks; `nil` for somebody unknown, who may reach what ``Right/anyone`` may.
    public var visitor: @Sendable (HTTPRequest) -> Visitor?

    public init(
        place: Place, hosts: HostRule, requiresOrigin: Bool, limits: WebLimits,
        visitor: @escaping @Sendable (HTTPRequest) -> Visitor?
    ) {
        self.place = place
        self.hosts = hosts
        self.requiresOrigin = requiresOrigin
        self.limits = limits
        self.visitor = visitor
    }

    /// The owner's door: whoever can open the socket may everything.
    ///
    /// - Parameter path: From ``AgentSocket/path(home:runtimeDirectory:)``.
    public static func owner(path: String, limits: WebLimits = WebLimits()) -> Door {
        Door(place: .unixSocket(path: path), hosts: .any, requiresOrigin: false, limits: limits) { _ in .owner }
    }
}

/// Somebody who came through a door.
public struct Visitor: Hashable, Sendable {
    public var rights: Set<Right>

    public init(rights: Set<Right>) {
        self.rights = rights
    }

    public static let owner = Visitor(rights: Set(Right.allCases))
}

/// Whether a request may pass.
enum Passage: Hashable {
    case open
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
    func passage(_ request: HTTPRequest, to route: Route) -> Passage {
        guard hosts.allows(request.authority) else { return .foreignHost }
        if requiresOrigin, route.method != .get, !isFromHere(request) { return .foreignOrigin }
        if route.right == .anyone { return .open }
        guard let visitor = visitor(request) else { return .unknown }
        return visitor.rights.contains(route.right) ? .open : .forbidden
    }

    /// A browser sends `Origin` with whatever may change something, and a page cannot choose it; a bearer in a header is
    /// nothing that a browser adds by itself.
    private func isFromHere(_ request: HTTPRequest) -> Bool {
        if request.headerFields[.authorization]?.hasPrefix("Bearer ") == true { return true }
        guard let host = request.authority, let origin = request.headerFields[.origin] else { return false }
        return origin.lowercased() == "http://" + host.lowercased()
    }
}
