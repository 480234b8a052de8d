import AlbumModel
import FoundationEssentials
import PeerTransport
import PhotoStore
import PotluckAPI
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PotluckAgent

/// Who decides who takes part: the founding of a gathering, what homes keep of rulings, and hosts that are named.
@Suite(.timeLimit(.minutes(1))) struct HostsTests {
    /// A new gathering's phrase is made of its founding and the seed, which the home keeps with the device's key; the code on
    /// paper is in none of its files.
    @Test func aGatheringBeginsWithItsFounding() async throws {
        let home = "/tmp/potluck-founding-\(UInt64.random(in: 0...UInt64.max))"
        // A leftover in /tmp is no reason to fail.
        defer { try? FileManager.default.removeItem(atPath: home) }
        let report = try await HomeSetup.host(home: home, gathering: "Kuh reunion", device: "Grandma")
        let journal = try Journal(home: home)
        let membership = try #require(try Membership.load(journal))
        let kept = try journal.rulings()
        let founding = try Ruling(decoding: try #require(kept.statements.first).content)
        #expect(kept.statements.count == 1 && founding.author == membership.identity.deviceID)
        let ruling = RulingID(content: kept.statements[0].content)
        let seed = try #require(kept.seeds[ruling])
        #expect(founding.founding?.commitment == seed.commitment)
        #expect(try InvitePhrase(seed: seed, ruling: ruling).text == report.phrase)
        let epoch = try #require(try journal.fact(.epoch, ruling.bytes))
        #expect(epoch == seed.bytes + membership.secrets.bytes)
        let code = Data(report.recoveryCode.utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: home) {
            let bytes = FileManager.default.contents(atPath: "\(home)/\(name)") ?? Data()
            #expect(bytes.firstRange(of: code) == nil, "\(name) has the recovery code")
        }
    }

    /// The founder names Ben, also by his ID; the next agent still knows it, a backup too, and whoever is named again is
    /// one already.
    @Test func aHostNamesAnother() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            try await RunningAgent.run(gathering.anna.path) { running in
                let control = running.control()
                #expect(try await control.hosts().hosts.map(\.isHere) == [true])
                let addition = try await control.addHost("ben")
                #expect(addition.name == "Ben" && addition.isNew)
                #expect(try await control.hosts().hosts.map(\.name) == ["Anna", "Ben"])
                #expect(try await control.peers().peers.map(\.isHost) == [true])
                #expect(try await control.addHost(String(addition.id.prefix(12))).isNew == false)
                #expect(try await control.addHost("Anna").isNew == false)
                await expectRefusal(.usage, "“Carla”") { try await control.addHost("Carla") }
            }
            let listed = try await OfflineListings(home: gathering.anna.path).hosts()
            #expect(listed.founding == .known && listed.hosts.map(\.name) == ["Anna", "Ben"])

            let backup = gathering.root + "/backup"
            _ = try await Backup.make(home: gathering.anna.path, directory: backup, check: false) { _ in }
            let restored = gathering.root + "/restored"
            _ = try await Restore.run(directory: backup, home: restored) { _ in }
            #expect(try await OfflineListings(home: restored).hosts() == listed)
        }
    }

    /// Ben is put out: what that means is said first, the phrase is another one then, and he is listed as out. No laptop puts
    /// itself out, nobody twice, and who is no host nobody.
    @Test func aLaptopIsPutOut() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            try await RunningAgent.run(gathering.anna.path) { running in
                let control = running.control()
                await expectRefusal(.usage, "cannot put itself out") {
                    try await control.putOutPlan(["Anna"], recoveryCode: nil)
                }
                let plan = try await control.putOutPlan(["ben"], recoveryCode: nil)
                #expect(plan.out.map(\.laptop.name) == ["Ben"] && plan.out.map(\.photos) == [1])
                #expect(plan.staying.map(\.name) == ["Anna"] && plan.continuing.isEmpty && plan.formerly.isEmpty)
                // Who signs a guest's ticket is let in by it.
                let signing = try #require(try Membership.load(Journal(home: gathering.ben.path))).signing
                let options = AgentOptions(
                    home: gathering.anna.path, folder: "/nonexistent", listen: nil, peers: [], discovery: false,
                    logger: running.parts.logger)
                let gallery = AgentGallery(control: control, options: options)
                let (signature, ben) = (signing.signature(over: [7]), plan.out[0].laptop.id)
                #expect(await gallery.isSignature(signature, over: [7], by: ben))
                let before = try await control.inviteReport().phrase
                let epochBefore = await control.guests().epoch
                #expect(try await control.putOut(["ben"], recoveryCode: nil).phrase != before)
                #expect(try await control.peers().peers.map(\.isOut) == [true])
                #expect(await control.guests().epoch == epochBefore + 1)
                #expect(await !gallery.isSignature(signature, over: [7], by: ben))
                await expectRefusal(.usage, "out already") { try await control.putOutPlan(["Ben"], recoveryCode: nil) }
            }
            try await RunningAgent.run(gathering.ben.path) { running in
                await expectRefusal(.badSetting, "does not know the hosts yet") {
                    try await running.control().putOut(["Anna"], recoveryCode: nil)
                }
            }
        }
    }

    /// Anna's laptop is stolen: on Ben's, which is no host, her recovery code puts it out. Ben is host then, and a code that
    /// is none, or another gathering's, does nothing.
    @Test func theRecoveryCodePutsTheFirstHostOut() async throws {
        let home = "/tmp/potluck-recovery-\(UInt64.random(in: 0...UInt64.max))"
        // A leftover in /tmp is no reason to fail.
        defer { try? FileManager.default.removeItem(atPath: home) }
        let hosted = try await HomeSetup.host(home: home + "/anna", gathering: "Kuh reunion", device: "Anna")
        _ = try await HomeSetup.join(home: home + "/ben", phrase: hosted.phrase, device: "Ben")
        let other = try await HomeSetup.host(home: home + "/other", gathering: "Other", device: "Mallory")
        let (statements, seeds) = try Journal(home: home + "/anna").rulings()
        try await RunningAgent.run(home + "/ben") { running in
            let control = running.control()
            await expectRefusal(.badSetting, "does not know the hosts yet") {
                try await control.putOutPlan(["Anna"], recoveryCode: hosted.recoveryCode)
            }
            try await tell(running, try #require(statements.first), seeds, link: 2)
            try await eventually("the founding is believed") {
                .when(try await control.hosts().founding == .known, "it is not")
            }
            await expectRefusal(.badSetting, "Only a host can") {
                try await control.putOutPlan(["Anna"], recoveryCode: nil)
            }
            await expectRefusal(.usage, "nine words") {
                try await control.putOutPlan(["Anna"], recoveryCode: "lusab")
            }
            await expectRefusal(.badSetting, "another gathering") {
                try await control.putOut(["Anna"], recoveryCode: other.recoveryCode)
            }
            let anna = try #require(try await control.hosts().hosts.first?.id)
            let plan = try await control.putOutPlan([anna], recoveryCode: hosted.recoveryCode)
            #expect(plan.isHostHere == true && plan.out.map(\.laptop.id) == [anna])
            let report = try await control.putOut([anna], recoveryCode: hosted.recoveryCode.uppercased())
            #expect(report.phrase != hosted.phrase)
            #expect(try await control.hosts().hosts.map(\.isHere) == [true])
            #expect(await running.services.host.ask(\.roll).out.map(\.hex) == [anna])
        }
    }

    /// Ben, who was put out, is let in again by name, and is no host by that; a laptop that nobody knows by its ID, of which
    /// few digits name none. Who is in needs nobody to let it in.
    @Test func aLaptopIsLetIn() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            try await RunningAgent.run(gathering.anna.path) { running in
                let control = running.control()
                await expectRefusal(.usage, "“Ben” is in already") {
                    try await control.letIn(["Ben"], recoveryCode: nil)
                }
                _ = try await control.addHost("Ben")
                _ = try await control.putOut(["Ben"], recoveryCode: nil)
                let ben = try #require(await running.services.host.ask(\.roll).out.first)
                running.services.admissions.noteOutsider(ben)
                #expect(try await control.hosts().waiting?.map(\.name) == ["Ben"])
                #expect(try await control.hosts().waiting?.map(\.isOut) == [true])
                #expect(try await control.letIn(["ben"], recoveryCode: nil).laptops.map(\.name) == ["Ben"])
                #expect(await running.services.host.ask(\.roll).isMember(ben))
                let report = try await control.hosts()
                #expect(report.waiting == nil && report.hosts.map(\.name) == ["Anna"])
                #expect(try await control.addHost("Ben").isNew)

                let strangers = (0..<2).map { _ in DeviceIdentity().deviceID }
                running.services.admissions.noteOutsider(strangers[0])
                let waiting = try #require(try await control.hosts().waiting)
                #expect(waiting == [.init(id: strangers[0].hex, name: nil, isOut: false)])
                // The second was never here: all its digits name it.
                await expectRefusal(.usage, "No other laptop") {
                    try await control.letIn([String(strangers[1].hex.prefix(40))], recoveryCode: nil)
                }
                await expectRefusal(.usage, "was never in here") {
                    let few = String(strangers[0].hex.prefix(LaptopID.digitCountMin - 1))
                    _ = try await control.letIn([few], recoveryCode: nil)
                }
                let order = [String(waiting[0].id.prefix(LaptopID.digitCountMin)), strangers[1].hex]
                #expect(
                    try await control.letIn(order, recoveryCode: nil).laptops.map(\.id) == strangers.map(\.hex).sorted()
                )
                let roll = await running.services.host.ask(\.roll)
                #expect(strangers.allSatisfy { roll.isMember($0) })
            }
            try await RunningAgent.run(gathering.ben.path) { running in
                await expectRefusal(.badSetting, "does not know the hosts yet") {
                    try await running.control().letIn(["Anna"], recoveryCode: nil)
                }
            }
        }
    }

    /// Whoever calls itself like another laptop, or like its ID, and was never in, is let in by its own ID alone; nor is a
    /// name that a laptop had under a former key its own.
    @Test func noNameLetsAStrangerIn() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            try await RunningAgent.run(gathering.anna.path) { running in
                let control = running.control()
                // From here on Ben is known by name, and no member: no epoch lists him.
                var random = SystemRandomNumberGenerator()
                let ben = try #require(
                    await running.services.host.ask(\.log.devices).first {
                        $0 != running.home.membership.identity.deviceID
                    })
                let kind = Ruling.Kind.epoch(
                    Ruling.Epoch(commitment: Seed(drawnFrom: &random).commitment, members: []))
                try await running.services.contributions.rule(kind)
                #expect(await !running.services.host.ask(\.roll).isMember(ben))
                running.services.admissions.noteOutsider(ben)
                #expect(try await control.hosts().waiting == [.init(id: ben.hex, name: "Ben", isOut: false)])
                for text in ["Ben", String(ben.hex.prefix(12))] {
                    await expectRefusal(.usage, "was never in here, and may call itself so") {
                        try await control.letIn([text], recoveryCode: nil)
                    }
                    await expectRefusal(.usage, "does not take part") { try await control.addHost(text) }
                }
                let order = [String(ben.hex.prefix(LaptopID.digitCountMin))]
                #expect(try await control.letIn(order, recoveryCode: nil).laptops.map(\.name) == ["Ben"])
                // A wrong one can be taken back before it comes.
                let stranger = DeviceIdentity().deviceID
                _ = try await control.letIn([stranger.hex], recoveryCode: nil)
                let plan = try await control.putOutPlan([stranger.hex], recoveryCode: nil)
                #expect(plan.out.map(\.laptop.id) == [stranger.hex])
            }
        }
    }

    /// Of laptops that are turned away the last are remembered, each once.
    @Test func fewOutsidersAreRemembered() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let admissions = running.services.admissions
                let devices = (0..<70).map { DeviceID(bytes: [UInt8](repeating: $0, count: 32))! }
                for device in devices + [devices[10]] { admissions.noteOutsider(device) }
                #expect(admissions.outsiders == [devices[10]] + devices[6...].filter { $0 != devices[10] }.reversed())
            }
        }
    }

    /// A disk that refuses a ruling: whoever named the host is told, and it is none.
    @Test func aRulingThatIsNotDurableIsNone() async throws {
        try await CarriedGathering.with { gathering in
            try gathering.ben.add(["sea"], to: "Beach")
            try await gathering.ben.pack()
            _ = try await gathering.anna.unpack()
            try await RunningAgent.run(gathering.anna.path) { running in
                // From here on nothing can be written, as on a disk that went away.
                try running.parts.journal.close()
                await expectRefusal(.failed, "cannot be written down") { try await running.control().addHost("Ben") }
                #expect(try await running.control().hosts().hosts.count == 1)
            }
            #expect(try await OfflineListings(home: gathering.anna.path).hosts().hosts.count == 1)
        }
    }

    /// A laptop that joined knows no hosts, and may name none. One that hears of a founding believes it if its own phrase is
    /// made of it, and keeps it with the seed: the next start knows it.
    @Test func aFoundingIsBelievedByThePhrase() async throws {
        try await CarriedGathering.with { gathering in
            let founder = try Journal(home: gathering.anna.path)
            let (statements, seeds) = try founder.rulings()
            let founding = try #require(statements.first)
            // Of whoever learned the phrase, and claims to have started the gathering.
            let liar = "\(gathering.root)/liar"
            _ = try await HomeSetup.host(home: liar, gathering: "Kuh reunion", device: "Mallory")
            let lies = try Journal(home: liar).rulings()
            try await RunningAgent.run(gathering.ben.path) { running in
                let control = running.control()
                #expect(try await control.hosts().founding == .unheard)
                await expectRefusal(.badSetting, "does not know the hosts yet") {
                    try await control.addHost("Anna")
                }
                try await tell(running, lies.statements[0], lies.seeds, link: 1)
                try await tell(running, founding, seeds, link: 2)
                try await eventually("the founding is believed") {
                    let report = try await control.hosts()
                    return .when(report.founding == .known, "\(report)")
                }
                await expectRefusal(.badSetting, "Only a host can: Laptop ") { try await control.addHost("Ben") }
            }
            let kept = try Journal(home: gathering.ben.path).rulings()
            #expect(kept.statements == [founding] && kept.seeds == seeds)
        }
    }

    /// A gathering of an earlier version has no hosts, which is said of it; nobody can be named.
    @Test func earlierGatheringsHaveNone() async throws {
        try await RunningAgent.withHome { home in
            let journal = try Journal(home: home)
            let kept = try journal.facts(.ruling).map { FactChange(kind: .ruling, key: $0.key, value: nil) }
            try journal.setFacts(kept)
            try await RunningAgent.run(home) { running in
                let report = try await running.control().hosts()
                #expect(report.founding == .none && report.hosts.isEmpty)
                await expectRefusal(.badSetting, "made by an earlier version and has no hosts") {
                    try await running.control().addHost("Grandma")
                }
            }
        }
    }

    // MARK: Helpers

    /// What a laptop says over a new link that knows the founding: all that this slice of a gathering's peers tell.
    private func tell(
        _ running: RunningAgent, _ founding: SignedStatement, _ seeds: [RulingID: Seed], link number: UInt64
    ) async throws {
        let (link, device) = (LinkID(number: number), DeviceIdentity().deviceID)
        let address = try #require(PeerAddress(parsing: "10.0.0.\(number):4711"))
        let peer = AdmittedPeer(device, provenUnder: nil)
        await running.services.host.feed(.connected(link, peer, address: address, key: nil))
        let hello = Hello(
            versions: WireLimits.protocolVersions, run: [UInt8](repeating: UInt8(number), count: 16), port: 0,
            foldLevel: UInt32(Catalog.level), rulings: [UInt8](repeating: 7, count: 16))
        for message in [Message.hello(hello), .rulings([founding]), .seeds(seeds)] {
            await running.services.host.feed(.received(link, message))
        }
    }

    private func expectRefusal<Report>(
        _ status: PotluckAPI.ExitStatus, _ words: String, _ body: () async throws -> Report
    ) async {
        do {
            Issue.record("it was done: \(try await body())")
        } catch let error as PotluckError {
            #expect(error.status == status && error.message.contains(words), "\(error)")
        } catch {
            Issue.record(error)
        }
    }
}
