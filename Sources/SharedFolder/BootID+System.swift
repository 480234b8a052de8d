import FolderEngine
import Glibc

extension BootID {
    /// From the kernel; a random one where it does not tell, which no other time has. Blocks, for microseconds.
    static func current() -> BootID {
        var bytes = [UInt8](repeating: 0, count: 36)
        let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        if file < 0 || read(file, &bytes, bytes.count) != bytes.count {
            var generator = SystemRandomNumberGenerator()
            for index in bytes.indices { bytes[index] = .random(in: 0...255, using: &generator) }
        }
        return BootID(bytes: bytes)
    }
}
