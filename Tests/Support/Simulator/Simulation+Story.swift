import SyncEngine
import WireFormat

/// What a run looks like from outside, for whoever looks for the cause of a failure.
extension Simulation {
    mutating func tell(_ index: Int, _ input: EngineInput, _ directives: [EngineDirective]) {
        if let line = Self.line(input) { tell("\(index) <- \(line)") }
        for directive in directives {
            if let line = Self.line(directive) { tell("\(index)    \(line)") }
        }
    }

    private static func line(_ input: EngineInput) -> String? {
        switch input {
        case .deadlineReached, .heard, .pieceStored(_, _, .stored), .received(_, .ping), .received(_, .pong): nil
        case .received(let link, let message): "\(link.number) says \(short(message))"
        default: short(input)
        }
    }

    private static func line(_ directive: EngineDirective) -> String? {
        switch directive {
        case .send(_, .ping), .send(_, .pong): nil
        case .send(let link, let message): "tells \(link.number) \(short(message))"
        default: short(directive)
        }
    }

    private static func short(_ value: Any) -> String {
        let text = "\(value)"
        return text.count > 300 ? text.prefix(300) + "…" : text
    }
}
