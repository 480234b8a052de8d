import AlbumModel
import PeerTransport
import TestSupport
import Testing

extension HostileTests {
    /// A member signs thousands of changes of one kind, each in good form: captions of one photo, albums of one name.
    /// Everyone keeps them, and folding them freezes nobody.
    @Test(arguments: Nonsense.groups)
    func changesByTheThousandFreezeNobody(_ group: [Nonsense]) async throws {
        try await Reunion.run { reunion in
            let (target, album) = (try await reunion.target(), AlbumName.identifier("Nonsense"))
            var device = InventedDevice()
            let attacker = try await Member.connect(to: reunion.vera)
            // An album that has a photo counts.
            let opening: [Change] = [
                .albumNamed(album, name: "Nonsense", replaces: []),
                .photoAdded(Nonsense.addition(album, target.blob, name: "Opening.jpg")),
            ]
            try await attacker.push([device.sign(opening)])
            for kind in group {
                let count = Scale.full(kind.count)
                let batches = device.signAll(kind.changes(0..<count, of: device, target: target, album: album))
                try await reunion.endure("\(count) \(kind)") {
                    try await attacker.push(batches)
                    try await reunion.expectKnown(device.head, of: device.replica)
                }
            }
            #expect(attacker.raw.isOpen, "who brings changes that are in order is not cut off")
        }
    }

    /// A member forks a replica of its own without end, begins ever more replicas, and signs with clocks of the far
    /// future and of the beginning of time.
    @Test func replicasWithoutEndFreezeNobody() async throws {
        try await Reunion.run { reunion in
            let target = try await reunion.target()
            let attacker = try await Member.connect(to: reunion.vera)
            var trunk = InventedDevice()
            let root = trunk.sign([.deviceNamed("Trunk")])
            try await attacker.push([root])
            try await reunion.endure("forks") {
                let branches = (0..<Scale.full(1000)).map { number in
                    var branch = trunk
                    return branch.sign([.photoTagged(target.album, target.blob, "fork \(number)")])
                }
                try await attacker.push(branches)
            }
            try await reunion.endure("replicas") {
                var last = trunk
                let batches = (0..<Scale.full(2000)).map { number in
                    last = InventedDevice(trunk.identity)
                    return last.sign([.photoTagged(target.album, target.blob, "replica \(number)")])
                }
                try await attacker.push(batches)
                try await reunion.expectKnown(last.head, of: last.replica)
            }
            try await reunion.endure("clocks") {
                var device = InventedDevice()
                let clocks = [UInt64.max, 0, UInt64.max - 1, 1, InventedDevice.wallClock * 2, UInt64(Int64.max)]
                let batches = clocks.map { device.sign([.photoFavoured(target.album, target.blob)], clock: $0) }
                try await attacker.push(batches)
                try await reunion.expectKnown(device.head, of: device.replica)
            }
        }
    }

    /// Batches that were changed on their way, that come twice, or in another order than they were signed.
    @Test func batchesThatAreNoneCostTheirBringerItsConnectionAtMost() async throws {
        try await Reunion.run { reunion in
            var device = InventedDevice()
            let batches = (0..<20).map { device.sign([.deviceNamed("Device \($0)")]) }
            try await reunion.endure("batches that are none") {
                let repeating = try await Member.connect(to: reunion.vera)
                defer { repeating.close() }
                for _ in 0..<20 { try await repeating.push([batches[0]]) }
                var (changed, forged) = (batches[1], batches[1])
                changed.content[changed.content.count / 2] ^= 1
                forged.signature = InventedDevice().identity.sign(forged.content)
                for page in [batches.reversed(), [changed], [forged]] {
                    let liar = try await Member.connect(to: reunion.vera)
                    liar.sendPage(page)
                    try await liar.raw.expectClosed("who brings batches that are none")
                }
                let hasty = try await Member.connect(to: reunion.vera)
                defer { hasty.close() }
                for batch in batches { hasty.sendPage([batch]) }
                let patient = try await Member.connect(to: reunion.vera)
                try await patient.push(batches)
                try await reunion.expectKnown(device.head, of: device.replica)
            }
        }
    }
}

extension Reunion {
    /// Between two questions, each of which brings some pages of all that the asker lacks.
    private static let askingPause = Duration.milliseconds(250)

    /// Waits until what was signed is known at both ends of the row.
    func expectKnown(
        _ head: Head, of replica: ReplicaID, within limit: Duration = Promise.arrivalMax
    ) async throws {
        for laptop in [anna, ben] {
            try await eventually("\(laptop.name) has what was signed", within: limit) {
                // It acknowledges nothing, so that no more than the first pages come.
                let manners = Member.Manners(acknowledges: false)
                let asking = try await Member.connect(to: laptop, as: bystander, manners: manners)
                defer { asking.close() }
                if try await asking.isKnown(head, of: replica) { return .done(()) }
                try await Task.sleep(for: Self.askingPause)
                return .notYet("it does not know the last batch")
            }
        }
    }
}
