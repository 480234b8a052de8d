import Testing

@testable import FolderEngine

/// What is asked of a disk, and what follows from its answers.
struct DiskPresenceTests {
    /// Directories with their entries. What is asked for several times may be answered differently each time.
    private final class FakeDisk: PresenceDisk {
        var directories: [String: Set<String>]
        /// They give an error when they are listed.
        var failing: Set<String> = []
        var away: Set<String> = []
        /// Answers to the first looks at a path, before the disk's own.
        var looks: [String: [PathLook]] = [:]

        init(_ directories: [String: Set<String>]) {
            self.directories = directories
        }

        func look(at path: FolderPath) -> PathLook {
            if let answer = looks[path.text]?.first {
                looks[path.text]!.removeFirst()
                return answer
            }
            if directories[path.text] != nil { return .directory }
            let name = String(decoding: path.name, as: UTF8.self)
            return directories[path.parent.text]?.contains(name) == true ? .noDirectory : .absent
        }

        func listing(of directory: FolderPath) -> FolderWalk.Listing {
            if failing.contains(directory.text) { return .failed(5, isAbsent: false) }
            guard let names = directories[directory.text] else { return .failed(2, isAbsent: true) }
            return .whole(names.map { FolderWalk.Entry(name: Array($0.utf8), kind: .noDirectory) })
        }

        func isAway(_ path: FolderPath) -> Bool { away.contains { path.isBelow(FolderPath($0)) } }
    }

    private let paths = ["A/there.jpg", "A/gone.jpg", "A/b/gone.jpg", "A/c/d/gone.jpg", "A/there.jpg/x.jpg", "A/b"]

    private var disk: FakeDisk { FakeDisk(["": ["A"], "A": ["there.jpg", "b"], "A/b": []]) }

    private func answers(_ disk: FakeDisk) -> [FilePresence] {
        var presence = DiskPresence(disk)
        return paths.map { presence.answer(FolderPath($0)) }
    }

    // Shows that a file is called absent only by a whole listing of its directory, or of the nearest one that is there.
    @Test func absenceNeedsAListing() {
        let disk = disk
        #expect(answers(disk) == [.present, .absent, .absent, .absent, .absent, .absent])
        disk.failing = ["A"]
        #expect(answers(disk) == [.unknown, .unknown, .absent, .unknown, .absent, .absent])
        disk.failing = ["", "A", "A/b"]
        #expect(answers(disk) == [.unknown, .unknown, .unknown, .unknown, .absent, .absent])
    }

    // Shows that a folder which is not there itself has lost nothing.
    @Test func aMissingFolderShowsNothing() {
        #expect(answers(FakeDisk([:])) == Array(repeating: .unknown, count: paths.count))
    }

    // Shows that nothing is absent from a disk that is away, or was pulled out while it was asked.
    @Test func disksThatAreAwayShowNothing() {
        let disk = disk
        disk.away = ["A"]
        #expect(answers(disk) == [.present, .unknown, .unknown, .unknown, .unknown, .unknown])
    }

    // Shows that a name which the file system takes for another one is not there.
    @Test func onlyTheListingKnowsTheName() {
        let disk = disk
        disk.looks["A/THERE.JPG"] = [.noDirectory]
        var presence = DiskPresence(disk)
        #expect(presence.answer(FolderPath("A/THERE.JPG")) == .absent)
    }

    // Shows that a file which comes while it is asked for is there, and that a look which contradicts every listing shows
    // nothing.
    @Test func whatChangesMeanwhileIsAskedAgain() {
        let came = disk
        came.looks["A/there.jpg"] = [.absent]
        #expect(answers(came)[0] == .present)
        let doubtful = disk
        doubtful.looks["A/there.jpg"] = [.absent, .absent]
        #expect(answers(doubtful)[0] == .unknown)
        let unreadable = disk
        unreadable.looks["A/gone.jpg"] = [.unknown]
        #expect(answers(unreadable)[1] == .unknown)
    }

    // Shows that a listing from before a file came is not believed.
    @Test func oldListingsAreMadeAnew() {
        let disk = disk
        var presence = DiskPresence(disk)
        #expect(presence.answer(FolderPath("A/new.jpg")) == .absent)
        disk.directories["A"]!.insert("new.jpg")
        #expect(presence.answer(FolderPath("A/new.jpg")) == .present)
    }
}
