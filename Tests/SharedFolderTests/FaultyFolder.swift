import DiskIO
import FolderEngine
import Glibc
import PhotoStore
import Synchronization
import TestSupport
import Testing

@testable import SharedFolder

/// A folder some of whose directories cannot be listed, and in which a card may be mounted.
final class FaultyFolder: Sendable {
    private struct State {
        var failing: Set<FolderPath> = []
        var mounts: [FolderPath: MountTable.Mount] = [:]
    }

    private let state = Mutex(State())

    /// Directories whose listing gives EIO.
    func fail(_ directories: String...) { state.withLock { $0.failing = Set(directories.map { FolderPath($0) }) } }

    /// `nil`: nothing is mounted there.
    func mount(_ identity: MountIdentity?, at directory: String) {
        state.withLock { $0.mounts[FolderPath(directory)] = identity.map { .identified($0) } }
    }

    var probe: FolderProbe {
        FolderProbe(
            list: { (directory, root) throws(DirectoryListingError) in
                let isFailing = self.state.withLock { $0.failing.contains(directory) }
                if isFailing { throw DirectoryListingError(errno: EIO, path: root + "/" + directory.text) }
                return try directory.listing(in: root)
            }, mounts: { _ in MountTable(mounts: self.state.withLock { $0.mounts }) })
    }
}

extension FolderSettings {
    /// One file at a time, and what cannot be looked at is looked at again at once.
    static var watchful: FolderSettings {
        var settings = inOrder
        settings.gapFirst = .milliseconds(20)
        settings.gapMax = .milliseconds(20)
        return settings
    }
}

extension Kit {
    /// Fills an album's directories, which are made, with photos of these seeds, and returns once they are shared.
    func fill(_ files: [(path: String, seed: Int)]) async throws {
        for (path, _) in files {
            var made = ""
            for part in path.split(separator: "/").dropLast() {
                made += (made.isEmpty ? "" : "/") + part
                makeDirectory(made)
            }
        }
        for (path, seed) in files { try drop(SamplePhoto.jpeg(seed), as: path) }
        try await waitForDrops(of: files.map(\.seed))
    }

    /// Waits until the folder has told that parts of it cannot be looked at, in a sentence with these words.
    func isToldUnreachable(_ words: String) async -> Bool {
        await host.wait { view in
            view.notices.contains { notice in
                if case .unreachable(let sentence?) = notice { sentence.contains(words) } else { false }
            }
        }
    }

    /// Waits until everything could be looked at again, after ``isToldUnreachable(_:)``.
    func isReachableAgain() async -> Bool { await host.wait { $0.notices.contains(.unreachable(nil)) } }

    /// Whether nothing was judged or held back.
    func isUntouched() async -> Bool {
        let held = await host.held
        return await edits().isEmpty && held == nil
    }

    func exists(_ name: String) -> Bool { access(path(name), F_OK) == 0 }
}
