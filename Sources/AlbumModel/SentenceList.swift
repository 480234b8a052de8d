extension [String] {
    /// The texts as a sentence names them: `A`, `A and B`, `A, B and C`; empty for none.
    package var sentenceList: String {
        guard let last, count > 1 else { return first ?? "" }
        return "\(dropLast().joined(separator: ", ")) and \(last)"
    }
}
