import AlbumModel
import Testing
import WireFormat

@testable import SyncEngine

/// What a device contributes for guests at its door.
@Suite struct GuestDraftTests {
    private let album = AlbumName.identifier("Beach")
    private let lena = Guest(GuestID(bytes: [UInt8](repeating: 1, count: 16))!, name: "Lena")
    private let tom = Guest(GuestID(bytes: [UInt8](repeating: 2, count: 16))!, name: "Tom")

    private func say(_ contribution: Contribution, _ node: Int, _ network: inout TestNetwork) {
        network.feed(node, .contribute(token: 1, contribution))
        network.settle()
    }

    private func guestsFile(_ number: UInt8, _ guest: Guest) -> PhotoFile {
        var file = file(number)
        file.guest = guest
        return file
    }

    private func photo(_ number: UInt8, _ network: TestNetwork, _ node: Int = 1) throws -> Photo {
        try #require(network.nodes[node].engine.catalog.photo(PhotoKey(album: album, blob: file(number).blob)))
    }

    /// A guest's name goes out with their first contribution, in the same batch, and once more when it is another one.
    @Test func namesGoWithTheFirstContribution() throws {
        var network = try TestNetwork.pair()
        let blob = file(1).blob
        let count = network.nodes[0].journal.count
        say(.photoInAlbum(album, guestsFile(2, lena)), 0, &network)
        say(.favourite(album, blob, guest: lena), 0, &network)
        var renamed = lena
        renamed.name = "Lena B."
        say(.comment(album, blob, "Nice", guest: renamed), 0, &network)
        let batches = try network.nodes[0].journal.dropFirst(count).map {
            try Batch(decoding: $0.signed.content).changes
        }
        #expect(batches.count == 3)
        #expect(batches[0].contains(.guestNamed(lena.id, name: "Lena")) && batches[0].count == 2)
        #expect(batches[1] == [.photoFavoured(album, blob, guest: lena.id)])
        #expect(batches[2].first == .guestNamed(lena.id, name: "Lena B."))
        #expect(network.nodes[1].engine.catalog.guestName(lena.id) == "Lena B.")
        #expect(network.digests(0) == network.digests(1))
    }

    /// Each guest and the device's person add a photo for themselves, once; undo takes one guest's add alone.
    @Test func undoTakesOneGuestsAddAlone() throws {
        var network = try TestNetwork.pair()
        let device = network.nodes[0].engine.device
        let contributions: [Contribution] = [
            .photoInAlbum(album, guestsFile(2, lena)), .photoInAlbum(album, guestsFile(2, tom)),
            .photoInAlbum(album, guestsFile(2, lena)),
        ]
        for contribution in contributions { network.feed(0, .contribute(token: 1, contribution)) }
        network.settle()
        let everyone = [Person(device, guest: lena.id), Person(device, guest: tom.id)]
        #expect(try photo(2, network).contributingPeople == everyone)
        #expect(try photo(2, network).adds.count == 2)

        // The owner's own withdrawal finds nothing of theirs.
        let said = network.nodes[0].journal.count
        say(.photoWithdrawal(album, file(2).blob), 0, &network)
        #expect(network.nodes[0].journal.count == said)

        say(.guestPhotoWithdrawal(album, file(2).blob, lena.id), 0, &network)
        #expect(try photo(2, network).contributingPeople == [Person(device, guest: tom.id)])
        // What another device added for somebody is not this one's to take back.
        say(.guestPhotoWithdrawal(album, file(2).blob, tom.id), 1, &network)
        #expect(try photo(2, network).isLive)
        say(.guestPhotoWithdrawal(album, file(2).blob, tom.id), 0, &network)
        #expect(try !photo(2, network).isLive)
        #expect(network.digests(0) == network.digests(1))
    }

    /// Two guests' undos of one photo fit into one batch, and their adds come back in the next.
    @Test func undosShareABatch() throws {
        var network = try TestNetwork.pair()
        for guest in [lena, tom] { say(.photoInAlbum(album, guestsFile(2, guest)), 0, &network) }
        let undos: [Contribution] = [
            .guestPhotoWithdrawal(album, file(2).blob, lena.id), .guestPhotoWithdrawal(album, file(2).blob, tom.id),
            .photoInAlbum(album, guestsFile(2, lena)),
        ]
        for undo in undos { network.feed(0, .contribute(token: 1, undo)) }
        network.settle()
        #expect(try photo(2, network).contributingPeople.map(\.guest) == [lena.id])
    }

    /// A guest likes a photo once, whatever door they are at, and takes it back at any.
    @Test func likesAreTheGuests() throws {
        var network = try TestNetwork.pair()
        let blob = file(1).blob
        let device = network.nodes[0].engine.device
        say(.favourite(album, blob, guest: lena), 0, &network)
        say(.favourite(album, blob), 0, &network)
        let count = network.nodes[1].journal.count
        say(.favourite(album, blob, guest: lena), 1, &network)
        #expect(network.nodes[1].journal.count == count)
        #expect(try photo(1, network).favouringGuests == [Person(device, guest: lena.id)])
        say(.unfavourite(album, blob, guest: tom), 1, &network)
        say(.unfavourite(album, blob), 1, &network)
        #expect(try photo(1, network).favouringGuests.count == 1)
        say(.unfavourite(album, blob, guest: lena), 1, &network)
        #expect(try photo(1, network, 0).favouringGuests.isEmpty)
        #expect(try photo(1, network, 0).favouredBy == [device])
    }

    @Test func commentsAreTakenBackOnce() throws {
        var network = try TestNetwork.pair()
        let blob = file(1).blob
        say(.comment(album, blob, "Nice", guest: lena), 0, &network)
        say(.comment(album, blob, "Nice", guest: nil), 1, &network)
        say(.comment(album, file(9).blob, "Of nothing", guest: nil), 1, &network)
        #expect(try photo(1, network).comments.map(\.person.guest) == [lena.id, nil])
        let dot = try #require(try photo(1, network).comments.first?.dot)
        for _ in 0..<2 { say(.uncomment(album, blob, [dot]), 1, &network) }
        #expect(try photo(1, network, 0).comments.count == 1)
        #expect(network.digests(0) == network.digests(1))
        #expect(network.nodes[0].engine.catalog.photo(PhotoKey(album: album, blob: file(9).blob)) == nil)
    }

    /// Revoking once is enough; each raise begins a further epoch, also where two are said in one breath.
    @Test func revocationsAndEpochs() throws {
        var network = try TestNetwork.pair()
        say(.guestRevocation(lena.id), 0, &network)
        let count = network.nodes[1].journal.count
        say(.guestRevocation(lena.id), 1, &network)
        #expect(network.nodes[1].journal.count == count)
        for _ in 0..<2 { network.feed(0, .contribute(token: 1, .guestEpochRaise)) }
        network.settle()
        let catalog = network.nodes[1].engine.catalog
        #expect(catalog.isRevoked(lena.id) && !catalog.isRevoked(tom.id))
        #expect(catalog.guestEpoch == 2)
    }
}
