import Foundation

extension Laptop {
    /// Mounts a small disk that this laptop alone sees: ext4 in a file, by a loop device. Where the machine has none to
    /// give, as in a user namespace, it is one in memory; that is printed.
    func mountDisk(at path: String, megabytes: Int) async throws {
        let image = "\(lab.files)/disk\(number).img"
        let script = """
            mkdir -p \(path)
            truncate -s \(megabytes)M \(image) && mkfs.ext4 -q -F -m 0 \(image) && mount -o loop \(image) \(path) ||
                { mount -t tmpfs -o size=\(megabytes)m tmpfs \(path) && echo in memory; }
            rmdir \(path)/lost+found 2>/dev/null || true
            """
        let words = ["sh", "-c", script]
        let output = try await lab.execute(number, words).succeeded(words)
        if output.text.contains("in memory") {
            print("The disk of laptop \(number) is one in memory: \(output.errors.split(separator: "\n").first ?? "")")
        }
    }

    /// Bytes that are free on the disk of `path`.
    func freeByteCount(at path: String) async throws -> Int {
        let words = try await shell("stat -f -c '%a %S' \(path)").split(separator: " ")
        return words.compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.reduce(1, *)
    }

    /// Leaves so many bytes free on the disk of the home, by a file of somebody else's; every last one is taken for 0.
    func fillDisk(leaving byteCount: Int) async throws {
        let taken = try await freeByteCount(at: home) - byteCount
        // Taken at once, then what is left in pieces: what the agent gives back at this moment is taken too.
        try await shell("[ \(taken) -le 0 ] || fallocate -l \(taken) \(home)/filler || [ \(byteCount) = 0 ]")
        guard byteCount == 0 else { return }
        try await shell("for n in 1 2 3; do cat /dev/zero >>\(home)/filler 2>/dev/null; sync; done")
    }

    func freeDisk() async throws { try await shell("rm \(home)/filler") }
}
