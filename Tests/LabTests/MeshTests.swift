import Foundation
import TestSupport
import Testing

extension LabTests {
    /// Of the links among twelve laptops 40 % carry nothing, multicast included, from before the agents start. Each laptop
    /// drops photos; all of them reach everyone by way of others.
    @Test func mutedLinksAreGoneAround() async throws {
        let count = 12
        let muted = MutedLinks(laptops: count, share: 0.4, seed: 3)
        #expect(muted.links.count == 26 && muted.isConnected)
        try await Lab.run(laptops: count) { lab in
            let laptops = (1...count).map(lab.laptop)
            for link in muted.links {
                try await lab("mute", "\(link.first)", "\(link.second)")
                try await lab("mute", "\(link.second)", "\(link.first)")
            }
            let photos = try await lab.makePhotos("photos", count: 3 * count, byteCount: 100_000)
            let phrase = try await laptops[0].startGathering("Reunion", as: "Laptop 1")
            for laptop in laptops[1...] { try await laptop.join(phrase, as: "Laptop \(laptop.number)") }
            for laptop in laptops { _ = try await laptop.up() }

            for (index, laptop) in laptops.enumerated() {
                try laptop.drop(Array(photos[3 * index..<3 * index + 3]), into: "Reunion")
            }
            // One look at twelve laptops is some sixty commands.
            try await lab.converge(laptops, to: ["Reunion": photos], within: .seconds(240))
            for laptop in laptops {
                let connected = try await laptop.peers().filter(\.connected).compactMap(\.name)
                let through = (1...count).filter { muted.contains(laptop.number, $0) }.map { "Laptop \($0)" }
                #expect(!connected.isEmpty)
                #expect(Set(connected).isDisjoint(with: through), "a muted link is none")
            }
        }
    }

    /// While an album leaves laptop 1 that keeps its link busy for many seconds, single photos are dropped there: each is
    /// whole on both others at once, and the album arrives too.
    @Test func newestPhotosOvertakeABacklog() async throws {
        try await Lab.run(laptops: 3) { lab in
            let laptops = (1...3).map(lab.laptop)
            let backlog = try await lab.makePhotos("backlog", count: 75, byteCount: 4_000_000)
            let newest = try await lab.makePhotos("newest", count: 5, byteCount: 1_000_000, called: "NEW_%d.JPG")
            let phrase = try await laptops[0].startGathering("Busy", as: "Anna")
            for laptop in laptops[1...] { try await laptop.join(phrase, as: "Laptop \(laptop.number)") }
            for laptop in laptops { _ = try await laptop.up() }
            try await lab.connect(laptops)

            for laptop in laptops { try await lab("limit", "\(laptop.number)", "100mbit") }
            try laptops[0].drop(backlog, into: "Backlog")
            try await eventually("the backlog is on its way to both") {
                let here = [try await laptops[1].albums(), try await laptops[2].albums()].map { $0.first?.here ?? 0 }
                return .when(here.allSatisfy { $0 > 0 }, "\(here) are there")
            }
            var delays: [Duration] = []
            for photo in newest { delays.append(try await delay(of: photo, from: laptops[0], to: laptops[1...])) }
            let here = try await laptops[1].albums().first { $0.name == "Backlog" }?.here ?? 0
            #expect(here < backlog.count, "the backlog was gone too soon to show anything")
            // The album takes 24 s at least. How fast it is on an idle machine, `Scripts/bench newest` measures.
            #expect(delays.sorted()[delays.count / 2] < .seconds(8), "they took \(delays)")

            for laptop in laptops { try await lab("unshape", "\(laptop.number)") }
            // Each laptop writes and hashes 300 MB twice, its store's and its folder's.
            try await lab.converge(laptops, to: ["Backlog": backlog, "Newest": newest], within: .seconds(180))
        }
    }

    /// From the drop of a photo until it is whole in the folders of all others.
    private func delay(of photo: String, from source: Laptop, to others: ArraySlice<Laptop>) async throws -> Duration {
        let byteCount = try FileManager.default.attributesOfItem(atPath: photo)[.size] as? Int
        let name = (photo as NSString).lastPathComponent
        let start = ContinuousClock.now
        try source.drop([photo], into: "Newest")
        try await eventually("\(name) is everywhere") {
            let sizes = others.map { laptop in
                // No file, no size: it is on its way.
                try? FileManager.default.attributesOfItem(atPath: "\(laptop.folder)/Newest/\(name)")[.size] as? Int
            }
            return .when(sizes.allSatisfy { $0 == byteCount }, "\(sizes) bytes are there")
        }
        return ContinuousClock.now - start
    }
}
