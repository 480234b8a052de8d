/// Header fields that pages and their parts are sent with, so that a name with a script in it stays a name.
///
/// Every list is complete: names in lower case, none twice.
public enum PageHeaders {
    public typealias Field = (name: String, value: String)

    /// For pages.
    ///
    /// - Parameter isLoopback: Whether the door is the owner's own: browsers take an opener policy from addresses of this
    ///   machine alone, and complain in their console about one from another address without encryption.
    public static func page(isLoopback: Bool) -> [Field] {
        fields(policy: policy(connect: [], ancestors: "'none'")) + opener(isLoopback) + [
            ("cache-control", "private, no-cache")
        ]
    }

    /// For the frame that asks other laptops whether they are there.
    ///
    /// - Parameter origins: Such as `http://10.0.0.6:4712`; what is no such origin is left out, since it could say
    ///   anything in a policy.
    public static func probe(origins: [String]) -> [Field] {
        fields(policy: policy(connect: origins.filter(isOrigin), ancestors: "'self'")) + [
            ("cache-control", "private, no-cache")
        ]
    }

    /// For answers of the API, pictures and whatever people gave: a browser runs nothing of it, even where it is opened
    /// by itself.
    public static let content: [Field] = fields(
        policy: "default-src 'none'; img-src 'self'; media-src 'self'; frame-ancestors 'none'; sandbox")

    /// For modules, styles and icons.
    public static let staticFile: [Field] = fields(policy: "default-src 'none'; frame-ancestors 'none'")

    private static func policy(connect: [String], ancestors: String) -> String {
        [
            "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' blob:",
            "media-src 'self' blob:", (["connect-src 'self'"] + connect).joined(separator: " "), "worker-src 'self'",
            "form-action 'self'", "frame-src 'self'", "base-uri 'none'", "frame-ancestors \(ancestors)",
        ].joined(separator: "; ")
    }

    private static func fields(policy: String) -> [Field] {
        [
            ("content-security-policy", policy), ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"), ("cross-origin-resource-policy", "same-origin"),
        ]
    }

    private static func opener(_ isLoopback: Bool) -> [Field] {
        isLoopback ? [("cross-origin-opener-policy", "same-origin")] : []
    }

    /// Whether it is a scheme, a host and a port, and nothing that means more in a policy.
    private static func isOrigin(_ text: String) -> Bool {
        guard text.hasPrefix("http://") else { return false }
        let authority = text.dropFirst("http://".count)
        return !authority.isEmpty
            && authority.utf8.allSatisfy { unit in
                switch unit {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: ".:-[]".utf8.contains(unit)
                }
            }
    }
}
