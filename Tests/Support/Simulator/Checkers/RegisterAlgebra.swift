import AlbumModel
import SyncEngine
import WireFormat

/// Names, covers, clocks of cameras: what was written stands until somebody who knew it wrote anew, and of what stands the
/// last is shown. Read from a journal, without the fold. Nobody leaves their own earlier word standing beside a new one.
enum RegisterAlgebra {
    private enum Topic: Hashable {
        case gathering
        case album(AlbumID)
        case cover(AlbumID)
        case clock(AlbumID, CameraKey)
        case photo(PhotoKey)

        /// Whether each write names those before it: who adds a photo names it without a look at other names.
        var isReplaced: Bool { if case .photo = self { false } else { true } }
    }

    private struct Said {
        var writes: [Dot: (clock: ClockReading, value: String)] = [:]
        var replaced: Set<Dot> = []

        var standing: [Dot: String] { writes.filter { !replaced.contains($0.key) }.mapValues(\.value) }

        var last: String? {
            let standing = writes.filter { !replaced.contains($0.key) }
            return standing.max { ($0.value.clock, $0.key) < ($1.value.clock, $1.key) }?.value.value
        }
    }

    static func check(_ simulation: Simulation) throws(SimulationFailure) {
        let laptop = simulation.honest[0]
        let engine = laptop.engine!
        var said: [Topic: Said] = [:]
        let rows = CountedRows(of: laptop)
        for row in rows.counted {
            try checkLineage(row, engine)
            for (dot, clock, change) in SetAlgebra.changes(of: row) { note(change, dot, clock, &said) }
        }
        // What was left out may have stood between a laptop's earlier word and its later one, which named that alone.
        var leftOut: [Topic: Said] = [:]
        for row in rows.beyond {
            for (dot, clock, change) in SetAlgebra.changes(of: row) { note(change, dot, clock, &leftOut) }
        }
        let liars = Set(simulation.laptops.filter { !$0.isHonest }.map(\.id))
        for (topic, said) in said {
            let (writes, shown) = folded(topic, engine.catalog)
            guard writes == said.standing, shown == said.last else {
                throw SimulationFailure(.lostWords, "what stands of \(topic) is not what was written")
            }
            let replicas = said.standing.keys.map(\.replica).filter { replica in
                topic.isReplaced && leftOut[topic] == nil && !engine.log.isForked(replica)
                    && !(engine.log.author(of: replica).map { liars.contains($0) } ?? true)
            }
            guard Set(replicas).count == replicas.count else {
                throw SimulationFailure(.keptName, "a laptop's earlier word about \(topic) stands beside its later one")
            }
        }
    }

    private static func checkLineage(_ row: SimulatedDisk.Row, _ engine: Engine) throws(SimulationFailure) {
        guard let batch = try? Batch(decoding: row.signed.content), let former = batch.proof?.succession?.formerDevice,
            let device = engine.log.author(of: batch.replica), device != former
        else { return }
        guard engine.catalog.formerDevices(of: device).contains(former) else {
            throw SimulationFailure(.lostWords, "nobody knows from which device \(device.hex.prefix(8)) goes on")
        }
    }

    private static func note(_ change: Change, _ dot: Dot, _ clock: ClockReading, _ said: inout [Topic: Said]) {
        func write(_ topic: Topic, _ value: String, _ replaces: [Dot]) {
            said[topic, default: Said()].writes[dot] = (clock, value)
            let others = SetAlgebra.resolved(replaces, in: dot).filter { $0 != dot }
            said[topic]!.replaced.formUnion(others)
        }
        switch change {
        case .gatheringNamed(let name, let replaces): write(.gathering, name, replaces)
        case .albumNamed(let album, let name, let replaces): write(.album(album), name, replaces)
        case .coverChosen(let album, let blob, let replaces): write(.cover(album), blob?.hex ?? "", replaces)
        case .cameraClockSet(let album, let camera, let seconds, let replaces):
            write(.clock(album, camera), "\(seconds)", replaces)
        case .photoAdded(let addition):
            write(.photo(PhotoKey(album: addition.album, blob: addition.blob)), addition.name, [])
        case .photoNamed(let album, let blob, let name, let replaces):
            write(.photo(PhotoKey(album: album, blob: blob)), name, replaces)
        default: break
        }
    }

    private static func folded(_ topic: Topic, _ catalog: Catalog) -> (writes: [Dot: String], shown: String?) {
        func text<Value>(_ register: Register<Value>?, _ text: (Value) -> String) -> ([Dot: String], String?) {
            let writes = (register?.writes ?? []).map { ($0.dot, text($0.value)) }
            return (Dictionary(writes) { first, _ in first }, (register?.shown?.value).map(text))
        }
        switch topic {
        case .gathering: return text(catalog.gatheringName) { $0 }
        case .album(let album): return text(catalog.albums[album]?.name) { $0 }
        case .cover(let album): return text(catalog.albums[album]?.cover) { $0?.hex ?? "" }
        case .clock(let album, let camera): return text(catalog.albums[album]?.cameraClocks[camera]) { "\($0)" }
        case .photo(let key): return text(catalog.photo(key)?.name) { $0 }
        }
    }
}
