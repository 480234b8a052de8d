import AlbumModel
import SyncEngine

extension Simulation {
    /// Something goes wrong.
    mutating func fault() throws(SimulationFailure) {
        guard hasFaults else { return }
        let index = Int.random(in: devices.indices, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: crash(index)
        case 1:
            reachability.partition(using: &random)
            note("partition")
        case 2:
            reachability.heal()
            for device in devices.indices { plan(.announce(device: device), within: 2) }
        case 3: try cutAnywhere()
        case 4: stall()
        case 5:
            devices[index].isDiskFull = true
            events.plan(.diskFreed(device: index), at: now + Double.random(in: 0.1...20, using: &random))
        case 6: devices[index].wallOffset = Int64.random(in: -100_000_000_000...100_000_000_000, using: &random)
        default: if !connections.isEmpty { connections[connections.count - 1].isBlackHole = true }
        }
    }

    /// The agent dies at once. What its disk was about to finish may have been finished, or not.
    private mutating func crash(_ index: Int) {
        guard devices[index].engine != nil else { return }
        note("crash \(index)")
        for (link, number) in devices[index].connections.sorted(by: { $0.key < $1.key }) {
            let end = connections[number].index(of: index)
            connections[number].isOver[end] = true
            _ = link
            // The kernel resets the connection, or the machine is gone and nobody says so.
            if random.chance(0.5) { events.plan(.over(connection: number, end: 1 - end), at: now + options.delay) }
        }
        devices[index].crash(using: &random)
        oracle.crashed(index)
        events.plan(.restart(device: index), at: now + Double.random(in: 0.05...15, using: &random))
    }

    /// Both sides lose a connection; what was under way is lost from some byte on.
    private mutating func cutAnywhere() throws(SimulationFailure) {
        let open = connections.indices.filter { !connections[$0].isOver[0] && !connections[$0].isOver[1] }
        guard let number = open.randomElement(using: &random) else { return }
        for end in 0...1 {
            plan(.over(connection: number, end: end), within: 0.5)
        }
    }

    private mutating func stall() {
        guard let number = connections.indices.randomElement(using: &random) else { return }
        connections[number].stalledUntil = now + Double.random(in: 0.5...15, using: &random)
    }

    /// Ends all faults: everything runs, everyone reaches everyone.
    mutating func heal() throws(SimulationFailure) {
        hasFaults = false
        reachability.heal()
        for index in devices.indices {
            devices[index].isDiskFull = false
            if devices[index].engine == nil { try start(index) }
            plan(.announce(device: index), within: 1)
        }
    }

    // MARK: People

    /// Somebody does something with photos.
    mutating func edit() throws(SimulationFailure) {
        let index = Int.random(in: devices.indices, using: &random)
        guard let engine = devices[index].engine else { return }
        let contribution: Contribution
        let photos = engine.catalog.albums.values.sorted { $0.id < $1.id }
            .flatMap { album in album.livePhotos.map { PhotoKey(album: album.id, blob: $0.key) }.sorted() }
        switch Int.random(in: 0..<10, using: &random) {
        case 0 where !photos.isEmpty:
            let key = photos.randomElement(using: &random)!
            contribution = .photoRemoval(key.album, key.blob)
        case 1 where !photos.isEmpty:
            let key = photos.randomElement(using: &random)!
            contribution = .photoName(key.album, key.blob, "name \(random.next() % 100).jpg")
        case 2 where !engine.catalog.albums.isEmpty:
            let album = engine.catalog.albums.keys.sorted().randomElement(using: &random)!
            contribution = .albumName(album, "Album \(random.next() % 4)")
        default:
            contribution = drop(index)
        }
        let token = nextToken
        nextToken += 1
        oracle.began(contribution, token: token, by: index)
        try feed(index, devices[index].life, .contribute(token: token, contribution))
    }

    /// Two laptops may drop the same bytes, and different bytes under one name.
    private mutating func drop(_ index: Int) -> Contribution {
        let sizes: [UInt64] = [1, 20_000, 1 << 20, (1 << 20) + 1, 4_000_000, 30_000_000]
        let content = random.chance(0.2) ? random.next() % 5 : random.next()
        let size = content < 5 ? sizes[Int(content)] : sizes.randomElement(using: &random)!
        let blob = SimulatedBlob(content: content, byteCount: size)
        contents[blob.id] = blob
        devices[index].disk.hold(blob.id)
        let file = PhotoFile(
            blob: blob.id, byteCount: size, pieceList: blob.list, name: "IMG_\(random.next() % 10).JPG",
            mediaType: "image/jpeg", modified: 1_700_000_000_000_000_000)
        return .photo(albumName: "Album \(random.next() % 4)", file)
    }
}
