import Testing

@testable import LaptopDoctor

/// What the system's tables say.
@Suite struct TableTests {
    /// Shows addresses and networks as text, and what is no address.
    @Test func addresses() throws {
        let network = try #require(IPv4Network("192.168.1.20/24"))
        #expect(network.contains(IPv4("192.168.1.255")!) && !network.contains(IPv4("192.168.2.1")!))
        #expect("\(network)" == "192.168.1.20/24")
        #expect(network.samples.allSatisfy { network.contains($0) && $0 != network.address })
        #expect(IPv4Network("10.0.0.1/32")!.samples.isEmpty && IPv4Network("0.0.0.0/0")!.contains(IPv4("8.8.8.8")!))
        #expect(IPv4("169.254.1.2")!.isLinkLocal && !IPv4("192.254.1.2")!.isLinkLocal)
        for text in ["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "a.b.c.d", "fe80::1"] {
            #expect(IPv4(text) == nil, "\(text)")
        }
        for text in ["1.2.3.4/33", "1.2.3.4/", "1.2.3.4/8/8"] { #expect(IPv4Network(text) == nil, "\(text)") }
    }

    /// Shows that the default route with the smallest metric leads to the router.
    @Test func routes() {
        let table = RouteTable(
            text: """
                Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
                wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
                eth0\t00000000\t0102A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
                eth0\t0002A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
                """)
        #expect(table.gateway?.address == IPv4("192.168.2.1") && table.gateway?.interface == "eth0")
        #expect(RouteTable(text: "").gateway == nil)
    }

    /// Shows which neighbours answer, which do not, and of which the kernel is about to be sure.
    @Test func neighbours() throws {
        let table = NeighbourTable(
            json: """
                [{"dst":"10.0.0.1","dev":"eth0","lladdr":"aa","state":["REACHABLE"]},
                {"dst":"10.0.0.2","dev":"eth0","state":["FAILED"]},
                {"dst":"10.0.0.3","dev":"eth0","lladdr":"cc","state":["DELAY"]},
                {"dst":"10.0.0.4","dev":"eth0","state":["INCOMPLETE"]}]
                """)
        #expect(table.state(of: IPv4("10.0.0.1")!) == .settled(.answers(hardware: "aa")))
        #expect(table.state(of: IPv4("10.0.0.2")!) == .settled(.silent))
        #expect(table.state(of: IPv4("10.0.0.3")!) == .pending && table.state(of: IPv4("10.0.0.4")!) == .pending)
        #expect(table.verdict(on: IPv4("10.0.0.3")!) == .silent)
        #expect(table.verdict(on: IPv4("10.0.0.4")!) == .silent)
        #expect(table.verdict(on: IPv4("10.0.0.5")!) == .unknown)
        #expect(NeighbourTable(json: "no").verdict(on: IPv4("10.0.0.1")!) == .unknown)
    }

    /// Shows that a path is on the deepest mount above it, the last of several at one place, with blanks in its name.
    @Test func mounts() {
        let table = MountTable(
            text: """
                22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
                30 22 0:40 / /home rw - ext4 /dev/vdb rw
                31 22 0:41 / /home rw - btrfs /dev/vdb rw
                40 31 0:50 / /home/g/My\\040Pictures rw,nosuid shared:2 master:1 - fuse.sshfs ben@nas: rw
                """)
        #expect(table.fileSystem(of: "/srv/photos") == "ext4")
        #expect(table.fileSystem(of: "/home/g") == "btrfs" && table.fileSystem(of: "/homes") == "ext4")
        #expect(table.fileSystem(of: "/home/g/My Pictures/Potluck") == "fuse.sshfs")
        #expect(MountTable(text: "nonsense - ").fileSystem(of: "/") == nil)
    }

    /// Shows what names of interfaces are taken for.
    @Test func interfaces() {
        func kind(_ name: String, pointToPoint: Bool = false) -> NetworkSight.Kind {
            NetworkSight.Kind(name: name, isLoopback: name == "lo", isPointToPoint: pointToPoint)
        }
        #expect(kind("wlp3s0") == .local && kind("enp0s31f6") == .local && kind("lo") == .loopback)
        #expect(kind("tun0") == .tunnel && kind("wg-home") == .tunnel && kind("x", pointToPoint: true) == .tunnel)
        #expect(kind("docker0") == .inner && kind("br-1234") == .inner)
    }

    /// Shows that a marked query is known by its mark, and that answers are told from queries.
    @Test func marks() {
        let message = MDNSMessage.marked("abcdefgh")
        #expect(MDNSMessage.carries("abcdefgh", message))
        #expect(!MDNSMessage.carries("abcdefgi", message) && !MDNSMessage.carries("abcdefg", message))
        #expect(!MDNSMessage.carries("abcdefgh", []) && !MDNSMessage.isAnswer(message) && !MDNSMessage.isAnswer([0]))
        #expect(MDNSMessage.isAnswer([0, 0, 0x84] + Array(repeating: 0, count: 9)))
        #expect(MDNSMessage.isMark(MDNSMessage.newMark()))
        #expect(!MDNSMessage.isMark("") && !MDNSMessage.isMark("abcdefghijklmnoP"))
        #expect(!MDNSMessage.isMark(String(repeating: "a", count: 17)))
    }

    /// Shows that a device's first eight bytes are read from its identifier.
    @Test func prefixes() {
        #expect(Doctor.prefix("00ff0102030405060708") == [0, 255, 1, 2, 3, 4, 5, 6])
        #expect(Doctor.prefix("00ff") == nil && Doctor.prefix("zz") == nil)
    }

    /// Shows that a program that does not end is ended, and what is said of one that fails or is not there.
    @Test func programs() {
        #expect(ProgramOutput.of("echo", ["a"]) == .printed("a\n"))
        #expect(ProgramOutput.of("false", []) == .failed)
        #expect(ProgramOutput.of("no-such-program", []) == .absent)
        #expect(ProgramOutput.of("sleep", ["60"], within: .milliseconds(100)) == .failed)
    }
}
