public import AlbumModel

/// What lets a device into a gathering: 64 bits, made of what was drawn and never chosen.
public struct InvitePhrase: Hashable, Sendable, CustomStringConvertible {
    private static let keyByteCount = 8
    private static let wordCount = 5
    private static let linkPrefix = "potluck://join/"

    /// The 64 bits, 8 bytes.
    public let key: [UInt8]

    /// The phrase of the epoch that a ruling begins: the first 8 bytes of scrypt over its seed, with the ruling in the
    /// salt. So whoever has the phrase can tell by the seed which ruling it belongs to. Blocks for about 100 ms and uses
    /// 32 MiB meanwhile, on purpose.
    ///
    /// - Throws: when there is no memory for it.
    public init(seed: Seed, ruling: RulingID) throws {
        self.init(
            key: try SlowHash.scrypt(
                seed.bytes, salt: Array("potluck epoch 1".utf8) + ruling.bytes, byteCount: Self.keyByteCount))
    }

    init(key: [UInt8]) {
        self.key = key
    }

    /// Reads a phrase as a person types or scans it: upper or lower case, words apart or together, with or without the
    /// link's beginning.
    public init(parsing text: String) throws(PhraseError) {
        var text = text.lowercased()[...]
        if let link = text.firstRange(of: Self.linkPrefix) { text = text[link.upperBound...] }
        do {
            key = try Proquint.bytes(checkedText: text, wordCount: Self.wordCount)
        } catch {
            throw PhraseError(error)
        }
    }

    /// Five words with dashes, the last of them a checksum: `lusab-babad-gutih-tugad-kabok`.
    public var text: String { Proquint.checkedText(key) }

    /// The phrase as a link, for a QR code.
    public var link: String { Self.linkPrefix + text }

    public var description: String { text }
}

/// Why a text is no invite phrase.
public enum PhraseError: Error, Hashable, Sendable, CustomStringConvertible {
    /// This word cannot occur in a phrase.
    case word(String)
    /// A phrase has five words.
    case wordCount(Int)
    /// Each word could be right, all of them together are not.
    case checksum

    fileprivate init(_ mistake: Proquint.Mistake) {
        self =
            switch mistake {
            case .word(let word): .word(word)
            case .wordCount(let count): .wordCount(count)
            case .checksum: .checksum
            }
    }

    public var description: String {
        switch self {
        case .word(let word): "“\(word)” cannot be part of an invite phrase: compare it letter by letter."
        case .wordCount(let count): "An invite phrase has five words of five letters, not \(count)."
        case .checksum: "One of the words is mistyped: compare the phrase with the one on the other laptop."
        }
    }
}
