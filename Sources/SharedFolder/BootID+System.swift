import DiskIO
import FolderEngine

extension BootID {
    private static let byteCount = 36

    /// From the kernel; a random one where it does not tell, which no other time has. Blocks, for microseconds.
    static func current() -> BootID {
        let text = (try? Disk.contents(ofStream: "/proc/sys/kernel/random/boot_id")) ?? []
        if text.count >= byteCount { return BootID(bytes: Array(text.prefix(byteCount))) }
        var generator = SystemRandomNumberGenerator()
        return BootID(bytes: (0..<byteCount).map { _ in .random(in: 0...255, using: &generator) })
    }
}
