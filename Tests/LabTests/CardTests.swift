import Foundation
import TestSupport
import Testing

/// A memory card in an album: pulled out it is away, not emptied.
extension LabTests {
    /// Anna's card with four photos is pulled out while her agent runs, put back, pulled once more and put back while no
    /// agent runs.
    @Test func aCardThatIsPulledOutTakesNoPhotoAlong() async throws {
        try await Lab.run(laptops: 2) { lab in
            var scene = try await CardScene(lab)
            try await scene.pull()
            try await scene.expectAway()
            try await scene.putBack()
            try await scene.anna.expectNoProblem(scene.card)
            try await lab.converge([scene.anna, scene.ben], to: scene.everything)

            try await scene.pull()
            try await scene.anna.expectProblem("\(scene.card) is not there")
            try await scene.agent.stop()
            try await scene.putBack()
            scene.agent = try await scene.anna.up()
            try await scene.expectBack()
        }
    }

    /// The card is pulled out while no agent runs, so that the next one begins without it, and put back while that runs.
    @Test func aStartWithoutTheCardTakesNoPhotoAlong() async throws {
        try await Lab.run(laptops: 2) { lab in
            var scene = try await CardScene(lab)
            try await scene.agent.stop()
            try await scene.pull()
            scene.agent = try await scene.anna.up()
            try await scene.expectAway()
            try await scene.putBack()
            try await scene.expectBack()
        }
    }
}

/// Anna's album has three photos, and four on a card that is mounted in it; Ben has all of them.
private struct CardScene {
    let lab: Lab
    let anna, ben: Laptop
    /// By album.
    let everything: [String: [String]]
    var agent: Agent
    private let photos, cards: [String]
    private let disk: SmallDisk
    private var witness: Witness

    init(_ lab: Lab) async throws {
        self.lab = lab
        (anna, ben) = (lab.laptop(1), lab.laptop(2))
        photos = try await lab.makePhotos("photos", count: 3, byteCount: 50_000)
        cards = try await lab.makePhotos("cards", count: 4, byteCount: 50_000, called: "CARD_%d.JPG")
        try await ben.join(anna.startGathering("Cards", as: "Anna"), as: "Ben")
        agent = try await anna.up()
        _ = try await ben.up()
        try anna.drop(photos, into: "Trip")
        disk = try await anna.mountDisk(at: "\(anna.folder)/Trip/card", megabytes: 16)
        try await anna.add(cards, to: "Trip/card")
        witness = try await Witness(on: anna)
        everything = ["Trip": photos + cards, Witness.album: [witness.source]]
        try await lab.converge([anna, ben], to: everything)
    }

    var card: String { "\(anna.folder)/Trip/card" }

    func pull() async throws { try await anna.unmount(disk) }

    func putBack() async throws { try await anna.shell(disk.mounting) }

    /// A person is told, and what could be judged was: nobody lost anything, and nothing lies where the card should be.
    mutating func expectAway() async throws {
        try await anna.expectProblem("\(card) is not there; its 4 photos stay as they are")
        try await witness.waitForJudgement()
        for laptop in [anna, ben] { try await laptop.expectNothingLost(of: everything) }
        #expect(try await anna.entries(of: card) == [])
        #expect(try await ben.fileHashes("Trip").count == photos.count + cards.count)
        try await anna.expectProblem("\(card) is not there; its 4 photos stay as they are")
    }

    /// All is as if it had been there all the while.
    mutating func expectBack() async throws {
        try await anna.expectNoProblem(card)
        try await witness.waitForJudgement()
        try await lab.converge([anna, ben], to: everything)
        try await lab.agree([anna, ben], within: .seconds(60))
        try await anna.expectTidy(["Trip": photos, "Trip/card": cards, Witness.album: [witness.name]])
        try await ben.expectTidy(everything)
    }
}
