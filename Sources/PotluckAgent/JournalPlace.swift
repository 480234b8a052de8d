import DiskIO
import PhotoStore

/// Where a home's journal is: on which machine, and which file there. A copy is at another place.
struct JournalPlace: Hashable, Sendable {
    /// Empty where the system has no machine ID, or it cannot be read.
    var machine: String
    /// The number that the file system has now; some get another one at each start of the machine.
    var device: UInt64
    var inode: UInt64

    init(machine: String, device: UInt64, inode: UInt64) {
        self.machine = machine
        self.device = device
        self.inode = inode
    }

    init(home: String) throws {
        let stat = try FileStat(path: home + "/" + Journal.fileName)
        self.init(machine: Self.machineID(), device: stat.device, inode: stat.inode)
    }

    /// As the journal keeps it: three words.
    init?(bytes: [UInt8]) {
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, let device = UInt64(words[1]), let inode = UInt64(words[2]) else { return nil }
        self.init(machine: String(words[0]), device: device, inode: inode)
    }

    var bytes: [UInt8] { Array("\(machine) \(device) \(inode)".utf8) }

    /// Both are known, and are two.
    func isOnAnotherMachine(than other: JournalPlace) -> Bool {
        !machine.isEmpty && !other.machine.isEmpty && machine != other.machine
    }

    /// An ID has 32 digits.
    private static let byteCountMax = 63

    /// What the first file says that says something. One that is there and cannot be read makes it unknown: another one may
    /// say something else, by which the home would count as a copy, and take a new key.
    static func machineID(in paths: [String] = ["/etc/machine-id", "/var/lib/dbus/machine-id"]) -> String {
        for path in paths {
            do throws(FileError) {
                let bytes = try Descriptor(opening: path, .read(followsLink: true)).bytes(atMost: byteCountMax)
                if !bytes.isEmpty { return String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self) }
            } catch {
                guard error.isAbsent else { return "" }
            }
        }
        return ""
    }
}
