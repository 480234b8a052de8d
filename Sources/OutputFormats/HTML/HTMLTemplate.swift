/// Why a page cannot be used as a template.
public struct HTMLTemplateError: Error, Hashable, CustomStringConvertible {
    /// The template's name, a colon, and what is wrong.
    public var description: String

    public init(description: String) {
        self.description = description
    }
}

/// A page with places that are filled in: `{{name}}` with text, which is escaped, `{{{name}}}` with markup.
///
/// A comment at its very beginning is for people who write templates, and not part of the page. A place stands between
/// tags or in the quotes of an attribute: text means nothing there, whatever it holds.
public struct HTMLTemplate: Hashable, Sendable {
    private enum Part: Hashable, Sendable {
        case fixed(String)
        case text(String)
        case markup(String)
    }

    public let name: String
    private let parts: [Part]

    /// - Parameters:
    ///   - texts: The places that ``fill(_:markup:)`` will have text for.
    ///   - markup: The places that it will have markup for.
    /// - Throws: where the page has another place, one of the other kind, or one that does not end.
    public init(
        name: String, _ page: String, texts: Set<String>, markup: Set<String> = []
    ) throws(HTMLTemplateError) {
        self.name = name
        func failure(_ reason: String) -> HTMLTemplateError { HTMLTemplateError(description: "\(name): \(reason)") }
        var rest = Self.withoutComment(page)
        var parts: [Part] = []
        while let start = Self.position(of: "{{", in: rest) {
            if start > rest.startIndex { parts.append(.fixed(String(rest[..<start]))) }
            let isMarkup = rest[start...].hasPrefix("{{{")
            let (opening, closing) = (isMarkup ? 3 : 2, isMarkup ? "}}}" : "}}")
            rest = rest[start...].dropFirst(opening)
            guard let end = Self.position(of: closing, in: rest) else { throw failure("a place does not end") }
            let place = String(rest[..<end])
            guard (isMarkup ? markup : texts).contains(place) else {
                throw failure("nothing is known of the place \(isMarkup ? "{{{\(place)}}}" : "{{\(place)}}")")
            }
            parts.append(isMarkup ? .markup(place) : .text(place))
            rest = rest[end...].dropFirst(closing.count)
        }
        if !rest.isEmpty { parts.append(.fixed(String(rest))) }
        self.parts = parts
    }

    /// The names of its places.
    public var places: Set<String> {
        Set(
            parts.compactMap { part in
                switch part {
                case .fixed: nil
                case .text(let place), .markup(let place): place
                }
            })
    }

    /// The page with all its places filled; every one has to have its value.
    public func fill(_ texts: [String: String], markup: [String: HTMLMarkup] = [:]) -> HTMLMarkup {
        var page = ""
        for part in parts {
            switch part {
            case .fixed(let text): page += text
            case .text(let place):
                guard let text = texts[place] else { preconditionFailure("\(name) needs a text for \(place)") }
                page += HTMLText.escaped(text)
            case .markup(let place):
                guard let markup = markup[place] else { preconditionFailure("\(name) needs markup for \(place)") }
                page += markup.text
            }
        }
        return HTMLMarkup(text: page)
    }

    private static func withoutComment(_ page: String) -> Substring {
        guard page.hasPrefix("<!--"), let end = position(of: "-->", in: page[...]) else { return page[...] }
        return page[end...].dropFirst(3).drop(while: \.isNewline)
    }

    /// Where a text begins in another.
    private static func position(of needle: String, in text: Substring) -> Substring.Index? {
        let units = Array(needle.utf8)
        var index = text.utf8.startIndex
        while index < text.utf8.endIndex {
            if text.utf8[index...].starts(with: units) { return index }
            index = text.utf8.index(after: index)
        }
        return nil
    }
}
