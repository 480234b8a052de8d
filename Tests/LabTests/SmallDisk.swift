import Foundation
import TestSupport

/// Where a disk of one laptop is mounted, and what does that.
struct SmallDisk {
    let mounting: String
    let unmounting: String
}

extension Laptop {
    /// Mounts a small disk that this laptop alone sees: ext4 in a file, by a loop device. Where the machine has none to
    /// give, as in a user namespace, it is one in memory; that is printed.
    @discardableResult
    func mountDisk(at path: String, megabytes: Int) async throws -> SmallDisk {
        let image = "\(lab.files)/disk\(number).img"
        let words = { (script: String) in ["sh", "-c", "mkdir -p \(path) && \(script)"] }
        let real = SmallDisk(mounting: "mount -o loop \(image) \(path)", unmounting: "umount \(path)")
        let format = "truncate -s \(megabytes)M \(image) && mkfs.ext4 -q -F -m 0 \(image)"
        let output = try await lab.execute(number, words("\(format) && \(real.mounting) && rmdir \(path)/lost+found"))
        if output.status == 0 { return real }

        print("The disk of laptop \(number) is one in memory: \(output.errors.split(separator: "\n").first ?? "")")
        let memory = "\(lab.files)/disk\(number)"
        let small = SmallDisk(mounting: "mount --bind \(memory) \(path)", unmounting: real.unmounting)
        let mount = "mkdir \(memory) && mount -t tmpfs -o size=\(megabytes)m tmpfs \(memory) && \(small.mounting)"
        _ = try await lab.execute(number, words(mount)).succeeded(words(mount))
        return small
    }

    /// Unmounts it once nobody uses it: an agent has files and directories open for moments.
    func unmount(_ disk: SmallDisk) async throws {
        try await eventually("nobody uses the disk of laptop \(number)") {
            let output = try await lab.execute(number, ["sh", "-c", disk.unmounting])
            return .when(output.status == 0, output.errors)
        }
    }

    /// Copies files into an album's folder that only this laptop sees.
    func add(_ files: [String], to album: String) async throws {
        try await shell("mkdir -p '\(folder)/\(album)' && cp \(files.joined(separator: " ")) '\(folder)/\(album)'")
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
