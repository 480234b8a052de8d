import AlbumModel
import Crypto

/// Sixteen bits as a pronounceable word of five letters (Wilkerson, "A Proposal for Proquints", 2009).
enum Proquint {
    static let letterCount = 5
    private static let consonants = Array("bdfghjklmnprstvz".utf8)
    private static let vowels = Array("aiou".utf8)

    static func word(_ value: UInt16) -> String {
        let letters = [
            consonants[Int(value >> 12)], vowels[Int(value >> 10 & 3)], consonants[Int(value >> 6 & 15)],
            vowels[Int(value >> 4 & 3)], consonants[Int(value & 15)],
        ]
        return String(decoding: letters, as: UTF8.self)
    }

    /// `nil` unless `word` is five lower-case letters of the right kinds.
    static func value(_ word: some StringProtocol) -> UInt16? {
        let letters = Array(word.utf8)
        guard letters.count == letterCount else { return nil }
        var value: UInt16 = 0
        for (place, letter) in letters.enumerated() {
            let isConsonant = place.isMultiple(of: 2)
            guard let digit = (isConsonant ? consonants : vowels).firstIndex(of: letter) else { return nil }
            value = value << (isConsonant ? 4 : 2) | UInt16(digit)
        }
        return value
    }

    /// Bytes as words with dashes, two bytes a word, and a last word that is their checksum: the first 16 bits of their
    /// SHA-256.
    ///
    /// - Parameter bytes: an even number of them.
    static func checkedText(_ bytes: [UInt8]) -> String {
        let values = stride(from: 0, to: bytes.count, by: 2).map { UInt16(BigEndian.word(bytes[$0..<$0 + 2])) }
        return (values + [checksum(bytes)]).map(word).joined(separator: "-")
    }

    /// Why a text holds no words of ``checkedText(_:)``.
    enum Mistake: Error, Hashable, Sendable {
        case word(String)
        /// The text has so many words.
        case wordCount(Int)
        case checksum
    }

    /// Reads words as a person types them: upper or lower case, apart or together.
    ///
    /// - Parameter wordCount: with the checksum.
    static func bytes(checkedText text: some StringProtocol, wordCount: Int) throws(Mistake) -> [UInt8] {
        var values: [UInt16] = []
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
            values += try Self.values(of: word)
        }
        guard values.count == wordCount else { throw .wordCount(values.count) }
        let bytes = values.dropLast().flatMap { BigEndian.bytes($0) }
        guard checksum(bytes) == values.last else { throw .checksum }
        return bytes
    }

    private static func values(of word: Substring) throws(Mistake) -> [UInt16] {
        var values: [UInt16] = []
        var rest = word
        while !rest.isEmpty {
            // No more than is wrong: the rest may be right, and secret.
            guard let value = value(rest.prefix(letterCount)) else { throw .word(String(rest.prefix(letterCount))) }
            values.append(value)
            rest = rest.dropFirst(letterCount)
        }
        return values
    }

    /// The first 16 bits of the SHA-256.
    static func checksum(_ bytes: [UInt8]) -> UInt16 { UInt16(BigEndian.word(SHA256.hash(data: bytes).prefix(2))) }
}
