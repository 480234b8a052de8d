import AlbumModel
import Foundation
import PhotoStore
import SyncEngine
import TestSupport
import Testing
import WireFormat

@testable import PeerTransport
@testable import PotluckAgent

/// What is begun of blobs, and what comes of them, where the engine asked for something else meanwhile.
@Suite struct StagingTests {
    private func blob(_ number: UInt8) -> BlobID { BlobID(bytes: [UInt8](repeating: number, count: 32))! }

    private func eventuallyHeld(_ blob: BlobID, by running: RunningAgent) async throws {
        try await eventually("the engine knows what is here") {
            await running.services.host.ask { $0.held.contains(blob) } ? .done(()) : .notYet("it does not")
        }
    }

    private func eventuallyNothingStaged(in home: String) async throws {
        try await eventually("nothing is left in staging") {
            let names = try FileManager.default.contentsOfDirectory(atPath: home + "/staging")
            return names.isEmpty ? .done(()) : .notYet("\(names)")
        }
    }

    private func piece(_ number: UInt32, of blob: BlobID, _ bytes: [UInt8], isWhole: Bool = true) -> ArrivedPiece {
        let buffer = PieceBuffer(byteCount: bytes.count, from: PieceMemory(countMax: 0))
        bytes.withUnsafeBytes { buffer.write($0, at: 0) }
        let request = PieceRequest(number: number, blob: blob, piece: 0, byteCount: bytes.count, blobClass: .original)
        return ArrivedPiece(request: request, isWhole: isWhole, buffer: buffer)
    }

    /// A blob that is here is known to the engine, although one before it has a size that no photo has; and one that
    /// nobody wants leaves no file.
    @Test func blobsBeginEachByItself() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let staging = running.services.staging
                let held = try running.parts.blobs.ingest(bytes: [1, 2, 3])
                let list = PieceList(hashes: [blob(6), blob(7)])
                staging.begin(blob(4), BlobStore.byteCountMax + 1, list)
                staging.begin(blob(5), 2 << 20, list)
                staging.begin(held, 2 << 20, list)
                try await eventuallyHeld(held, by: running)
                try await eventuallyNothingStaged(in: home)
                #expect(staging.partial(blob(4)) == nil && staging.partial(blob(5)) == nil)
            }
        }
    }

    /// A blob that comes whole is durable and held, also where nobody waits for it any more; bytes of another one leave
    /// nothing; and a piece of several, whose file was closed meanwhile, is answered at once.
    @Test func piecesEndEachByItself() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let bytes: [UInt8] = [7, 8, 9]
                let right = blobID(bytes)
                let pieces = [
                    piece(1, of: blob(4), bytes), piece(2, of: right, bytes),
                    piece(3, of: right, bytes, isWhole: false),
                ]
                let known = running.services.staging.write(pieces, from: LinkID(number: 1))
                #expect(known.count == 1)
                guard case .pieceStored(_, number: 3, .failed) = known.first else {
                    Issue.record("a piece whose file is closed counts as \(known)")
                    return
                }
                try await eventuallyHeld(right, by: running)
                #expect(running.parts.blobs.contains(right) && !running.parts.blobs.contains(blob(4)))
                try await eventually("no piece waits for the disk") {
                    let links = running.services.staging.writingLinks
                    return links.isEmpty ? .done(()) : .notYet("\(links)")
                }
                try await eventuallyNothingStaged(in: home)
            }
        }
    }

    /// Whoever ends waits for the pieces that are being written, and none begins after that: by then another store of the home
    /// may be open, which would not know of what comes.
    @Test func nothingIsWrittenOnceItHasEnded() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let staging = running.services.staging
                let pieces = (0..<400).map { number in
                    let bytes = [UInt8(number & 0xFF), UInt8(number >> 8)]
                    return piece(UInt32(number), of: blobID(bytes), bytes)
                }
                #expect(staging.write(pieces, from: LinkID(number: 1)).isEmpty)
                await staging.end()
                #expect(staging.writingLinks.isEmpty)
                let held = running.parts.blobs.heldIDs
                let late = piece(400, of: blobID([1]), [1])
                #expect(staging.write([late], from: LinkID(number: 1)).isEmpty)
                await staging.end()
                #expect(running.parts.blobs.heldIDs == held)
                try await eventuallyNothingStaged(in: home)
            }
        }
    }

    /// What was deleted, or lost, after it was made durable and before the engine's turn does not count as held: nobody
    /// would tell of it again.
    @Test func whatLeftTheStoreSinceIsNotHeld() async throws {
        try await RunningAgent.withHome { home in
            try await RunningAgent.run(home) { running in
                let staging = running.services.staging
                let (there, gone) = (try running.parts.blobs.ingest(bytes: [1, 2, 3]), blob(4))
                #expect(staging.current(.committed(there)) == .committed(there))
                guard case .committed = staging.committed(there) else {
                    Issue.record("what is there does not count")
                    return
                }
                guard case .failed = staging.current(.committed(gone)),
                    case .commitFailed = staging.committed(gone)
                else {
                    Issue.record("what is gone counts")
                    return
                }
            }
        }
    }
}
