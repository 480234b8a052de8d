import PotluckAPI
import SyncEngine
import Testing

@testable import PotluckAgent

/// Orders that name several photos, one of which is not there.
@Suite(.timeLimit(.minutes(1))) struct PartialOrderTests {
    /// Shows that all names are looked up before anything is done: each order is refused, and nothing has changed.
    @Test func oneUnknownNameLeavesAllAsItWas() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let shown = try await running.add([1], name: "shown.jpg", to: "Beach")
                _ = try await running.add([2], name: "gone.jpg", to: "Beach")
                let hidden = try await running.add([3], name: "hidden.jpg", to: "Beach")
                let control = running.control()
                _ = try await control.remove(RemovalOrder(.remove, album: "Beach", photos: ["gone.jpg"]))
                try await running.services.removal.hide([hidden])
                await running.services.removal.isSettled()
                let batchCount = await running.view.engine.log.batchCount

                func names(_ name: String) -> [String] { [name, "nowhere.jpg"] }
                func removal(_ action: RemovalOrder.Action, _ name: String) async throws {
                    _ = try await control.remove(RemovalOrder(action, album: "Beach", photos: names(name)))
                }
                let here = names("shown.jpg")
                let orders: [(String, () async throws -> Void)] = [
                    ("remove", { try await removal(.remove, "shown.jpg") }),
                    ("remove --for-everyone", { try await removal(.removeForEveryone, "shown.jpg") }),
                    ("restore", { try await removal(.restore, "gone.jpg") }),
                    ("unhide", { try await removal(.unhide, "hidden.jpg") }),
                    (
                        "trash --delete",
                        {
                            let order = TrashOrder(album: "Beach", photos: names("gone.jpg"), lastCopies: true)
                            _ = try await control.emptyTrash(order)
                        }
                    ),
                    ("move", { _ = try await control.move(MoveOrder(album: "Beach", photos: here, to: "Hills")) }),
                    (
                        "favourite",
                        { _ = try await control.edit(PhotoEdit(album: "Beach", photos: here, isFavourite: true)) }
                    ),
                    (
                        "tag",
                        { _ = try await control.edit(PhotoEdit(album: "Beach", photos: here, addedTags: ["sea"])) }
                    ),
                    ("fetch", { _ = try await control.fetch(album: "Beach", photos: here) }),
                ]
                for (name, order) in orders {
                    do {
                        try await order()
                        Issue.record("\(name) is done for what is there")
                    } catch let error as PotluckError {
                        #expect(error.status == .notFound, "\(name): \(error)")
                    }
                }

                await running.services.removal.isSettled()
                #expect(await running.view.engine.log.batchCount == batchCount)
                #expect(await running.isLive(shown))
                #expect(try await control.hidden(album: nil).hidden.map(\.name) == ["hidden.jpg"])
                #expect(try await control.trash(album: nil).trash.map(\.name) == ["gone.jpg"])
                #expect(running.services.transfers.state.choices.fetching.asked.isEmpty)
            }
        }
    }
}
