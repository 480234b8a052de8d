import AlbumModel
import Testing

@testable import FolderEngine

/// What is concluded from the mounts in the folder.
struct KnownMountsTests {
    private let card = FolderPath("A/card")
    private let other = FolderPath("B")
    private let identity = MountIdentity(fileSystem: 7, rootInode: 1)
    private let another = MountIdentity(fileSystem: 8, rootInode: 1)

    private func known(_ identity: MountIdentity) -> KnownMounts {
        KnownMounts(facts: [(card.bytes, identity.bytes)])
    }

    private func table(_ mounts: [FolderPath: MountTable.Mount]) -> MountTable { MountTable(mounts: mounts) }

    private func fact(_ directory: FolderPath, _ identity: MountIdentity?) -> FactChange {
        FactChange(kind: .folderMount, key: directory.bytes, value: identity?.bytes)
    }

    // Shows that a card that is not mounted is away, and so is every one where nobody can tell or something gives no answer.
    @Test(arguments: [MountTable(mounts: [:]), MountTable(mounts: [FolderPath("A/card"): .unknown]), nil])
    func whatIsNotSeenIsAway(table: MountTable?) {
        var mounts = known(identity)
        #expect(mounts.questionable(table).isEmpty)
        let survey = mounts.survey(table, recognised: [card])
        #expect(survey.gaps == [card: .away] && survey.changes.isEmpty)
        #expect(mounts.away([card], in: table) == [card])
        #expect(mounts.mounts(over: FolderPath("A/card/x.jpg")) == [card] && mounts.mounts(over: card) == [card])
        #expect(mounts.mounts(over: FolderPath("A/x.jpg")).isEmpty)
    }

    // Shows that a card which is there as it is known is no news.
    @Test func theSameCardIsNoNews() {
        var mounts = known(identity)
        let table = table([card: .identified(identity)])
        #expect(mounts.survey(table, recognised: []) == KnownMounts.Survey())
        #expect(mounts.away([card], in: table).isEmpty && mounts.questionable(table).isEmpty)
    }

    // Shows that another identity is the same card only where its files say so, and that it is left alone else.
    @Test func filesTellWhoseDiskItIs() {
        let table = table([card: .identified(another)])
        var mounts = known(identity)
        #expect(mounts.questionable(table) == [card])
        #expect(mounts.survey(table, recognised: []).gaps == [card: .otherDisk])
        #expect(mounts.identities == [card: identity] && mounts.away([card], in: table) == [card])
        #expect(mounts.survey(table, recognised: [card]).changes == [fact(card, another)])
        #expect(mounts.away([card], in: table).isEmpty)
    }

    // Shows that an unknown mount is remembered where it covers no known file, and is a gap else.
    @Test func unknownMountsMayCoverFiles() {
        let table = table([other: .identified(another)])
        var mounts = KnownMounts()
        #expect(mounts.questionable(table) == [other])
        #expect(mounts.survey(table, recognised: []).gaps == [other: .otherDisk] && mounts.identities.isEmpty)
        #expect(mounts.survey(table, recognised: [other]).changes == [fact(other, another)])
        let silent = mounts.survey(self.table([other: .identified(another), card: .unknown]), recognised: [])
        #expect(silent.gaps == [card: .unanswered])
    }

    // Shows that a card is found again under another name, unless its file system has none of its own.
    @Test func cardsMayBeRenamed() {
        var mounts = known(identity)
        let survey = mounts.survey(table([other: .identified(identity)]), recognised: [])
        #expect(survey.gaps.isEmpty && survey.changes == [fact(card, nil), fact(other, identity)])
        let nameless = MountIdentity(fileSystem: 0, rootInode: 1)
        var zero = known(nameless)
        #expect(zero.survey(table([other: .identified(nameless)]), recognised: [other]).gaps == [card: .away])
    }

    // Shows that a card which nothing tells from another one counts as there only once its files were asked for: at first,
    // after mounts changed, and after it was pulled; and that a person's word does as well.
    @Test func cardsThatLookAlikeAreAskedForTheirFiles() {
        let nameless = MountIdentity(fileSystem: 0, rootInode: 1)
        let table = table([card: .identified(nameless)])
        var mounts = known(nameless)
        #expect(mounts.unquestioned.away([card], in: table).isEmpty)
        let changes: [(inout KnownMounts) -> Void] = [
            { $0.mountsChanged() },
            { #expect($0.survey(MountTable(mounts: [:]), recognised: []).gaps == [card: .away]) },
            { #expect($0.survey(nil, recognised: []).gaps == [card: .away]) },
        ]
        for change in changes {
            #expect(mounts.questionable(table) == [card] && mounts.away([card], in: table) == [card])
            #expect(mounts.survey(table, recognised: []).gaps == [card: .otherDisk])
            #expect(mounts.away([card], in: table) == [card])
            #expect(mounts.survey(table, recognised: [card]) == KnownMounts.Survey())
            #expect(mounts.questionable(table).isEmpty && mounts.away([card], in: table).isEmpty)
            #expect(mounts.survey(table, recognised: []) == KnownMounts.Survey(), "once is enough")
            change(&mounts)
        }
        #expect(mounts.giveUp([card], for: table).isEmpty && mounts.away([card], in: table).isEmpty)
        #expect(mounts.questionable(table).isEmpty)
    }

    // Shows that a disk which is given up is what is there now, and that nothing is given up blindly.
    @Test func disksAreGivenUp() {
        var blind = known(identity)
        #expect(blind.giveUp([card], for: nil).isEmpty && blind.identities == [card: identity])
        #expect(blind.giveUp([card], for: table([card: .unknown])).isEmpty)
        #expect(blind.giveUp([card], for: table([card: .identified(another)])) == [fact(card, another)])
        #expect(blind.giveUp([card], for: table([:])) == [fact(card, nil)] && blind.identities.isEmpty)
    }
}
