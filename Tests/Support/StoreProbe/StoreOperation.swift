import AlbumModel
import Glibc
import PhotoStore

/// Something that is done to a home, and that a fault may strike anywhere in.
///
/// To add one: a static value that prepares a home and performs the steps through ``Probe``, and its place in ``all``.
/// Performing it again after a fault must lead to the same end, as it does in the agent, which begins again with what
/// it finds. The tests take everything else from what the probe was promised, and from its own rules where it has some.
public struct StoreOperation: Sendable {
    /// What was promised before the fault, or by an undisturbed run to its end.
    public typealias Promises = [Acknowledgement]

    public var name: String
    /// Whether an agent, or a command, does it: then its own rules say all, and the store's are not looked at beside.
    public var isAgents: Bool
    /// Whether opening the home is struck as well; else faults begin once ``Probe`` has it open.
    public var includesOpening: Bool
    /// Whether each run makes its calls in the same order.
    public var isSteady: Bool
    /// Whether calls that fail are tried again with the same objects.
    public var isTriedAgain: Bool
    /// How many times as many calls lie between two that are struck: an attempt may take a second.
    public var strideFactor: Int
    /// Makes `home` and `folder` as they are before. Runs without faults.
    public var prepare: @Sendable (Probe) throws -> Void
    public var perform: @Sendable (Probe) throws -> Void
    /// What does not hold after a fault, and does not hold after performing it once more; each in a sentence.
    public var rules: @Sendable (Probe, Promises) throws -> [String]
    /// What is not as it should be in the end, where the rules do not say all of it.
    public var end: @Sendable (Probe) throws -> [String]

    public init(
        _ name: String, isAgents: Bool = false, includesOpening: Bool = false, isSteady: Bool = true,
        isTriedAgain: Bool = true, strideFactor: Int = 1,
        prepare: @escaping @Sendable (Probe) throws -> Void = { _ in },
        perform: @escaping @Sendable (Probe) throws -> Void,
        rules: @escaping @Sendable (Probe, Promises) throws -> [String] = { _, _ in [] },
        end: @escaping @Sendable (Probe) throws -> [String] = { _ in [] }
    ) {
        self.name = name
        self.isAgents = isAgents
        self.includesOpening = includesOpening
        self.isSteady = isSteady
        self.isTriedAgain = isTriedAgain
        self.strideFactor = strideFactor
        self.prepare = prepare
        self.perform = perform
        self.rules = rules
        self.end = end
    }

    public static let all = [begin, files, importing, receiving, appending, rebuilding, placing, sweeping]

    /// Runs one as a program: `store-probe OPERATION ROOT [--stubborn]`. What is promised goes to standard output.
    public static func run(_ arguments: [String], among operations: [Self], faults: FaultLibrary) -> Int32 {
        guard arguments.count >= 3, let operation = operations.first(where: { $0.name == arguments[1] }) else {
            tell("usage: \(arguments.first ?? "") OPERATION ROOT [--stubborn]")
            return 64
        }
        let isStubborn = arguments.contains("--stubborn")
        let probe = Probe(root: arguments[2], faults: faults, isStubborn: isStubborn) { tell($0.line) }
        do {
            try operation.perform(probe)
            probe.acknowledge(.done)
            return 0
        } catch {
            return 1
        }
    }

