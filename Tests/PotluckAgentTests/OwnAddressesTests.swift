import SyncEngine
import Testing

@testable import PotluckAgent

/// In which order a laptop names its addresses: in its link, in its QR code, and to other laptops.
@Suite struct OwnAddressesTests {
    private func usable(_ addresses: KeyValuePairs<String, String>, host: String = "", routed: String?) -> [String] {
        let all = addresses.map { MachineAddresses.Address(host: $1, interface: $0) }
        let found = OwnAddresses.usable(all, host: host, routed: routed)
        // The order in which the system lists them plays no part.
        #expect(OwnAddresses.usable(all.reversed(), host: host, routed: routed) == found)
        return found
    }

    /// Shows that the address of the default route is first, bridges and tunnels are late, and link-local ones last.
    @Test func whatPhonesReachIsFirst() {
        let laptop: KeyValuePairs = [
            "lo": "127.0.0.1", "docker0": "10.0.0.1", "br-0f3c": "10.1.0.1", "virbr0": "10.2.0.1", "veth1a": "10.3.0.1",
            "lxcbr0": "10.4.0.1", "vmnet8": "10.5.0.1", "tun0": "10.6.0.2", "tap0": "10.7.0.2", "wg0": "10.8.0.2",
            "eth0": "169.254.3.4", "enp3s0": "172.20.0.9", "wlan0": "192.168.1.7", "wlan1": "fd00::7",
            "wlan2": "fe80::7", "lo2": "::1",
        ]
        let expected = [
            "172.20.0.9", "fd00::7", "10.0.0.1", "10.1.0.1", "10.2.0.1", "10.3.0.1", "10.4.0.1", "10.5.0.1", "10.6.0.2",
            "10.7.0.2", "10.8.0.2", "169.254.3.4",
        ]
        #expect(usable(laptop, routed: "192.168.1.7") == ["192.168.1.7"] + expected)
        #expect(usable(laptop, routed: nil) == ["172.20.0.9", "192.168.1.7"] + expected.dropFirst())
        #expect(usable(laptop, host: "10.0.0.1", routed: "192.168.1.7") == ["10.0.0.1"])
    }

    /// Shows that a tunnel that everything goes through is not what phones get, and a bridge of the house is.
    @Test func tunnelsAreNoWayIn() {
        #expect(
            usable(["tun0": "10.8.0.2", "wlan0": "192.168.1.7"], routed: "10.8.0.2") == ["192.168.1.7", "10.8.0.2"])
        #expect(
            usable(["br0": "192.168.1.7", "eth1": "10.0.0.7"], routed: "192.168.1.7") == ["192.168.1.7", "10.0.0.7"])
        #expect(usable(["eth0": "169.254.3.4"], routed: "169.254.3.4") == ["169.254.3.4"])
    }

    /// Shows that an address of two interfaces is named once, for what the better one is.
    @Test func addressesOfTwoInterfacesStandOnce() {
        let both: KeyValuePairs = ["veth0": "10.9.0.1", "eth0": "10.9.0.1", "eth1": "10.9.0.2"]
        #expect(usable(both, routed: nil) == ["10.9.0.1", "10.9.0.2"])
    }

    /// Shows where pages look for another laptop: at its four best IPv4 addresses, since its door is one of IPv4.
    @Test func pagesTryTheBestAddresses() {
        func origins(_ hosts: String...) -> [String] {
            Engine.doorOrigins(hosts.map { PeerAddress(host: $0, port: 4711) }, port: 4712)
        }
        #expect(
            origins("fd00::6", "169.254.3.4", "10.0.0.6", "127.0.0.1", "ben.local", "10.0.0.6", "192.168.1.6")
                == ["http://10.0.0.6:4712", "http://192.168.1.6:4712", "http://169.254.3.4:4712"])
        #expect(origins("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5").count == 4)
        #expect(origins("fe80::6%eth0", "fd00::6").isEmpty)
    }
}
