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
        guard let kind = try Potluck_Envelope(decoding: bytes).kind else { throw .emptyMessage }
        self = try Self.read(kind)
    }

    private var kind: Potluck_Envelope.OneOf_Kind {
        switch self {
        case .hello(let hello): .hello(hello.part)
        case .vector(let vector): .vector(vector.part)
        case .batches(let page): .batches(page.part)
        case .chainSample(let replica, let points):
            .chainSample(
                .with {
                    $0.replica = .init(replica.bytes)
                    $0.points = points.map(\.part)
                })
        case .presence(let presence): .presence(presence.part)
        case .held(let blobs): .held(.with { $0.blobs = blobs.map { .init($0.bytes) } })
        case .request(let request): .request(request.part)
        case .refused(let number): .refused(.with { $0.number = number })
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
        case .acknowledged(let page): .acknowledged(.with { $0.number = page })
        }
    }

    private static func read(_ kind: Potluck_Envelope.OneOf_Kind) throws(WireError) -> Message {
        switch kind {
        case .hello(let part): return .hello(try Hello(part: part))
        case .vector(let part): return .vector(try VersionVector(part: part))
        case .batches(let part): return .batches(try BatchPage(part: part))
        case .chainSample(let part):
            guard part.points.count <= WireLimits.samplePointCountMax else { throw .tooLong }
            return .chainSample(try .decoding(part.replica, "replica"), points: part.points.map(Head.init(part:)))
        case .presence(let part): return .presence(try Presence(part: part))
        case .held(let part):
            guard part.blobs.count <= WireLimits.heldCountMax else { throw .tooLong }
            var blobs: [BlobID] = []
            for blob in part.blobs { blobs.append(try .decoding(blob, "blob")) }
            return .held(blobs)
        case .request(let part): return .request(try PieceRequest(part: part))
        case .refused(let part): return .refused(number: part.number)
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
        case .acknowledged(let part): return .acknowledged(page: part.number)
        }
    }
}

extension Hello {
    fileprivate var part: Potluck_HelloPart {
        .with {
            $0.version = version
            $0.run = .init(run)
            $0.port = UInt32(port)
            $0.foldLevel = foldLevel
        }
    }

    fileprivate init(part: Potluck_HelloPart) throws(WireError) {
        guard part.run.count == 16 else { throw .wrongByteCount(field: "run") }
        guard let port = UInt16(exactly: part.port) else { throw .outOfRange(field: "port") }
        self.init(version: part.version, run: Array(part.run), port: port, foldLevel: part.foldLevel)
    }
}

extension Head {
    fileprivate var part: Potluck_HeadPart {
        .with {
            $0.sequence = sequence
            $0.branch = branch
        }
    }

    fileprivate init(part: Potluck_HeadPart) {
        self.init(sequence: part.sequence, branch: part.branch)
    }
}

extension VersionVector {
    /// The vector's bytes, equal for equal vectors.
    public func encoded() -> [UInt8] { part.encodedBytes() }

    fileprivate var part: Potluck_VectorPart {
        .with {
            // A gathering with more replicas than this is warned long before; what is left out is sent once more.
            $0.entries = sortedEntries.prefix(WireLimits.replicaCountMax).map { entry in
                .with {
                    $0.replica = .init(entry.replica.bytes)
                    $0.heads = entry.heads.suffix(WireLimits.headCountMax).map(\.part)
                }
            }
        }
    }

    fileprivate init(part: Potluck_VectorPart) throws(WireError) {
        guard part.entries.count <= WireLimits.replicaCountMax else { throw .tooLong }
        var heads: [ReplicaID: [Head]] = [:]
        for entry in part.entries {
            guard entry.heads.count <= WireLimits.headCountMax else { throw .tooLong }
            heads[try .decoding(entry.replica, "replica")] = entry.heads.map(Head.init(part:))
        }
        self.init(heads: heads)
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
        guard part.batches.count <= WireLimits.pageBatchCountMax else { throw .tooLong }
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

extension Presence {
    fileprivate var part: Potluck_PresencePart {
        .with {
            $0.originals = runs.sorted { $0.key < $1.key }.map { replica, runs in
                .with {
                    $0.replica = .init(replica.bytes)
                    $0.runs = runs.map { run in
                        .with {
                            $0.first = run.lowerBound
                            $0.count = UInt64(run.count)
                        }
                    }
                }
            }
            // Forks are rare; what does not fit is found by asking.
            $0.others = others.sorted().prefix(WireLimits.presenceBlobCountMax).map { .init($0.bytes) }
        }
    }

    fileprivate init(part: Potluck_PresencePart) throws(WireError) {
        guard part.originals.count <= WireLimits.replicaCountMax else { throw .tooLong }
        self.init()
        for entry in part.originals {
            var ranges: [ClosedRange<UInt64>] = []
            for run in entry.runs {
                let (end, overflow) = run.first.addingReportingOverflow(run.count)
                guard run.count >= 1, !overflow, run.first > (ranges.last?.upperBound ?? 0) else {
                    throw .outOfRange(field: "run")
                }
                ranges.append(run.first...(end - 1))
            }
            runs[try .decoding(entry.replica, "replica")] = ranges
        }
        for blob in part.others { others.insert(try .decoding(blob, "blob")) }
    }

    /// For keeping what a device last said.
    public func encoded() -> [UInt8] { part.encodedBytes() }

    public init(decoding bytes: [UInt8]) throws(WireError) {
        try self.init(part: Potluck_PresencePart(decoding: bytes))
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
