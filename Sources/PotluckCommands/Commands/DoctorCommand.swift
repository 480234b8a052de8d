import ArgumentParser
import LaptopDoctor
import PotluckAPI
import SyncEngine

struct DoctorCommand: PotluckSubcommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Find out why laptops do not find each other.",
        discussion: ManPage.discussion(
            """
            Looks at this laptop's network, Avahi, firewall, VPN, clock, port, disks and limits, and at who is seen, and \
            says what is in the way and what to do; the last line is the verdict. Takes some seconds, half a minute where \
            somebody does not answer. Changes nothing, needs no root, and works with and without an agent. Ends with 0 \
            when nothing is found, else with 1.

            Some causes are only seen from two laptops. Run `potluck doctor --answer` on the other one, and what it prints \
            on this one: `--with` and the other one's address; or its name or ID, if an agent runs here and knows the \
            address. The other one tells whoever asks in this network what Potluck announces anyway, and its clock, for \
            15 minutes; Ctrl-C ends it.
            """,
            examples: [
                ("potluck doctor", "Say what is in the way."),
                ("potluck doctor --answer", "Help another laptop with its test."),
                ("potluck doctor --with 192.168.1.20", "Make the test with the laptop at that address."),
                ("potluck doctor --with Ben", "The same by the name that `potluck peers` lists."),
                ("potluck doctor --json | jq -r '.findings[].cause'", "The causes alone, as words."),
            ],
            statuses: [.failed, .notRunning, .tryAgain, .badSetting]))

    @Option(
        help: ArgumentHelp(
            "Test with the helper on another laptop; its address, or its name or ID, as `potluck peers` lists them.",
            valueName: "laptop"))
    var with: String?

    @Flag(help: "Be the helper of another laptop's test.")
    var answer = false

    @Option(
        help: ArgumentHelp("The folder, where `up` was told one.", valueName: "dir"), completion: .directory)
    var folder: String?

    @Option(
        help: ArgumentHelp("Where the agent is to serve, where `up` was told so.", valueName: "addr:port"),
        transform: { text in
            guard let address = AddressText.listening(text) else {
                throw ValidationError("it must be ADDR:PORT, like 0.0.0.0:4711, or :PORT")
            }
            return address
        })
    var listen: PeerAddress?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !answer || with == nil else { throw ValidationError("Give one of --with and --answer.") }
    }

    func run() async throws {
        let flags = Settings.Flags(folder: folder, listen: listen)
        let patient = DoctorPatient(
            home: try home(), settings: try Settings(flags, home: home(), console: console), console: console)
        if answer { return try await help(patient) }
        console.progress?.show("Looking …")
        let subject = await patient.subject()
        let partner = try with.map { try subject.testPartner($0) }
        let seen = await Doctor(subject).look(testingWith: partner)
        console.live.clear()
        let report = DoctorReport(seen)
        try show(report) { DoctorListing.text(report) }
        guard report.healthy else { throw DoctorReport.Found() }
    }

    private static let helpDuration = Duration.seconds(900)

    private func help(_ patient: DoctorPatient) async throws {
        guard let helper = Helper(facts: { await patient.facts() }) else {
            throw PotluckError(
                .tryAgain, "Port \(Helper.port) is taken: a helper may run already, or another program has it.")
        }
        let addresses = await Helper.addresses()
        guard let first = addresses.first else {
            throw PotluckError(.failed, "This laptop is in no network, so no other one can test with it.")
        }
        let report = HelperReport(
            addresses: addresses, port: Int(Helper.port), seconds: Int(Self.helpDuration.components.seconds))
        try show(report) { DoctorListing.helping(addresses, first: first) }
        let console = console
        await helper.run(for: Self.helpDuration) { address in
            console.notice("Tested with \(address); what came of it is shown there.")
        }
    }
}
