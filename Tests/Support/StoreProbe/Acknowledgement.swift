public import AlbumModel

/// What a store told the probe, as a line of text: how a test knows what a dead process was promised.
public enum Acknowledgement: Hashable, Sendable {
    /// The blob is durable.
    case blob(BlobID)
    /// The blob was let go of, durably.
    case gone(BlobID)
    /// A piece was verified and written; it survives the process, and not a power cut.
    case piece(BlobID, Int)
    /// So many pieces were there when receiving went on.
    case resumed(BlobID, Int)
    /// The batch is durable.
    case batch(BatchID)
    /// The fact is durable.
    case fact(key: [UInt8], value: [UInt8])
    /// The blob stands, durably, under this name in the folder.
    case placed(BlobID, name: String)
    /// The index was made from what this stamp stands for.
    case indexed(Int)
    /// What became of a photo, durably: a word that the operation and its rules agree on.
    case photo(BlobID, String)
    /// A backup is whole, or a home that was made of one.
    case whole
    /// A call failed, with a sentence for people.
    case failed(String)
    /// The operation has come to its end.
    case done

    public var line: String {
        switch self {
        case .blob(let id): "blob \(id)"
        case .gone(let id): "gone \(id)"
        case .piece(let id, let number): "piece \(id) \(number)"
        case .resumed(let id, let count): "resumed \(id) \(count)"
        case .batch(let id): "batch \(id)"
        case .fact(let key, let value): "fact \(Hexadecimal.text(key)) \(Hexadecimal.text(value))"
        case .placed(let id, let name): "placed \(id) \(name)"
        case .indexed(let level): "indexed \(level)"
        case .photo(let id, let word): "photo \(id) \(word)"
        case .whole: "whole"
        case .failed(let sentence): "failed \(sentence.split(separator: "\n").joined(separator: " "))"
        case .done: "done"
        }
    }

    /// `nil` for a line of another kind, or one that was cut off.
    public init?(line: some StringProtocol) {
        let words = String(line).split(separator: " ", maxSplits: 2).map { String($0) }
        switch (words.first, words.count) {
        case ("blob", 2): self.init(BlobID(hex: words[1])) { .blob($0) }
        case ("gone", 2): self.init(BlobID(hex: words[1])) { .gone($0) }
        case ("piece", 3): self.init(BlobID(hex: words[1]), Int(words[2])) { .piece($0, $1) }
        case ("resumed", 3): self.init(BlobID(hex: words[1]), Int(words[2])) { .resumed($0, $1) }
        case ("batch", 2): self.init(BatchID(hex: words[1])) { .batch($0) }
        case ("fact", 3):
            self.init(Hexadecimal.bytes(words[1]), Hexadecimal.bytes(words[2])) { .fact(key: $0, value: $1) }
        case ("placed", 3): self.init(BlobID(hex: words[1]), words[2]) { .placed($0, name: $1) }
        case ("indexed", 2): self.init(Int(words[1])) { .indexed($0) }
        case ("photo", 3): self.init(BlobID(hex: words[1]), words[2]) { .photo($0, $1) }
        case ("whole", 1): self = .whole
        case ("failed", _): self = .failed(words.dropFirst().joined(separator: " "))
        case ("done", 1): self = .done
        default: return nil
        }
    }

    private init?<Part>(_ part: Part?, _ make: (Part) -> Acknowledgement) {
        guard let part else { return nil }
        self = make(part)
    }

    private init?<First, Second>(
        _ first: First?, _ second: Second?, _ make: (First, Second) -> Acknowledgement
    ) {
        guard let first, let second else { return nil }
        self = make(first, second)
    }
}
