#if DEBUG
import StoreProbe

extension StoreOperation {
    /// - Parameter directory: In which the photos' files are in the end.
    init(
        _ name: String, courses: [SamplePhoto: PhotoRules.Course], directory: String = SamplePhoto.album,
        prepare: @escaping @Sendable (Probe) async throws -> Void,
        perform: @escaping @Sendable (AgentSession) async throws -> Void
    ) {
        let rules = PhotoRules(courses, directory: directory)
        self.init(
            name, isAgents: true, isSteady: false, isTriedAgain: false,
            prepare: { probe in try waiting { try await prepare(probe) } },
            perform: { probe in try waiting { try await AgentSession.run(probe, perform) } },
            rules: { try rules.breaches($0, $1) }, end: { try rules.breachesInTheEnd($0) })
    }

    /// The agent makes its folder, and puts into it what the home has.
    static let firstStart = StoreOperation(
        "first-start", courses: [.anna: (.live, .shown), .ben: (.live, .shown)],
        prepare: { try await AgentSession.makeHome($0, [.anna, .ben], hasFolder: false) },
        perform: { try await $0.place([.anna, .ben]) })

    /// Two photos leave their album, their files the folder, and one of them the trash as well.
    static let removing = StoreOperation(
        "remove", courses: [.anna: (.shown, .trashed), .ben: (.shown, .deleted), .carla: (.shown, .shown)],
        prepare: { try await AgentSession.makeHome($0, [.anna, .ben, .carla]) },
        perform: { agent in
            try await agent.remove([.anna, .ben])
            try await agent.discard([.ben])
        })

    /// A photo comes back from the trash, where its only bytes are, and a hidden one is to be seen again.
    static let restoring = StoreOperation(
        "restore", courses: [.anna: (.trashed, .shown), .ben: (.hidden, .shown), .carla: (.shown, .shown)],
        prepare: { probe in
            try await AgentSession.makeHome(probe, [.anna, .ben, .carla])
            try await AgentSession.run(probe) { agent in
                try await agent.remove([.anna])
                try await agent.hide([.ben])
            }
        },
        perform: { try await $0.restore([.anna, .ben]) })
}
#endif
