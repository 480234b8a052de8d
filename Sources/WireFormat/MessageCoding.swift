public import AlbumModel
import FoundationEssentials
import SwiftProtobuf

extension Message {
    /// The bytes of one message, at most ``WireLimits/messageByteCountMax``.
    public func encoded() -> [UInt8] {
        var envelope = Potluck_Envelope()
        envelope.kind = kind
        return envelope.encodedBytes()
    }

    /// - Throws: what is wrong with the bytes; the peer that sent them does not speak this protocol.
    public init(decoding bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= WireLimits.messageByteCountMax else { throw .tooLong }
        try MessageShape.envelope.check(bytes)
        let envelope = try Potluck_Envelope(decoding: bytes)
        guard let kind = envelope.kind else {
            guard !envelope.unknownFields.data.isEmpty else { throw .emptyMessage }
            self = .unknown
            return
        }
        self = try Self.read(kind)
    }

    /// `nil` for what is never sent.
    private var kind: Potluck_Envelope.OneOf_Kind? {
        switch self {
        case .hello(let hello): .hello(hello.part)
        case .vector(let vector): .vector(vector.part)
        case .vectorDifference(let difference): .vectorDifference(difference.part)
        case .batches(let page): .batches(page.part)
        case .chainSample(let replica, let points):
            .chainSample(
                .with {
                    $0.replica = .init(replica.bytes)
                    $0.points = points.map(\.part)
                })
        case .vectorReply(let entries): .vectorReply(.with { $0.entries = VersionVector.parts(entries) })
        case .announced(let entries): .announced(.with { $0.entries = VersionVector.parts(entries) })
        case .graft: .graft(.init())
        case .prune: .prune(.init())
        case .presence(let presence, let counter):
            .presence(
                presence.part.with {
                    $0.counter = counter
                })
        case .presenceChanged(let change): .held(change.part)
        case .partHeld(let part): .partHeld(part.part)
        case .request(let request): .request(request.part)
        case .refused(let number, let isPassing):
            .refused(
                .with {
                    $0.number = number
                    $0.isPassing = isPassing
                })
        case .cancelled(let number): .cancelled(.with { $0.number = number })
        case .pieceListRequest(let blob): .pieceListRequest(.with { $0.blob = .init(blob.bytes) })
        case .pieceList(let blob, let list):
            .pieceList(
                .with {
                    $0.blob = .init(blob.bytes)
                    $0.hashes = .init((list?.hashes ?? []).flatMap(\.bytes))
                })
        case .ping(let number): .ping(.with { $0.number = number })
        case .pong(let number): .pong(.with { $0.number = number })
        case .digests(let digests, let vectorHash):
            .digests(
                .with {
                    $0.vectorHash = .init(vectorHash)
                    $0.digests = digests.map { digest in
                        .with {
                            $0.album = .init(digest.album.bytes)
                            $0.digest = .init(digest.digest)
                        }
                    }
                })
        case .catalogDigest(let root, let vectorHash):
            .catalogDigest(
                .with {
                    $0.root = .init(root)
                    $0.vectorHash = .init(vectorHash)
                })
        case .acknowledged(let page): .acknowledged(.with { $0.number = page })
        case .addresses(let statements): .addresses(.with { $0.statements = statements.map(\.part) })
        case .summaries(let statements): .summaries(.with { $0.statements = statements.map(\.part) })
        case .summaryDifferences(let differences):
            .summaryDifferences(.with { $0.differences = differences.map(\.part) })
        case .summaryVersions(let versions): .summaryVersions(versions.part)
        case .fetching(let notice): .fetching(notice.part)
        case .farewell(let reason): .farewell(.with { $0.reason = reason.rawValue })
        case .rulings(let rulings, let held, let isLast): .rulings(.init(rulings, held: held, isLast: isLast))
        case .seeds(let seeds): .seeds(Potluck_SeedsPart(seeds))
        case .unknown: nil
        }
    }

    private static func read(_ kind: Potluck_Envelope.OneOf_Kind) throws(WireError) -> Message {
        switch kind {
        case .hello(let part): return .hello(try Hello(part: part))
        case .vector(let part): return .vector(VersionVector(heads: try VersionVector.heads(part.entries)))
        case .vectorDifference(let part): return .vectorDifference(try VectorDifference(part: part))
        case .vectorReply(let part): return .vectorReply(try VersionVector.heads(part.entries))
        case .announced(let part): return .announced(try VersionVector.heads(part.entries))
        case .graft: return .graft
        case .prune: return .prune
        case .batches(let part): return .batches(try BatchPage(part: part))
        case .chainSample(let part):
            return .chainSample(try .decoding(part.replica, "replica"), points: part.points.map(Head.init(part:)))
        case .presence(let part): return .presence(try Presence(part: part), counter: part.counter)
        case .held(let part): return .presenceChanged(try PresenceChange(part: part))
        case .partHeld(let part): return .partHeld(try PartHeld(part: part))
        case .request(let part): return .request(try PieceRequest(part: part))
        case .refused(let part): return .refused(number: part.number, isPassing: part.isPassing)
        case .cancelled(let part): return .cancelled(number: part.number)
        case .pieceListRequest(let part): return .pieceListRequest(try .decoding(part.blob, "blob"))
        case .pieceList(let part):
            return .pieceList(try .decoding(part.blob, "blob"), try PieceList(joined: Array(part.hashes)))
        case .ping(let part): return .ping(part.number)
        case .pong(let part): return .pong(part.number)
        case .digests(let part):
            var digests: [AlbumDigest] = []
            for digest in part.digests {
                digests.append(
                    AlbumDigest(album: try .decoding(digest.album, "album"), digest: Array(digest.digest)))
            }
            return .digests(digests, vectorHash: Array(part.vectorHash))
        case .catalogDigest(let part):
            return .catalogDigest(root: Array(part.root), vectorHash: Array(part.vectorHash))
        case .acknowledged(let part): return .acknowledged(page: part.number)
        case .addresses(let part): return .addresses(part.read())
        case .summaries(let part): return .summaries(part.read())
        case .summaryDifferences(let part): return .summaryDifferences(try part.read())
        case .summaryVersions(let part): return .summaryVersions(SummaryVersions(part: part))
        case .fetching(let part): return .fetching(try FetchingNotice(part: part))
        case .farewell(let part):
            // A reason of a later version ends the connection all the same.
            return .farewell(FarewellReason(rawValue: part.reason) ?? .full)
        case .rulings(let part):
            return .rulings(part.rulings.map { $0.read() }, held: try part.readHeld(), isLast: part.isLast)
        case .seeds(let part): return .seeds(try part.read())
        }
    }
}

