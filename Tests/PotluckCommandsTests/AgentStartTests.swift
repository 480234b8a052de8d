import FoundationEssentials
import Glibc
import NIOCore
import NIOPosix
import PotluckAPI
import PotluckAgent
import Testing

@testable import PotluckClient
@testable import PotluckCommands

/// `potluck open --start`, by agents that this process plays and by programs that are none.
@Suite(.timeLimit(.minutes(1))) struct AgentStartTests {
    private func start(_ path: String, running program: String) async throws {
        let console = TestConsole().console(isTerminal: false, environment: [:])
        let home = try HomeLocation(option: path, console: console)
        try await AgentStart(home: home, isStandardHome: false, program: program).perform()
    }

    /// Where an agent answers no other is started: the program that would be does not exist.
    @Test func aRunningAgentIsTaken() async throws {
        try await withAgent(FakeAgent()) { home in
            try await start(home, running: "/nonexistent")
        }
    }

    /// An agent that takes connections and says nothing is not waited for as long as one that works on an answer.
    @Test func anAgentThatHangsIsTold() async throws {
        try await withTemporaryHome { home in
            let path = try AgentSocket.path(home: home)
            let door = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: path).get()
            let client = AgentClient(path: path).impatient
            #expect(client.patience == .seconds(10))
            var quick = client
            quick.patience = .milliseconds(50)
            let asked = quick
            let error = await #expect(throws: PotluckError.self) { _ = try await asked.ask(TransfersRequest()) }
            #expect(error?.status == .tryAgain)
            try await door.close().get()
        }
    }

    /// The command goes on with the link once the agent answers.
    @Test func theLinkFollows() async throws {
        let agent = FakeAgent()
        let console = TestConsole()
        try await withAgent(agent) { home in
            _ = try await HomeSetup.host(home: home, gathering: "Kuh reunion", device: "Grandma")
            let status = await PotluckCommandLine.run(
                ["open", "--start", "--print", "--home", home],
                console: console.console(isTerminal: false, environment: [:]))
            #expect(status == 0)
        }
        #expect(console.outcome(0).output.contains("http://127.10.11.12:4713/open/#code"))
    }

    /// Whoever cannot be asked starts no gathering by accident.
    @Test func nobodyIsAskedWithoutTerminal() async throws {
        try await withTemporaryHome { home in
            let outcome = await run("open", "--start", "--home", home)
            #expect(outcome.status == ExitStatus.badSetting.rawValue)
            #expect(outcome.errors.contains("There is no gathering"))
        }
    }

    /// A program that ends in place of an agent is not waited for, and its last line is the reason.
    @Test func theAgentsOwnWordsAreTold() async throws {
        try await withTemporaryHome { home in
            let program = try script("echo first >&2; echo 'potluck: The folder is away.' >&2; exit 78", in: home)
            let error = await #expect(throws: PotluckError.self) { try await start(home, running: program) }
            #expect(error?.message == "The agent does not start. The folder is away.")
            let silent = try script("exit 1", in: home)
            let other = await #expect(throws: PotluckError.self) { try await start(home, running: silent) }
            #expect(other?.message == "The agent does not start. It ended at once; `potluck up` says why.")
        }
    }

    /// A home that nobody named is not named to the agent either: its folder would be another one by that.
    @Test func aStandardHomeIsNotNamed() async throws {
        try await withTemporaryHome { person in
            let program = try script(#"echo "$@" >&2; exit 1"#, in: person)
            let home = try HomeLocation(standard: ["HOME": person])
            let error = await #expect(throws: PotluckError.self) {
                // Without a manager of the person's own, as in containers; one that knows no such unit fails as well.
                try await AgentStart(home: home, isStandardHome: true, program: program, unit: "potluck-none.service")
                    .perform()
            }
            #expect(error?.message == "The agent does not start. up --standard-home")
        }
    }

    /// The program is told what to do in which home, and has a session of its own: it outlives the terminal.
    @Test func itRunsInASessionOfItsOwn() async throws {
        try await withTemporaryHome { home in
            let program = try script(
                #"read -r stat </proc/$$/stat; set -- "$@" $$ ${stat#*) }; echo "$1 $2 $3 $(($4 == $8))" >&2; exit 1"#,
                in: home)
            let error = await #expect(throws: PotluckError.self) { try await start(home, running: program) }
            #expect(error?.message == "The agent does not start. up --home \(home) 1")
        }
    }

    /// - Returns: Its path.
    private func script(_ body: String, in home: String) throws -> String {
        let path = home + "/program"
        try "#!/bin/sh\n\(body)\n".write(toFile: path, atomically: true, encoding: .utf8)
        #expect(chmod(path, 0o700) == 0)
        return path
    }
}
