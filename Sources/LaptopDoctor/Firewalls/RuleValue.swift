/// A part of a rule, as JSON has it.
enum RuleValue: Decodable, Hashable, Sendable {
    case nothing
    case number(Int)
    case text(String)
    case list([RuleValue])
    case members([String: RuleValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([RuleValue].self) {
            self = .list(list)
        } else if let members = try? container.decode([String: RuleValue].self) {
            self = .members(members)
        } else {
            // Null, and what no rule that is understood here has.
            self = .nothing
        }
    }

    subscript(key: String) -> RuleValue? { if case .members(let members) = self { members[key] } else { nil } }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var number: Int? { if case .number(let number) = self { number } else { nil } }
    var elements: [RuleValue]? { if case .list(let list) = self { list } else { nil } }

    /// A statement is an object of one member.
    var onlyMember: (key: String, value: RuleValue)? {
        guard case .members(let members) = self, members.count == 1 else { return nil }
        return members.first.map { ($0.key, $0.value) }
    }
}
