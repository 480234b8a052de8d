import AlbumModel
import DiskIO
import FolderEngine
import Glibc
import NIOPosix
import PhotoStore
import Synchronization

/// Puts received photos into the folder, in groups: intents committed, files placed, states recorded, in this order.
///
/// So whatever the moment of a crash, a file that this program placed is known as its own afterwards. What fails with one
/// photo is only its own. A member's word about a photo is not asked: the bytes say what it is.
struct Materialiser: Sendable {
    /// The path at which the photo is now; `nil` if it has a file in its album already, or had one that a person deleted.
    typealias Outcome = Result<FolderPath?, FolderError>

    /// A photo of the group that has no outcome yet.
    private struct Item: Sendable {
        /// In the group.
        let number: Int
        let placement: Placement
        var placing: Placing
        var next: Placing.Try
    }

    /// An item at the path that is reserved for it.
    private struct Attempt: Sendable {
        let item: Item
        let path: FolderPath
        let intent: [FactChange]
    }

    private typealias Ended = Result<Placing.Outcome, any Error>

    let core: FolderCore

    /// Each photo **must** be in the group once; outcomes are in its order.
    func place(_ placements: [Placement]) async -> [Outcome] {
        precondition(Set(placements.map(\.photo)).count == placements.count, "each photo is placed once at a time")
        return await core.withTurns(Set(placements.map { .photo($0.blob) })) { await placeInTurn(placements) }
    }

    private func placeInTurn(_ placements: [Placement]) async -> [Outcome] {
        var outcomes = [Outcome](repeating: .success(nil), count: placements.count)
        let wanted = core.queue.read { judge in
            placements.enumerated().filter { judge.state.isWanted($0.element.photo) }
        }
        if wanted.isEmpty { return outcomes }
        var items: [Item] = []
        do {
            let begun = try await core.pool.perform {
                wanted.map { (number, placement) in Result { try self.begin(number, placement) } }
            }
            for ((number, _), begun) in zip(wanted, begun) {
                switch begun {
                case .success(let item): items.append(item)
                case .failure(let error): outcomes[number] = .failure(FolderError(error))
                }
            }
        } catch {
            for (number, _) in wanted { outcomes[number] = .failure(FolderError(error)) }
        }
        while !items.isEmpty {
            var attempts: [Attempt] = []
            for item in items {
                let directory = item.placing.directory
                switch item.next {
                case .place(let path, let intent): attempts.append(Attempt(item: item, path: path, intent: intent))
                case .unwanted: break
                case .directoryUnfit: outcomes[item.number] = .failure(Self.unfit(directory))
                case .exhausted:
                    outcomes[item.number] = .failure(
                        FolderError(.failed, "There is no free name for \(item.placement.name) in \(directory)."))
                }
            }
            var taken: [Item] = []
            for (attempt, ended) in zip(attempts, await place(attempts)) {
                switch ended {
                case .success(.taken): taken.append(attempt.item)
                case .success: outcomes[attempt.item.number] = .success(attempt.path)
                case .failure(let error): outcomes[attempt.item.number] = .failure(FolderError(error))
                }
            }
            items = nextTries(of: taken)
        }
        return outcomes
    }

    private static func unfit(_ directory: FolderPath) -> FolderError {
        FolderError(
            .unavailable, "The directory \(directory) is just getting another name, or is another album's by now.")
    }

    /// Blocks.
    private func begin(_ number: Int, _ placement: Placement) throws -> Item {
        // First: what is no photo makes no directory.
        let type = try core.type(of: placement.blob, called: placement.name)
        // An empty directory stays once a name in it is reserved.
        return try core.directories.withLock { _ in
            var placing = Placing(
                placement.photo, in: try directory(for: placement), name: placement.name, type: type,
                deviceName: placement.deviceName)
            let first = core.queue.change { judge, _ in placing.next(&judge) }
            return Item(number: number, placement: placement, placing: placing, next: first)
        }
    }

    private func nextTries(of items: [Item]) -> [Item] {
        if items.isEmpty { return [] }
        return core.queue.change { judge, _ in
            items.map { item in
                var item = item
                item.next = item.placing.next(&judge)
                return item
            }
        }
    }

    private func place(_ attempts: [Attempt]) async -> [Ended] {
        if attempts.isEmpty { return [] }
        var ended: [Ended]
        do {
            try await core.facts.commit(attempts.flatMap(\.intent))
            ended = try await core.pool.perform { self.perform(attempts) }
        } catch {
            ended = attempts.map { _ in .failure(error) }
        }
        let ends = zip(attempts, ended).map { attempt, ended in
            Placing.End(attempt.path, attempt.item.placement.photo, ended.placingOutcome)
        }
        await DirectiveRunner(core: core).follow(.placed(ends))
        return ended
    }

