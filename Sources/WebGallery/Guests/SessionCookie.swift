/// The cookie that carries a session's token. Its name is the home's, since cookies know no ports.
public struct SessionCookie: Hashable, Sendable {
    public let name: String

    /// - Parameter home: What tells homes on one machine apart; letters and digits of it are used.
    public init(home: String) {
        name = "potluck-" + String(home.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(32))
    }

    /// The value of `Set-Cookie`. Lax, not Strict: a scan of a code and a move from another laptop are cross-site, and
    /// would make a second guest.
    ///
    /// - Parameter seconds: How long the browser keeps it; 400 days are the most that browsers do.
    public func setting(_ token: SecretToken, seconds: Int = 400 * 86_400) -> String {
        "\(name)=\(token.text); Path=/; Max-Age=\(seconds); HttpOnly; SameSite=Lax"
    }

    /// The value of `Set-Cookie` that makes a browser forget it.
    public var removal: String { "\(name)=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax" }

    /// The value in a `Cookie` field; of several the first, as RFC 6265 orders them. `nil` without one.
    public func value(in field: String) -> String? {
        for pair in field.split(separator: ";") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if halves.count == 2, halves[0].trimmingBlanks == name { return String(halves[1].trimmingBlanks) }
        }
        return nil
    }
}
