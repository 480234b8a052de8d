import Foundation
import TestSupport
import Testing

extension LabTests {
    /// What a stranger must never see.
    private static let secrets = ["Hidden cove", "zebra-portrait", "Wilhelmina", "Theodora", "Unlisted reunion"]

    /// Connects, says what it is told to say, and prints what comes back until the other side ends it: JSON with the
    /// bytes as hex, the seconds that it took, and how it ended.
    private static let rawClient = """
        import json, os, socket, ssl, sys, time
        host, port, manner, certificate = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4]
        start, got, end = time.monotonic(), b"", "closed"
        connection = socket.create_connection((host, port), timeout=20)
        try:
            if manner != "tcp":
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                if manner != "anonymous":
                    context.load_cert_chain(certificate)
                connection = context.wrap_socket(connection)
            if manner == "rubbish":
                connection.sendall(os.urandom(3000))
            if manner == "short":
                connection.sendall(b"\\0\\0\\0\\x40" + os.urandom(64))
            while True:
                piece = connection.recv(65536)
                if not piece:
                    break
                got += piece
        except socket.timeout:
            end = "timeout"
        except (ssl.SSLError, OSError) as error:
            end = str(error)
        print(json.dumps({"hex": got.hex(), "seconds": time.monotonic() - start, "end": end}))
        """

    private struct RawOutcome: Decodable {
        var hex: String
        var seconds: Double
        var end: String
    }

    /// A laptop with another phrase is told the address of a member, and finds both by Avahi besides; a fourth one has
    /// no phrase and talks TLS, TCP or nonsense. None learns a name; the members go on as if nothing had been.
    @Test func strangersLearnNothing() async throws {
        try await Lab.run(laptops: 4) { lab in
            let laptops = (1...4).map(lab.laptop)
            let members = Array(laptops[..<2]), stranger = laptops[2]
            let photos = try await lab.makePhotos(
                "zebras", count: 3, byteCount: 60_000, called: "zebra-portrait-%d.jpg")
            try await members[1].join(
                members[0].startGathering(Self.secrets[4], as: Self.secrets[2]), as: Self.secrets[3])
            _ = try await members[0].up("--listen", ":4711")
            _ = try await members[1].up("--listen", ":4712")
            try members[0].drop([photos[0]], into: "Hidden cove")
            try await lab.converge(members, to: ["Hidden cove": [photos[0]]])

            _ = try await stranger.startGathering("Another", as: "Eve")
            let events = try await strangersEvents(stranger, members)
            let certificate = "\(lab.files)/raw.pem"
            try await lab.here(
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
                "2", "-subj", "/CN=raw", "-keyout", certificate, "-out", "\(certificate).crt")
            try await lab.here("sh", "-c", "cat '\(certificate).crt' >>'\(certificate)'")

            let new = try #require(try await lab.hashes([photos[1]])[photos[1]])
            // Fewer than the four at once that a member lets in from one address.
            let manners = ["silent", "rubbish", "short", "anonymous", "tcp"]
            let outcomes = try await withThrowingTaskGroup(of: (String, Output).self) { group in
                for (index, manner) in manners.enumerated() {
                    group.addTask {
                        let words = [
                            "python3", "-c", Self.rawClient, members[index % 2].host, "\(4711 + index % 2)", manner,
                        ]
                        return (manner, try await lab.execute(4, words + [certificate]))
                    }
                }
                // Meanwhile members have a new photo for each other: sooner than whoever is silent is turned away.
                try members[1].drop([photos[1]], into: "Hidden cove")
                try await eventually("the other member has a new photo", within: .seconds(5)) {
                    .when(members[0].byteCount(ofBlob: new) != nil, "it has not")
                }
                try await lab.converge(members, to: ["Hidden cove": Array(photos[..<2])])
                return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
            }
            for (manner, output) in outcomes {
                let outcome = try JSONDecoder().decode(
                    RawOutcome.self, from: Data(output.succeeded(["raw client, \(manner)"]).bytes))
                #expect(outcome.end != "timeout" && outcome.seconds < 15, "\(manner): \(outcome)")
                for secret in Self.secrets {
                    let hex = secret.utf8.map { String(format: "%02x", $0) }.joined()
                    #expect(!outcome.hex.contains(hex), "\(manner) was told of \(secret)")
                }
            }
            try members[0].drop([photos[2]], into: "Hidden cove")
            try await lab.converge(members, to: ["Hidden cove": photos])
            try await expectIgnorance(of: stranger, events: events)
            // It ends after a second or so, whoever has answered by then.
            let browsed = try await eventually("the laptop without a phrase finds both members") {
                let text = try await lab.execute(4, ["avahi-browse", "-rtp", "_potluck._tcp"]).text
                return text.contains("10.77.0.1") && text.contains("10.77.0.2") ? .done(text) : .notYet(text)
            }
            for secret in Self.secrets { #expect(!browsed.contains(secret), "Avahi tells of \(secret)") }
        }
    }

    /// Starts the stranger's agent, and waits until it has tried both ways.
    private func strangersEvents(_ stranger: Laptop, _ members: [Laptop]) async throws -> EventLog {
        _ = try await stranger.up("--peer", "\(members[0].host):4711", "--peer", "\(members[1].host):4712")
        return try stranger.events()
    }

    /// Its listings are empty, and its home holds none of the words.
    private func expectIgnorance(of stranger: Laptop, events: EventLog) async throws {
        #expect(try await stranger.albums().isEmpty)
        #expect(try await stranger.peers().isEmpty)
        #expect(try events.all().allSatisfy { $0.event == "problem" })
        for secret in Self.secrets {
            let search = try await Output.of(
                ["grep", "-rlaF", "--exclude=*.sock", secret, stranger.home], environment: Machine.variables)
            #expect(
                search.status == 1 && search.bytes.isEmpty, "the stranger's home tells of \(secret): \(search.text)")
        }
    }
}
