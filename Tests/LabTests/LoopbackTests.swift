import Testing

extension LabTests {
    /// Three agents on the loopback interface of one laptop. Two know the address of the third alone, and connect with each
    /// other all the same.
    @Test func agentsOfOneMachineFindEachOther() async throws {
        try await Lab.run(laptops: 1) { lab in
            let homes = ["a", "b", "c"].map { Laptop(lab: lab, number: 1, homeSuffix: $0) }
            let phrase = try await homes[0].startGathering("One machine", as: "Anna")
            try await homes[1].join(phrase, as: "Ben")
            try await homes[2].join(phrase, as: "Cleo")
            _ = try await homes[0].up("--no-discovery", "--listen", "127.0.0.1:4711")
            for (home, port) in zip(homes.dropFirst(), 4712...) {
                _ = try await home.up("--no-discovery", "--listen", "127.0.0.1:\(port)", "--peer", "127.0.0.1:4711")
            }
            try await lab.connect(homes)
        }
    }
}
