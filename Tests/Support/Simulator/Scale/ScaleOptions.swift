/// A gathering of many devices without faults, of which only speed and effort are asked.
public struct ScaleOptions: Sendable {
    /// How a device learns where others are.
    public enum Joining: String, CaseIterable, Sendable {
        /// It is given the addresses of two random devices that came before it.
        case invited
        /// Everybody is given the address of the first device.
        case hub
        /// Everybody's announcement reaches everybody.
        case multicast
    }

    public var seed: UInt64 = 1
    public var deviceCount = 50
    public var joining = Joining.invited
    /// The last device comes after so many seconds.
    public var joinSeconds = 10.0
    /// From one device to another, one way, in seconds.
    public var delay = 0.010
    /// What each device sends and what it receives at most, in bytes a second: one rate for all its links together.
    public var rate = 12.5e6
    /// The part of the devices that leaves every minute; each stays away for a time between 5 and 25 seconds.
    public var churn = 0.0

    /// A device signs a summary of what it holds at most so often, in seconds.
    public var summaryInterval = 10.0

    public init() {}

    /// Until news is durable on the next device, in seconds: a round.
    public var roundSeconds: Double { delay + Simulation.commitMax / 2 }
}
