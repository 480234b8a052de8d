import LANDiscovery

/// What Avahi gives, asked by this program itself.
enum DiscoveryProbe {
    /// A laptop's Avahi may have to ask the network several times.
    private static let duration = Duration.seconds(4)
    private static let patience = Duration.seconds(6)

    /// - Parameters:
    ///   - tag: Of this laptop's gathering; the look ends early once another device of it has been found.
    ///   - own: This laptop's device.
    static func look(tag: [UInt8]?, own: [UInt8]?) async -> Observations.DiscoverySight {
        let answer = await ProbeThreads.run(within: patience) {
            Result { () throws(DiscoverySurvey.Failure) in
                try DiscoverySurvey.look(for: duration) { device in
                    device.tag == tag && device.devicePrefix != own && !device.addresses.isEmpty
                }
            }
        }
        switch answer {
        case .success(let devices):
            return .works(
                devices.map { .init(tag: $0.tag, devicePrefix: $0.devicePrefix, addresses: $0.addresses) })
        case .failure(.notRunning): return ProgramOutput.path(of: "avahi-daemon") == nil ? .missing : .stopped
        case .failure(.notAnswering), nil: return .silent
        case .failure(.tooManyConnections): return .noConnection
        }
    }
}
