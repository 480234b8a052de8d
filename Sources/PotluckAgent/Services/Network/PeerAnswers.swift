import Synchronization
import AlbumModel
import Logging
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// A peer asks for a blob's piece list.
struct PieceListQuestion: Sendable {
    var blob: BlobID
    /// The ``PieceList/listHash`` of each list that contributors name.
    var fitting: [BlobID]
}

/// What one peer asked for that takes time or memory to answer, and is not queued on its connection yet.
///
/// While it is full nothing more is taken of what the peer says, so that its questions wait at its end. A peer of this
/// version never has more questions open than this, and is answered as fast as it reads.
struct PeerAnswers {
    /// Bytes of messages that may wait on the connection when another piece list is read: the longest has 2 MiB.
    static let queuedByteCountMax = 1 << 20

    private let pieceCountMax: Int
    private let listCountMax: Int
    /// Pieces whose file is being opened.
    private var pieceCount = 0
    /// Blobs whose lists were asked for, each once, in the order in which they were.
    private(set) var lists: [PieceListQuestion] = []
    private var isSendingLists = false
    private var reader: CheckedContinuation<Void, Never>?

    init(limits: EngineLimits = EngineLimits()) {
        pieceCountMax = limits.requestsPerLinkMax
        listCountMax = limits.openBlobCountMax
    }

    var isFull: Bool { pieceCount >= pieceCountMax || lists.count >= listCountMax }

    mutating func beginPiece() { pieceCount += 1 }

    mutating func finishPiece() { pieceCount -= 1 }

    /// - Returns: whether somebody has to begin sending lists.
    mutating func add(_ question: PieceListQuestion) -> Bool {
        // A peer that lost patience asks again: one answer serves both.
        if !lists.contains(where: { $0.blob == question.blob }) { lists.append(question) }
        defer { isSendingLists = true }
        return !isSendingLists
    }

    /// The next blob whose list is to be sent; after `nil` somebody has to begin again.
    mutating func takeList() -> PieceListQuestion? {
        isSendingLists = !lists.isEmpty
        return lists.isEmpty ? nil : lists.removeFirst()
    }

    /// Keeps whoever reads from the peer until ``takeReader()`` gives it back.
    mutating func wait(_ reader: CheckedContinuation<Void, Never>) { self.reader = reader }

    /// Whoever reads from the peer, if it waits and there is room.
    mutating func takeReader() -> CheckedContinuation<Void, Never>? { isFull ? nil : reader.take() }
}

/// Reads long messages one at a time, whoever sent them: while one is read it takes several times its bytes.
actor LongMessages {
    /// Shorter ones are read beside others.
    static let byteCountMin = 64 << 10

    private let decode: @Sendable ([UInt8]) throws -> Message

    init(decode: @escaping @Sendable ([UInt8]) throws -> Message = { try Message(decoding: $0) }) {
        self.decode = decode
    }

    /// `nil` where it cannot be read.
    func message(_ bytes: [UInt8]) -> Message? { try? decode(bytes) }
}

extension NetworkService {
    /// Returns once more may be taken of what a peer says.
    func untilRoom(on link: LinkID) async {
        await withCheckedContinuation { reader in
            let waits = state.withLock { state in
                guard state.links[link]?.answers.isFull == true else { return false }
                state.links[link]!.answers.wait(reader)
                return true
            }
            if !waits { reader.resume() }
        }
    }

    /// A piece that a peer asked for is queued on its connection, or refused.
    func answered(_ link: LinkID) {
        let reader = state.withLock { state in
            state.links[link]?.answers.finishPiece()
            return state.links[link]?.answers.takeReader()
        }
        reader?.resume()
    }

    private func nextList(_ link: LinkID) -> PieceListQuestion? {
        let (question, reader) = state.withLock { state in
            (state.links[link]?.answers.takeList(), state.links[link]?.answers.takeReader())
        }
        reader?.resume()
        return question ?? nil
    }

    /// Sends the lists that a peer asked for, one after the other, as it reads them.
    func sendPieceLists(_ link: LinkID) async {
        guard let connection = connection(link) else { return }
        while let question = nextList(link) {
            let blob = question.blob
            await connection.untilQueued(atMost: PeerAnswers.queuedByteCountMax)
            do {
                let list = try await parts.servingPool.perform { [parts] in
                    try parts.blobs.pieceList(blob, fitting: question.fitting)
                }
                connection.send(Message.pieceList(blob, list).encoded())
            } catch {
                // An error says nothing about the blob, and is answered by nothing: "not here" would take a copy off what
                // the peer counts. It asks elsewhere after a while. What the store finds to be gone it no longer has.
                if parts.blobs.contains(blob) {
                    failedReads.note(blob)
                } else {
                    connection.send(Message.pieceList(blob, nil).encoded())
                }
                parts.logger.debug("piece list not read", metadata: ["error.message": "\(error)"])
            }
        }
    }
}
