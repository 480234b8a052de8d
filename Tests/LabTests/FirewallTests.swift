import Foundation
import Glibc
import TestSupport
import Testing

/// ufw and firewalld run on a laptop, and `potluck doctor` has to name them, and what helps has to help.
///
/// Their files on that laptop are its own: those of this machine are neither read nor changed.
extension LabTests {
    /// As a fresh ufw has it, then with a rule that denies the port, it keeps others out, and is named with its own
    /// command, which is run. Who may not read its rules gets that command by the test with another laptop.
    @Test(.enabled(if: Machine.has("ufw", files: ["/usr/share/ufw/ufw.conf"]), "ufw is not installed"))
    func ufwIsNamed() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, ben) = try await lab.neighbours()
            try await anna.shell(
                """
                set -e
                mkdir /run/ufw /run/ufw/applications.d
                cp /usr/share/ufw/*.rules /usr/share/ufw/*.init /usr/share/ufw/ufw.conf /etc/ufw/sysctl.conf /run/ufw
                mount --bind /run/ufw /etc/ufw
                ufw --force enable
                """)
            let closed = try await anna.diagnosis()
            anna.expectFirewall("ufw", advice: ["sudo ufw allow 4711/tcp"], closed)

            try await anna.shell("chmod 0 /etc/ufw/user.rules")
            let unread = try await anna.diagnosis(before: Self.withoutRights)
            #expect(unread.healthy, "\(unread.words)")
            let helper = try await ben.help()
            let tested = try await anna.diagnosis("--with", ben.host, before: Self.withoutRights)
            anna.expectCause("firewall", tested)
            #expect(tested.findings.first?.advice.first == "sudo ufw allow 4711/tcp", "\(tested.verdict)")
            helper.signal(SIGINT)
            _ = try await helper.end(within: .seconds(30))
            try await anna.shell("chmod 640 /etc/ufw/user.rules")

            try await anna.follow(closed)
            try await anna.expectHealthy()
            try await anna.shell("ufw deny 4711/tcp")
            anna.expectFirewall("ufw", advice: ["sudo ufw allow 4711/tcp"], try await anna.diagnosis())
            try await anna.shell("ufw disable")
            try await anna.expectHealthy()
        }
    }

    /// In the default zone it keeps out connections and announcements; in a zone that trusts all it is not named; in a
    /// third one what helps is meant for that zone.
    @Test(.enabled(if: Machine.has("firewalld", "firewall-cmd"), "firewalld is not installed"))
    func firewalldIsNamed() async throws {
        try await Lab.run(laptops: 2) { lab in
            let (anna, _) = try await lab.neighbours()
            try await anna.shell("mount -t tmpfs tmpfs /etc/firewalld && mount -t tmpfs tmpfs /var/log")
            _ = try lab.launch(1, ["firewalld", "--nofork", "--nopid"], output: "\(lab.files)/firewalld")
            try await eventually("firewalld runs") {
                let state = try await lab.execute(1, ["firewall-cmd", "--state"])
                return .when(state.status == 0, state.text + state.errors)
            }
            // Some systems let it in.
            try await anna.shell("firewall-cmd --remove-service=mdns")
            let command = "sudo firewall-cmd --permanent", reload = "firewall-cmd --reload"
            let advice = ["--add-port=4711/tcp", "--add-service=mdns"]
            anna.expectFirewall(
                "firewalld", advice: advice.map { "\(command) \($0) && sudo \(reload)" }, try await anna.diagnosis())

            try await anna.shell("firewall-cmd --zone=trusted --change-interface=eth0")
            try await anna.expectHealthy()
            // For good: the commands load the zones anew.
            try await anna.shell("firewall-cmd --permanent --zone=work --change-interface=eth0 && \(reload)")
            try await anna.shell("firewall-cmd --zone=work --remove-service=mdns")
            let atWork = try await anna.diagnosis()
            anna.expectFirewall(
                "firewalld", advice: advice.map { "\(command) --zone=work \($0) && sudo \(reload)" }, atWork)
            try await anna.follow(atWork)
            try await anna.expectHealthy()
        }
    }
}

extension Machine {
    /// Whether the lab finds these programs, and these files are there.
    fileprivate static func has(_ programs: String..., files: [String] = []) -> Bool {
        let directories = (variables["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
        let manager = FileManager.default
        return programs.allSatisfy { program in
            directories.contains { manager.isExecutableFile(atPath: "\($0)/\(program)") }
        } && files.allSatisfy { manager.fileExists(atPath: $0) }
    }
}

extension Lab {
    /// Two laptops that are connected, with the agents' port fixed.
    fileprivate func neighbours() async throws -> (Laptop, Laptop) {
        let (anna, ben) = (laptop(1), laptop(2))
        try await ben.join(anna.startGathering("Walls", as: "Anna"), as: "Ben")
        for laptop in [anna, ben] { _ = try await laptop.up("--listen", ":4711") }
        try await connect([anna, ben])
        try await here("mkdir", "-p", anna.folder)
        return (anna, ben)
    }
}

extension Laptop {
    /// The doctor names this firewall for the agent's port, with these commands.
    fileprivate func expectFirewall(
        _ tool: String, advice: [String], _ diagnosis: Diagnosis, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectCause("firewall", diagnosis, sourceLocation: sourceLocation)
        let words = "The firewall of this laptop (\(tool)) keeps out connections of other laptops (TCP port 4711)"
        #expect(diagnosis.verdict.hasPrefix(words), "\(diagnosis.verdict)", sourceLocation: sourceLocation)
        #expect(diagnosis.findings.first?.advice == advice, sourceLocation: sourceLocation)
    }

    /// Runs the commands that the doctor gives, as root.
    fileprivate func follow(_ diagnosis: Diagnosis) async throws {
        let commands = diagnosis.findings.flatMap(\.advice)
        try await shell((["set -e", "sudo() { \"$@\"; }"] + commands).joined(separator: "\n"))
    }
}