    /// At once, since the process may die at any moment.
    private static func tell(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

extension StoreOperation {
    /// A home comes to be. Most directories of blobs are there, as if its making had been cut short, so that not each
    /// of 256 is a point of its own.
    static let begin = StoreOperation(
        "begin", includesOpening: true,
        prepare: { probe in
            for path in [probe.home, probe.home + "/blobs"] { mkdir(path, 0o700) }
            for number in 3...UInt8.max { mkdir(probe.home + "/blobs/" + Hexadecimal.text([number]), 0o700) }
        },
        perform: { probe in
            _ = try probe.blobs()
            try probe.append([], facts: [FactChange(kind: Probe.factKind, key: [1], value: [9, 9])])
        })

    /// Two dropped files, one of several pieces: each blob is durable before the journal names it.
    static let importing = StoreOperation(
        "import",
        prepare: { probe in
            _ = try probe.blobs()
            try Files.write(Samples.bytes(5_000, seed: 1), to: probe.folder + "/small.jpg")
            try Files.write(Samples.bytes(1_300_000, seed: 2), to: probe.folder + "/large.jpg")
        },
        perform: { probe in
            for (number, name) in ["small.jpg", "large.jpg"].enumerated() {
                let blob = try probe.ingest(path: probe.folder + "/" + name)
                let fact = FactChange(kind: Probe.factKind, key: Array(name.utf8), value: blob.bytes)
                try probe.append([Samples.batch(number, naming: blob)], facts: [fact])
            }
        })

    /// A blob of three pieces, one of two by a list of an earlier version, and one of a single one, from peers.
    static let receiving = StoreOperation(
        "receive", prepare: { _ = try $0.blobs() },
        perform: { probe in
            try probe.receive(Samples.bytes(2_300_000, seed: 3))
            try probe.receive(Samples.bytes(1_100_000, seed: 5)) { Samples.listOfPieceHashes($0) }
            try probe.receive(Samples.bytes(700, seed: 4))
        })

    /// Batches in groups as they come from peers, with facts; the last batch is long enough for pages of its own.
    static let appending = StoreOperation(
        "append", prepare: { _ = try $0.journal() },
        perform: { probe in
            for group in 0..<3 {
                let numbers = (3 * group)..<(3 * group + 3)
                let fact = FactChange(kind: Probe.factKind, key: [UInt8(group)], value: [UInt8(group), 1])
                try probe.append(numbers.map { Samples.batch($0) }, facts: [fact])
            }
            try probe.append([Samples.batch(9, byteCount: 40_000)])
        })

    /// Blobs into the folder: a copy and a link together, and where a person's own file stands.
    static let placing = StoreOperation(
        "place",
        prepare: { probe in
            for seed in [5, 6, 7] as [UInt64] {
                _ = try probe.blobs().ingest(bytes: Samples.bytes(Int(seed) * 10_000, seed: seed))
            }
            try Files.write([1, 2, 3], to: probe.folder + "/mine.jpg")
        },
        perform: { probe in
            // What the folder's recovery does at a start, before it places.
            try probe.persistently { try Files.removeAll(in: probe.folder, prefix: BlobStore.placingPrefix) }
            let files = ([(5, false), (6, true)] as [(UInt64, Bool)]).map { seed, mayLink in
                let blob = Samples.blobID(Samples.bytes(Int(seed) * 10_000, seed: seed))
                return (id: blob, name: "\(seed).jpg", mayLink: mayLink)
            }
            try probe.place(files)
            let blob = Samples.blobID(Samples.bytes(70_000, seed: 7))
            // It is refused, since a person's file stands there.
            _ = try? probe.blobs().place(blob, at: probe.folder + "/mine.jpg", mayLink: true, modified: 0)
        },
        rules: { probe, _ in
            try Files.bytes(probe.folder + "/mine.jpg") == [1, 2, 3] ? [] : ["a person's file was replaced"]
        })

    /// The start after a crash: what it left in staging goes, but for a part of a wanted blob; a changed file is found.
    static let sweeping = StoreOperation(
        "sweep", includesOpening: true,
        prepare: { probe in
            _ = try probe.blobs().ingest(bytes: Samples.bytes(900, seed: 8))
            let staging = probe.home + "/staging/"
            try Files.write(Samples.bytes(500, seed: 1), to: staging + "0123456789abcdef.new")
            try Files.write(Samples.bytes(500, seed: 2), to: staging + Samples.blobID([1]).hex + ".part")
            let wanted = Samples.bytes(1_200_000, seed: 9)
            // Of the blob's length, as a part is from its beginning on.
            let part = Array(wanted.prefix(1_048_576)) + [UInt8](repeating: 0, count: 151_424)
            try Files.write(part, to: staging + Samples.blobID(wanted).hex + ".part")
        },
        perform: { probe in
            let wanted = Samples.bytes(1_200_000, seed: 9)
            let blobs = try probe.blobs()
            _ = try probe.persistently { try blobs.sweep(wanted: [Samples.blobID(wanted)]) }
            for id in blobs.suspects() { _ = try probe.persistently { try blobs.open(id) } }
            probe.acknowledge(.blob(Samples.blobID(Samples.bytes(900, seed: 8))))
            try probe.receive(wanted)
        })
}
