import AlbumModel
import Testing

/// Two devices that meet agree on a common epoch, and each judges the other by its roll.
@Suite struct HeldEpochsTests {
    private func held(_ numbers: [Int], _ knowledge: HeldEpochs.Knowledge = .ruling) -> HeldEpochs {
        HeldEpochs(numbers.map { epoch($0) }, knowledge)
    }

    private func epoch(_ number: Int) -> HeldEpochs.Epoch {
        HeldEpochs.Epoch(ruling: RulingID(content: [UInt8(number)]), tag: [UInt8(number)])
    }

    /// What both find out, from what they show.
    private func meet(
        _ dialler: HeldEpochs, _ acceptor: HeldEpochs
    ) -> (dialler: HeldEpochs.Meeting, acceptor: HeldEpochs.Meeting?) {
        let (meeting, newest) = dialler.meeting(tags: acceptor.shownTags, acceptor.knowledge)
        return (meeting, acceptor.meeting(common: meeting.common.tag, newest: newest))
    }

    private func expect(
        _ first: HeldEpochs, _ second: HeldEpochs, common number: UInt8, areLevel: Bool,
        _ location: SourceLocation = #_sourceLocation
    ) {
        for (dialler, acceptor) in [(first, second), (second, first)] {
            let meeting = meet(dialler, acceptor)
            for found in [meeting.dialler, meeting.acceptor] {
                #expect(found?.common.tag == [number], sourceLocation: location)
                #expect(found?.areLevel == areLevel, sourceLocation: location)
            }
        }
    }

    /// The newest that both hold is common; only where it is the newest of both are they level, and both come to the same.
    @Test func theNewestCommonEpochIsTaken() {
        expect(held([3, 2, 1]), held([2, 1]), common: 2, areLevel: false)
        expect(held([2, 1]), held([2, 1]), common: 2, areLevel: true)
        // One of two knows no founding.
        expect(held([2], .phraseAlone), held([2]), common: 2, areLevel: false)
        expect(held([2], .phraseAlone), held([2], .phraseAlone), common: 2, areLevel: true)
    }

    /// A typed phrase brings two together of whom one knows more of it, or nothing else; with others, and with whoever typed
    /// the same, it is as if it had not been typed.
    @Test func typedPhrasesPartNobody() {
        let typed = held([9, 2, 1], .typed)
        expect(typed, held([9, 2, 1]), common: 9, areLevel: false)
        expect(typed, held([9], .phraseAlone), common: 9, areLevel: false)
        expect(typed, held([2, 1]), common: 2, areLevel: true)
        expect(typed, held([3, 2, 1]), common: 2, areLevel: false)
        expect(typed, held([1]), common: 1, areLevel: false)
        expect(typed, typed, common: 2, areLevel: true)
        expect(typed, held([8, 2, 1], .typed), common: 2, areLevel: true)
        expect(typed, held([9, 3, 2, 1], .typed), common: 2, areLevel: false)
        // Nothing else is held by either.
        expect(held([9], .typed), held([9], .typed), common: 9, areLevel: true)
    }

    /// Without a common epoch the dialler proves its own, which the acceptor does not know.
    @Test func foreignersShareNoEpoch() {
        let meeting = meet(held([5]), held([2, 1]))
        #expect(meeting.dialler.common == epoch(5) && meeting.acceptor == nil)
        let typed = meet(held([7, 5], .typed), held([2, 1]))
        #expect(typed.dialler.common == epoch(5) && typed.acceptor == nil)
    }

    @Test func fewTagsAreShown() {
        let many = HeldEpochs(
            (0..<300).map { .init(ruling: nil, tag: [UInt8($0 / 256), UInt8($0 % 256)]) }, .ruling)
        #expect(many.shownTags.count == HeldEpochs.shownCountMax)
        #expect(many.shownTags.first == many.epochs[0].tag)
    }
}