    /// Blocks.
    private func perform(_ attempts: [Attempt]) -> [Ended] {
        let placements = attempts.map { attempt in
            BlobPlacement(
                blob: attempt.item.placement.blob, path: core.root + "/" + attempt.path.text,
                mayLink: attempt.item.placement.mayLink, modified: attempt.item.placement.modified)
        }
        let placed = core.blobs.place(placements) { number in
            let directory = attempts[number].path.parent
            if let complaint = core.placingComplaint(in: directory) { throw FolderError(.unavailable, complaint) }
        }
        return zip(attempts, placed).map { attempt, placed in
            Result { try outcome(of: attempt, placed) }
        }
    }

    /// Blocks.
    ///
    /// - Throws: also where nobody can tell whether a file that is there is the photo: under another name it might be there
    ///   twice.
    private func outcome(of attempt: Attempt, _ placed: Result<FileStat, any Error>) throws -> Placing.Outcome {
        do {
            return .placed(FileSignature(try placed.get()))
        } catch let error as BlobError where error.code == .destinationExists {
            // It may be the photo itself.
        }
        do throws(BlobError) {
            let path = core.root + "/" + attempt.path.text
            let stat = try core.blobs.makeDurable(fileWith: attempt.item.placement.blob, at: path)
            return stat.map { .found(FileSignature($0)) } ?? .taken
        } catch {
            // What this program may not read is none of ours.
            guard SystemCall.isUnfit(error.errno, attempt.path.absolute(in: core.root)) else { throw error }
            return .taken
        }
    }
}

extension Result<Placing.Outcome, any Error> {
    /// What the judge is told.
    fileprivate var placingOutcome: Placing.Outcome {
        switch self {
        case .success(let outcome): outcome
        case .failure(let error): .failed(isUnavailable: (error as? FolderError)?.code == .unavailable)
        }
    }
}

extension Materialiser {
    /// The album's directory: where its files are; else one of its name, whatever its case; else a new one. Blocks.
    private func directory(for placement: Placement) throws -> FolderPath {
        let (used, isUnfit) = core.queue.read { judge in
            let used = judge.state.directory(of: placement.album)
            return (used, used.map { judge.state.isBeingRenamed($0) } ?? false)
        }
        // Whether the folder is there is asked right before anything is put into it.
        if let used, !isUnfit, core.knownPlacingComplaint(in: used) == nil, isThere(used) { return used }
        if let complaint = core.placingComplaint(in: used ?? .root) { throw FolderError(.unavailable, complaint) }
        // It may have its new name by now, and would be made once more under the former one.
        if let used, isUnfit { throw Self.unfit(used) }
        if let used, try isOrMake(used) { return used }
        guard case .whole(let entries) = core.mounts.listing(of: .root) else {
            throw FolderError(.failed, "The folder \(core.root) cannot be listed.")
        }
        let paths = core.queue.read {
            Array($0.state.directories(for: placement.album, named: placement.albumName, beside: entries))
        }
        // The bare directory of a disk that is away is none.
        for path in paths where core.complaint(about: path) == nil {
            if try isOrMake(path) { return path }
        }
        throw FolderError(.failed, "There is no free name for a directory for \(placement.albumName).")
    }

    /// Nothing is made. False also where nobody can look: ``isOrMake(_:)`` tells why.
    private func isThere(_ path: FolderPath) -> Bool {
        (try? FileStat(path: path.absolute(in: core.root)).isDirectory) ?? false
    }

    /// False if something else than a directory has the name; a symbolic link to one is something else.
    private func isOrMake(_ path: FolderPath) throws -> Bool {
        let absolute = path.absolute(in: core.root)
        // Durably: else a power cut may take the directory back, and its photos would count as deleted by a person.
        return try Disk.makeDurableDirectory(absolute, in: core.root, mode: 0o755, toleratesUnsupported: true)
            || FileStat(path: absolute).isDirectory
    }
}

extension FolderCore {
    /// What a photo's bytes are, as they would be judged in a file of this name that a person drops. Blocks.
    func type(of blob: BlobID, called name: String) throws -> MediaType {
        guard let reader = try blobs.open(blob) else {
            throw FolderError(.blobGone, "The bytes of \(name) are not on this laptop any more.")
        }
        var head = [UInt8](repeating: 0, count: MediaContent.headByteCount)
        let count = try head.withUnsafeMutableBytes { try reader.read(at: 0, into: $0) }
        switch MediaContent(head: Array(head[..<count]), byteCount: reader.byteCount, name: name) {
        case .media(let type): return type
        case .refused(let reason):
            throw FolderError(.noPhoto(reason: reason), "\(name) is kept, and not put into the folder: \(reason).")
        }
    }
}
