/// Why this device cannot be reached by others.
public enum ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another program, or another agent, listens there.
    case portTaken(UInt16)
    /// This laptop has no such address, or the text is none.
    case badAddress(String)
    /// What the kernel said.
    case failed(String)

    public var description: String {
        switch self {
        case .portTaken(let port): "Port \(port) is in use by another program: choose another one or stop that program."
        case .badAddress(let host): "“\(host)” is not an address of this laptop."
        case .failed(let reason): "Cannot listen for other laptops: \(reason)."
        }
    }
}