extension Hello {
    fileprivate var part: Potluck_HelloPart {
        .with {
            $0.versionMin = versions.lowerBound
            $0.version = versions.upperBound
            $0.run = .init(run)
            $0.port = UInt32(port)
            $0.foldLevel = foldLevel
            $0.needsLink = needsLink
            if let known {
                $0.presenceRun = .init(known.run)
                $0.presenceCounter = known.counter
            }
            $0.vectorBase = .init(vectorBase ?? [])
            $0.takesDifferences = takesDifferences
            $0.addressesNumber = addressesNumber ?? 0
            $0.summaryNumber = summaryNumber
            $0.rulings = .init(rulings ?? [])
        }
    }

    fileprivate init(part: Potluck_HelloPart) throws(WireError) {
        guard part.run.count == 16 else { throw .wrongByteCount(field: "run") }
        guard let port = UInt16(exactly: part.port) else { throw .outOfRange(field: "port") }
        // A sender that names no oldest version speaks one only.
        let oldest = part.versionMin == 0 ? part.version : part.versionMin
        guard oldest <= part.version else { throw .outOfRange(field: "version") }
        guard part.vectorBase.isEmpty || part.vectorBase.count == WireLimits.vectorNameByteCount else {
            throw .wrongByteCount(field: "vector base")
        }
        guard part.rulings.isEmpty || part.rulings.count == WireLimits.rulingsDigestByteCount else {
            throw .wrongByteCount(field: "rulings")
        }
        let known = PresencePosition(run: Array(part.presenceRun), counter: part.presenceCounter)
        self.init(
            versions: oldest...part.version, run: Array(part.run), port: port, foldLevel: part.foldLevel,
            needsLink: part.needsLink, known: known.run.isEmpty ? nil : known,
            vectorBase: part.vectorBase.isEmpty ? nil : Array(part.vectorBase),
            takesDifferences: part.takesDifferences,
            addressesNumber: part.addressesNumber == 0 ? nil : part.addressesNumber,
            summaryNumber: part.summaryNumber, rulings: part.rulings.isEmpty ? nil : Array(part.rulings))
    }
}

extension BatchPage {
    fileprivate var part: Potluck_BatchesPart {
        .with {
            $0.batches = batches.map { batch in
                .with {
                    $0.content = .init(batch.content)
                    $0.signature = .init(batch.signature)
                }
            }
            $0.pieceLists = pieceLists.sorted { $0.key < $1.key }.map { blob, list in
                .with {
                    $0.blob = .init(blob.bytes)
                    $0.hashes = .init(list.hashes.flatMap(\.bytes))
                }
            }
            $0.page = page
        }
    }

    fileprivate init(part: Potluck_BatchesPart) throws(WireError) {
        let byteCount = part.batches.reduce(0) { $0 + $1.content.count }
        guard byteCount <= WireLimits.receivedPageByteCountMax else { throw .tooLong }
        var lists: [BlobID: PieceList] = [:]
        for list in part.pieceLists {
            lists[try .decoding(list.blob, "blob")] = try PieceList(joined: Array(list.hashes))
        }
        self.init(
            batches: part.batches.map { SignedBatch(content: Array($0.content), signature: Array($0.signature)) },
            pieceLists: lists, page: part.page)
    }
}

extension PieceList {
    /// All hashes, one after the other, as the journal and the wire carry them.
    public var joined: [UInt8] { hashes.flatMap(\.bytes) }

    /// `nil` for no bytes.
    fileprivate init?(joined: [UInt8]) throws(WireError) {
        guard joined.count % BlobID.byteCount == 0 else { throw .wrongByteCount(field: "piece list") }
        guard !joined.isEmpty else { return nil }
        self.init(
            hashes: stride(from: 0, to: joined.count, by: BlobID.byteCount).map {
                BlobID(bytes: joined[$0..<$0 + BlobID.byteCount])!
            })
    }
}

extension PieceRequest {
    fileprivate var part: Potluck_PieceRequestPart {
        .with {
            $0.number = number
            $0.blob = .init(blob.bytes)
            $0.piece = UInt32(piece)
            $0.byteCount = UInt32(byteCount)
            $0.blobClass = blobClass.rawValue
        }
    }

    fileprivate init(part: Potluck_PieceRequestPart) throws(WireError) {
        guard let blobClass = BlobClass(rawValue: part.blobClass) else { throw .outOfRange(field: "blob class") }
        self.init(
            number: part.number, blob: try .decoding(part.blob, "blob"), piece: Int(part.piece),
            byteCount: Int(part.byteCount), blobClass: blobClass)
    }
}
