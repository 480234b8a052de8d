import Testing

@testable import FolderEngine

/// What counts as the work of a power cut, whose remains are replaced, and what may be a person's.
struct RemainsTests {
    private func remains(_ own: [UInt8], of photo: [UInt8], by step: Int = 2) -> Remains {
        var comparison = RemainsComparison(byteCount: UInt64(own.count), photoByteCount: UInt64(photo.count))
        for start in stride(from: 0, to: own.count, by: step) where comparison.mayBeRemains {
            let range = start..<min(start + step, own.count)
            if own[range] != photo[range] { comparison.differs(own[range], photo[range]) }
        }
        return comparison.remains
    }

    // Shows that only a beginning and zeros are remains, in whatever parts they are compared.
    @Test(arguments: 1...5) func onlyBeginningsAndZerosAreRemains(step: Int) {
        let photo: [UInt8] = [1, 2, 0, 4, 5]
        #expect(remains(photo, of: photo, by: step) == .whole)
        #expect(remains([1, 2, 0], of: photo, by: step) == .damaged)
        #expect(remains([], of: photo, by: step) == .damaged)
        #expect(remains([0, 0, 0, 0, 0], of: photo, by: step) == .damaged)
        #expect(remains([1, 0, 0, 4], of: photo, by: step) == .damaged)
        #expect(remains([1, 2, 3, 4, 5], of: photo, by: step) == .other)
        #expect(remains([0, 0, 0, 0, 6], of: photo, by: step) == .other)
        #expect(remains([1, 2, 0, 4, 5, 6], of: photo, by: step) == .other)
    }
}
