import Foundation
import Testing

extension LabTests {
    /// The disk of one laptop, a small file system of its own, is nearly full when photos come. It learns of all of them,
    /// stops before the reserve is used up and says so. Once a file of somebody else's goes, it gets the rest by itself.
    @Test func fullDisksRecover() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let photos = try await lab.makePhotos("photos", count: 12, byteCount: 1_000_000)
            let phrase = try await laptops[0].startGathering("Full", as: "Anna")
            let script = "mkdir -p \(laptops[1].home) && mount -t tmpfs -o size=40m tmpfs \(laptops[1].home)"
            let disk = ["sh", "-c", script]
            _ = try await lab.execute(2, disk).succeeded(disk)
            try await laptops[1].join(phrase, as: "Ben")
            let filler = ["sh", "-c", "head -c 24000000 /dev/zero >\(laptops[1].home)/filler"]
            _ = try await lab.execute(2, filler).succeeded(filler)
            _ = try await laptops[0].up()
            _ = try await laptops[1].up("--reserve", "6MB")
            try await lab.connect(laptops)

            try laptops[0].drop(photos, into: "Full")
            try await eventually("the disk is full, and says so") {
                let (status, albums) = try await (laptops[1].status(), laptops[1].albums())
                let isTold = status.problems.contains { $0.contains("nearly full") }
                let isHeldUp = status.missing.items.contains { $0.reason.contains("room on the disk") }
                return .when(
                    isTold && isHeldUp && albums.first?.photos == 12, "\(albums.first?.here ?? 0) \(status.problems)")
            }
            let space = try await lab.execute(2, ["stat", "-f", "-c", "%a %S", laptops[1].home]).text.split(
                separator: " ")
            let numbers = space.compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
            #expect(numbers.reduce(1, *) > 5_000_000, "the reserve is left free: \(numbers)")
            #expect(try await laptops[0].potluck("leave-check", "--others", "1").status == 75)

            let freeing = ["rm", "\(laptops[1].home)/filler"]
            _ = try await lab.execute(2, freeing).succeeded(freeing)
            try await eventually("the rest comes by itself") {
                let album = try await laptops[1].albums().first
                return .when(album?.here == 12, "\(album?.here ?? 0) are here")
            }
            let (status, check) = try await (
                laptops[1].status(), laptops[0].potluck("leave-check", "--others", "1", "--wait")
            )
            #expect(status.missing.photos == 0 && !status.problems.contains { $0.contains("nearly full") })
            #expect(check.status == 0, "\(check.text)")
            #expect(try await laptops[0].potluck("leave-check").status == 75, "there is one other laptop only")
        }
    }

    /// A laptop pauses, and nothing comes until it resumes, a restart between the two; it leaves an album's originals out
    /// and gets one of them, and its neighbour that sends slowly sends no faster.
    @Test func whatComesIsChosen() async throws {
        try await Lab.run(laptops: 2) { lab in
            let laptops = (1...2).map(lab.laptop)
            let photos = try await lab.makePhotos("photos", count: 6, byteCount: 300_000)
            let phrase = try await laptops[0].startGathering("Choice", as: "Anna")
            try await laptops[1].join(phrase, as: "Ben")
            _ = try await laptops[0].up()
            let agent = try await laptops[1].up()
            try await lab.connect(laptops)

            #expect(try await laptops[1].potluck("pause").status == 0)
            try laptops[0].drop(Array(photos[..<3]), into: "Choice")
            try await eventually("the names come") {
                let items = try await laptops[1].status().missing.items
                return .when(items.count == 3 && items.allSatisfy { $0.reason.contains("paused") }, "\(items)")
            }
            try await agent.stop()
            _ = try await laptops[1].up()
            try await lab.connect(laptops)
            let paused = try await laptops[1].status()
            #expect(paused.missing.photos == 3, "a pause outlasts a restart")
            #expect(try await laptops[1].potluck("resume").status == 0)
            try await lab.converge(laptops, to: ["Choice": Array(photos[..<3])])

            #expect(try await laptops[1].potluck("originals", "Choice", "none").status == 0)
            try laptops[0].drop(Array(photos[3...]), into: "Choice")
            try await eventually("the other names come, and nothing is missing") {
                let album = try await laptops[1].albums().first
                return .when(album?.photos == 6 && album?.here == 3, "\(String(describing: album))")
            }
            #expect(try await laptops[1].status().missing.photos == 0)
            let wanted = (photos[4] as NSString).lastPathComponent
            #expect(try await laptops[1].potluck("fetch", "Choice", wanted).status == 0)
            try await eventually("what was asked for comes") {
                let here = try await laptops[1].photos("Choice").filter(\.here).map(\.name)
                return .when(here.count == 4 && here.contains(wanted), "\(here)")
            }
            #expect(try await laptops[0].potluck("limit", "--up", "200kB").status == 0)
            let begin = ContinuousClock.now
            #expect(try await laptops[1].potluck("originals", "Choice", "all").status == 0)
            try await lab.converge(laptops, to: ["Choice": photos])
            #expect(ContinuousClock.now - begin > .seconds(2), "600 kB leave at 200 kB a second")
        }
    }
}
