import Foundation
import Glibc
import TestSupport
import Testing

/// Causes are made for real, and `potluck doctor` has to name each of them, and nothing else.
extension LabTests {
    /// Before a program: it keeps its user, and none of root's rights.
    static let withoutRights = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]

    /// Two laptops that share photos: nothing is named on either, as root and as somebody who may not read the rules of
    /// the firewall, with an agent, and in the test between the two.
    ///
    /// Then, one after the other on one of them: a daemon that is away, missing, or stands still, firewalls, a VPN, a
    /// clock, limits, multicast that is off, a cable that is pulled. Each is mended before the next.
    @Test func causesOnThisLaptopAreNamed() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            try await ben.join(anna.startGathering("Doctor", as: "Anna"), as: "Ben")
            for laptop in [anna, ben] { _ = try await laptop.up("--listen", ":4711") }
            try await lab.connect([anna, ben])
            try await lab.here("mkdir", "-p", anna.folder)
            for laptop in [anna, ben] { try await laptop.expectHealthy() }
            let unprivileged = try await anna.diagnosis(before: Self.withoutRights)
            #expect(unprivileged.healthy, "\(unprivileged.words)")

            try await lab("avahi", "1", "stop")
            anna.expectCause("avahi-stopped", try await anna.diagnosis())
            try await anna.shell("mount --bind /dev/null /usr/sbin/avahi-daemon")
            anna.expectCause("avahi-missing", try await anna.diagnosis())
            try await anna.shell("umount /usr/sbin/avahi-daemon")
            try await lab("avahi", "1", "start")
            try await anna.shell("kill -STOP $(cat /run/avahi-daemon/pid)")
            anna.expectCause("avahi-silent", try await anna.diagnosis())
            try await anna.shell("kill -CONT $(cat /run/avahi-daemon/pid)")

            let chain = "add table inet f; add chain inet f in { type filter hook input priority 0; policy"
            let known = "add rule inet f in ct state established,related accept; add rule inet f in iif lo accept"
            try await anna.shell("nft '\(chain) drop; }; \(known); add rule inet f in udp dport 5353 accept'")
            let closed = try await anna.diagnosis()
            anna.expectCause("firewall", closed)
            #expect(closed.verdict.contains("4711"), "\(closed.verdict)")
            try await anna.shell(
                "nft 'delete table inet f; \(chain) drop; }; \(known); add rule inet f in tcp dport 4711 accept'")
            let deaf = try await anna.diagnosis()
            anna.expectCause("firewall", deaf)
            #expect(deaf.verdict.contains("5353"), "\(deaf.verdict)")
            let unread = try await anna.diagnosis(before: Self.withoutRights)
            #expect(unread.causes == ["firewall"], "seen by a query that does not come back: \(unread.words)")
            try await anna.shell("nft 'delete table inet f'")

            let routes = "ip route add 10.77.0.0/25 dev wg0 && ip route add 10.77.0.128/25 dev wg0"
            try await anna.shell(
                "ip link add wg0 type veth peer name far && ip addr add 10.99.0.2/24 dev wg0 && ip link set wg0 up && ip link set far up && \(routes)"
            )
            anna.expectCause("vpn", try await anna.diagnosis())
            try await anna.shell("ip link del wg0")

            let year = 365 * 24 * 3600
            for years in [-4, 30] {
                anna.expectCause("clock", try await anna.diagnosis(clockAhead: years * year))
            }
            let limit = ["unshare", "--user", "--map-root-user", "sh", "-c"]
            let watches = "echo 0 >/proc/sys/user/max_inotify_watches && exec \"$0\" \"$@\""
            anna.expectCause("watch-limit", try await anna.diagnosis(before: limit + [watches]))
            try await anna.shell("ip link set eth0 multicast off")
            anna.expectCause("multicast", try await anna.diagnosis())
            try await anna.shell("ip link set eth0 multicast on")
            try await lab("cut", "1")
            anna.expectCause("no-network", try await anna.diagnosis())
            try await lab("heal", "1")
            try await lab.connect([anna, ben])
            for laptop in [anna, ben] { try await laptop.expectHealthy() }
        }
    }

    /// What is between laptops: others of another gathering, an access point that keeps its guests apart, whether it lets
    /// announcements through or not, a firewall on the other laptop, a network without multicast, two networks; and
    /// nobody at all, of which nothing can be said.
    @Test func causesBetweenLaptopsAreNamed() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            let phrase = try await anna.startGathering("Between", as: "Anna")
            _ = try await anna.up("--listen", ":4711")
            _ = try await ben.startGathering("Others", as: "Ben")
            let stranger = try await ben.up()
            try await waitForCause("other-gathering", on: anna)
            try await stranger.stop()
            try await waitForCause("alone", on: anna)

            try await lab("world", "ip", "addr", "add", "10.77.0.254/24", "dev", "br0")
            for laptop in [anna, ben] { try await laptop.shell("ip route add default via 10.77.0.254") }
            try await lab.here("rm", "-rf", ben.home)
            try await ben.join(phrase, as: "Ben")
            let between = "iifname { \"c1\", \"c2\" } oifname { \"c1\", \"c2\" }"
            let toOne = "ether daddr & 01:00:00:00:00:00 != 01:00:00:00:00:00"
            let toMany = "ether daddr & 01:00:00:00:00:00 == 01:00:00:00:00:00 ether daddr != ff:ff:ff:ff:ff:ff"
            try await lab.drop("\(between) \(toOne)")
            let apart = try await ben.up("--listen", ":4711")
            try await waitForCause("isolation", on: anna)
            try await lab.drop(between)
            let helper = try await ben.help()
            anna.expectCause("isolation", try await anna.diagnosis("--with", ben.host))
            helper.signal(SIGINT)
            _ = try await helper.end(within: .seconds(30))
            try await apart.stop()
            try await lab.dropNothing()

            try await ben.shell(
                "nft 'add table inet f; add chain inet f in { type filter hook input priority 0; }; add chain inet f out { type filter hook output priority 0; }; add rule inet f in tcp dport 4711 drop; add rule inet f out tcp dport 4711 drop'"
            )
            let closed = try await ben.up("--listen", ":4711")
            try await waitForCause("firewall-there", on: anna)
            try await ben.shell("nft 'delete table inet f'")
            try await closed.stop()

            try await lab.drop("\(between) \(toMany)")
            for number in [1, 2] {
                try await lab("avahi", "\(number)", "stop")
                try await lab("avahi", "\(number)", "start")
            }
            let silent = try await ben.up("--listen", ":4711", "--peer", "\(anna.host):4711")
            try await lab.connect([anna, ben])
            try await waitForCause("multicast", on: anna)
            try await silent.stop()
            try await lab.dropNothing()

            try await ben.shell(
                "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6; ip addr flush dev eth0; ip addr add 10.78.0.2/24 dev eth0; ip route add 224.0.0.0/4 dev eth0 || true"
            )
            try await anna.shell("ip route del default")
            _ = try await ben.up("--listen", ":4711")
            try await waitForCause("two-networks", on: anna)
        }
    }

    /// Waits until the doctor names this cause and no other: an agent's announcement comes some time after its first word,
    /// and goes after its last one.
    private func waitForCause(_ cause: String, on laptop: Laptop) async throws {
        try await eventually("laptop \(laptop.number) names \(cause)", within: .seconds(60)) {
            let diagnosis = try await laptop.diagnosis()
            return .when(diagnosis.causes == [cause], diagnosis.words)
        }
    }

    /// The test with a helper: all is well; no helper; a clock that is years off, a network that carries no multicast from
    /// one of the two, no agent there, another gathering.
    @Test func testsWithAnotherLaptopNameCauses() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            try await ben.join(anna.startGathering("Test", as: "Anna"), as: "Ben")
            let annas = try await anna.up()
            let bens = try await ben.up()
            try await lab.connect([anna, ben])
            anna.expectCause("helper-missing", try await anna.diagnosis("--with", ben.host))
            var helper = try await ben.help()
            for name in [ben.host, "ben"] { try await anna.expectHealthy("--with", name) }

            try await lab.drop(
                "iifname \"c2\" ether daddr & 01:00:00:00:00:00 == 01:00:00:00:00:00 ether daddr != ff:ff:ff:ff:ff:ff")
            let deaf = try await anna.diagnosis("--with", ben.host)
            #expect(deaf.causes == ["multicast"] && deaf.verdict.contains("this laptop does not get"), "\(deaf.words)")
            try await lab.dropNothing()

            try await bens.stop()
            let stopped = try await anna.diagnosis("--with", ben.host)
            #expect(stopped.causes == ["agent-there"], "\(stopped.words)")
            helper.signal(SIGINT)
            _ = try await helper.end(within: .seconds(30))

            helper = try await ben.help(clockAhead: 3 * 365 * 24 * 3600)
            _ = try await ben.up()
            try await lab.connect([anna, ben])
            let wrong = try await anna.diagnosis("--with", ben.host)
            #expect(wrong.causes == ["clock"] && wrong.verdict.contains("3 years ahead"), "\(wrong.words)")
            helper.signal(SIGINT)
            _ = try await helper.end(within: .seconds(30))
            try await annas.stop()
        }
    }

    /// Without an agent: no gathering, no agent, a port that another program has, a folder on a drive of the network; and
    /// with one a disk that is full, and discovery that is off.
    @Test func causesOfHomesAreNamed() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = (lab.laptop(1), lab.laptop(2))
            anna.expectCause("no-gathering", try await anna.diagnosis())
            try await ben.mountDisk(at: ben.home, megabytes: 64)
            try await ben.join(anna.startGathering("Homes", as: "Anna"), as: "Ben")
            _ = try await ben.up("--reserve", "6MB")
            anna.expectCause("agent-stopped", try await anna.diagnosis())

            let program =
                "import socket,time; s=socket.create_server(('',4711)); print('on',flush=True); time.sleep(600)"
            let other = try lab.launch(1, ["python3", "-c", program], output: "\(lab.files)/other")
            try await wait(for: "\(lab.files)/other", toSay: "on")
            let taken = try await anna.diagnosis("--listen", ":4711")
            anna.expectCause("port-taken", taken)
            #expect(taken.verdict.contains("4711"), "\(taken.verdict)")
            other.signal(SIGKILL)
            _ = try await other.end(within: .seconds(30))

            let drive = "\(lab.files)/drive"
            try await lab.here("mkdir", drive)
            let mounting = "\(Machine.root)/Scripts/labtools/netdrive.py"
            _ = try lab.launch(1, ["python3", mounting, drive], output: "\(lab.files)/mounted")
            try await wait(for: "\(lab.files)/mounted", toSay: "mounted")
            let remote = try await anna.diagnosis("--folder", drive)
            #expect(remote.causes == ["network-drive", "agent-stopped"], "\(remote.words)")
            try await anna.shell("umount \(drive)")

            _ = try await anna.up()
            try await lab.connect([anna, ben])
            try await ben.expectHealthy()
            try await ben.fillDisk(leaving: 4_000_000)
            ben.expectCause("disk-full", try await ben.diagnosis())
        }
    }

    private func wait(for path: String, toSay word: String) async throws {
        try await eventually("\(path) says \(word)") {
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return .when(text.contains(word), text)
        }
    }
}

extension Lab {
    private static let nothing = "add table bridge d; delete table bridge d"

    /// Has the bridge of all laptops drop what matches these words of nft, and nothing else. At no moment in between does it
    /// let everything pass: laptops that are kept apart would find each other by one packet.
    fileprivate func drop(_ match: String) async throws {
        let chain = "add table bridge d; add chain bridge d f { type filter hook forward priority 0; }"
        try await self("world", "nft", "\(Self.nothing); \(chain); add rule bridge d f \(match) drop")
    }

    fileprivate func dropNothing() async throws { try await self("world", "nft", Self.nothing) }
}
