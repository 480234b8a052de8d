import Foundation

/// The mutants that were caught, and a run that catches each, kept in a text file: a line has a fault's name, then a seed
/// or options.
public enum PinnedMutants {
    private static let head = """
        # Planted faults that the simulator catches, each with a run that does: a seed, or options as `simulate` prints
        # them. Tests replay these runs; `Scripts/simulate --mutants --write` looks for new ones and writes them here.
        """

    /// - Throws: if the file cannot be read, or a line is not a fault and a run.
    public static func read(_ path: String) throws -> [Mutant: SimulationOptions] {
        var pinned: [Mutant: SimulationOptions] = [:]
        for line in try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline) {
            let words = line.prefix { $0 != "#" }.split(separator: " ", maxSplits: 1)
            guard let name = words.first else { continue }
            let run = words.dropFirst().first?.trimmingCharacters(in: .whitespaces)
            guard let mutant = Mutant(rawValue: String(name)), let options = run.flatMap({ SimulationOptions($0) })
            else {
                throw UnreadableMutant(file: path, line: String(line))
            }
            pinned[mutant] = options
        }
        return pinned
    }

    public static func write(_ pinned: [Mutant: SimulationOptions], to path: String) throws {
        let lines = pinned.sorted { $0.key.rawValue < $1.key.rawValue }.map { mutant, options in
            let isDrawn = options == SimulationOptions(seed: options.seed)
            return "\(mutant.rawValue) \(isDrawn ? "\(options.seed)" : options.description)"
        }
        let text = ([head] + lines).joined(separator: "\n") + "\n"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    struct UnreadableMutant: Error, CustomStringConvertible {
        var file: String
        var line: String
        var description: String { "\(file): \"\(line)\" is not a planted fault and a run" }
    }
}
