/// Writes one document of the doors anew whenever it has changed; changes that come while it is written go together.
actor DocumentKeeper {
    private let store: any DocumentStore
    private let name: String
    /// The document as it is now.
    private let document: @Sendable () throws -> [UInt8]
    /// Changes that were asked to be kept, and those that are.
    private var changeCount = 0
    private var keptCount = 0
    private var isWriting = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ store: any DocumentStore, name: String, document: @escaping @Sendable () throws -> [UInt8]) {
        self.store = store
        self.name = name
        self.document = document
    }

    /// Returns once what has changed so far is durable.
    func keep() async throws {
        changeCount += 1
        try await settle()
    }

    /// Returns at once where nothing has changed; else as ``keep()``, also where an earlier one failed.
    func settle() async throws {
        let number = changeCount
        while keptCount < number {
            if isWriting {
                await withCheckedContinuation { waiters.append($0) }
            } else {
                try await write()
            }
        }
    }

    private func write() async throws {
        isWriting = true
        defer {
            isWriting = false
            for waiter in waiters { waiter.resume() }
            waiters = []
        }
        let number = changeCount
        try await store.keep(try document(), as: name)
        keptCount = number
    }
}
