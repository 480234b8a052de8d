import AlbumModel
import SyncEngine
import WireFormat

/// Whoever asks for a piece that is on its way to a laptop is answered when it is there.
struct AnsweredRequests {
    private struct Key: Hashable {
        var laptop: Int
        var life: Int
        var link: LinkID
        var number: UInt32
    }

    private struct Condemned: Hashable {
        var laptop: Int
        var life: Int
        var blob: BlobID
        var device: DeviceID
    }

    /// Whoever sent wrong bytes is not asked again for so long, in seconds.
    private static let condemnedSeconds = 100.0

    /// When devices sent wrong bytes of blobs.
    private var condemned: [Condemned: MonotonicInstant] = [:]
    private var open: [Key: (blob: BlobID, at: MonotonicInstant)] = [:]

    mutating func follow(
        _ input: EngineInput, _ directives: [EngineDirective], at laptop: Laptop, now: MonotonicInstant
    ) {
        func key(_ link: LinkID, _ number: UInt32) -> Key {
            Key(laptop: laptop.index, life: laptop.life, link: link, number: number)
        }
        if !condemned.isEmpty {
            for directive in directives {
                // It is wanted anew, or by another claim.
                guard case .abandon(let blob) = directive else { continue }
                condemned = condemned.filter { $0.key.laptop != laptop.index || $0.key.blob != blob }
            }
        }
        switch input {
        case .blobLost(let blob): condemned = condemned.filter { $0.key.blob != blob }
        case .received(let link, .request(let request)): open[key(link, request.number)] = (request.blob, now)
        case .received(let link, .cancelled(let number)): open[key(link, number)] = nil
        case .disconnected(let link): open = open.filter { $0.key.laptop != laptop.index || $0.key.link != link }
        default: break
        }
        guard !open.isEmpty else { return }
        for directive in directives {
            switch directive {
            case .serve(let link, let request), .servePart(let link, let request):
                open[key(link, request.number)] = nil
            case .send(let link, .refused(let number, _)): open[key(link, number)] = nil
            case .close(let link, _):
                open = open.filter { $0.key.laptop != laptop.index || $0.key.link != link }
            default: break
            }
        }
    }

    mutating func sentWrong(_ blob: BlobID, _ device: DeviceID, to laptop: Laptop, now: MonotonicInstant) {
        condemned[Condemned(laptop: laptop.index, life: laptop.life, blob: blob, device: device)] = now
    }

    func asks(_ blob: BlobID, _ device: DeviceID, by laptop: Laptop, now: MonotonicInstant) throws(SimulationFailure) {
        let key = Condemned(laptop: laptop.index, life: laptop.life, blob: blob, device: device)
        guard let at = condemned[key], now < at + Self.condemnedSeconds else { return }
        // Where contributors differ the bytes may have been right.
        let claims = laptop.look { engine in
            let claims = engine.catalog.liveAdds(of: blob).map { [$0.pieceListHash?.hex ?? "", "\($0.byteCount)"] }
            return Set(claims)
        }
        guard claims?.count == 1, laptop.look({ $0.catalog.photos(ofThumbnail: blob).isEmpty }) == true else { return }
        let sentence = "laptop \(laptop.index) asks \(device.hex.prefix(8)) again for \(blob.hex.prefix(8))"
        throw SimulationFailure(.unserved, sentence + ", of which it got wrong bytes there")
    }

    mutating func check(_ simulation: Simulation, patience: Double) throws(SimulationFailure) {
        open = open.filter { simulation.laptops[$0.key.laptop].life == $0.key.life }
        for (key, request) in open {
            let laptop = simulation.laptops[key.laptop]
            // One that was lost, and that its laptop adds anew, is not held before the journal names it.
            guard request.at + patience < simulation.now, laptop.disk.blobs.contains(request.blob),
                laptop.look({ $0.held.contains(request.blob) }) == true,
                let held = laptop.learned.blobAt[request.blob], held + patience < simulation.now
            else { continue }
            let sentence = "laptop \(key.laptop) leaves a request for \(request.blob.hex.prefix(8)) unanswered"
            throw SimulationFailure(.unserved, sentence + ", which it has")
        }
    }
}
