/// Text that is HTML: what people wrote in it is escaped already.
public struct HTMLMarkup: Hashable, Sendable {
    public private(set) var text: String

    public static let empty = HTMLMarkup(text: "")

    /// Text that anybody may have written.
    public init(escaping text: String) {
        self.text = HTMLText.escaped(text)
    }

    /// Only for text of our own.
    init(text: String) {
        self.text = text
    }

    public static func + (left: HTMLMarkup, right: HTMLMarkup) -> HTMLMarkup {
        HTMLMarkup(text: left.text + right.text)
    }

    public static func += (left: inout HTMLMarkup, right: HTMLMarkup) { left.text += right.text }
}

extension Sequence<HTMLMarkup> {
    public func joined(separator: String = "") -> HTMLMarkup {
        HTMLMarkup(text: map(\.text).joined(separator: HTMLText.escaped(separator)))
    }
}
