import AlbumModel

/// Engines with one planted fault, by the fault's name: to see that the checkers find it.
public struct Mutant: RawRepresentable, CaseIterable, Hashable, Sendable {
    public static let allCases = PlantedFault.simulated.map { Mutant($0) }

    /// Whether this build has mutants.
    public static var isAvailable: Bool { PlantedFault.isAvailable }

    let fault: PlantedFault

    init(_ fault: PlantedFault) {
        self.fault = fault
    }

    public init?(rawValue: String) {
        guard let fault = PlantedFault(rawValue: rawValue), PlantedFault.simulated.contains(fault) else { return nil }
        self.fault = fault
    }

    public var rawValue: String { fault.rawValue }

    /// The fault's name in the sources.
    public var caseName: String { "\(fault)" }
}
