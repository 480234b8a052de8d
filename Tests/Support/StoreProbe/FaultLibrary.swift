import Glibc

/// What a program can tell the library of faults.
public struct FaultLibrary: Sendable {
    /// Calls count from here on.
    public var begin: @Sendable () -> Void
    /// Ends what makes calls fail.
    public var heal: @Sendable () -> Void

    /// The one that was loaded before the program; without it nothing happens.
    public static let loaded = FaultLibrary(
        begin: { call("disk_faults_begin") }, heal: { call("disk_faults_heal") })

    private static func call(_ name: String) {
        guard let address = dlsym(nil, name) else { return }
        unsafeBitCast(address, to: (@convention(c) () -> Void).self)()
    }
}
