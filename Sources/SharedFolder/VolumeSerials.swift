import DiskIO

/// Finds the serial number that a volume got when it was formatted, which a program without special rights cannot read
/// from its device.
struct VolumeSerials: Sendable {
    /// A directory of links that are called by volumes' serial numbers and lead to their devices: udev's.
    var links = "/dev/disk/by-uuid"
    /// Asks the file system itself; `nil` where it is no FAT. Blocks.
    var fat: @Sendable (_ directory: BytePath) -> UInt32? = { try? Descriptor(opening: $0, .directory).fatSerial() }

    /// The serial number of the volume that is mounted at a directory, as udev spells it; `nil` where nobody can tell.
    /// Blocks.
    func serial(at directory: BytePath, device: UInt64) -> String? {
        // Asked first: links follow a moment after another card is mounted by hand.
        fat(directory).flatMap(Self.text) ?? linked(to: device)
    }

    /// `nil` for 0, which is what some cameras write.
    private static func text(_ serial: UInt32) -> String? {
        if serial == 0 { return nil }
        let digits = String(serial, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 8 - digits.count) + digits
        return padded.prefix(4) + "-" + padded.suffix(4)
    }

    private func linked(to device: UInt64) -> String? {
        // Without udev there are none.
        let names = (try? Disk.names(in: links)) ?? []
        let found = names.filter {
            (try? FileStat(path: links + "/" + $0, followsLink: true))?.representedDevice == device
        }
        // Of several, all but one are those of cards that were in the reader before.
        return found.count == 1 ? found[0] : nil
    }
}
