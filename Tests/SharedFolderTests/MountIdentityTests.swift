import AlbumModel
import DiskIO
import FolderEngine
import Foundation
import Glibc
import Testing

@testable import SharedFolder

/// By what a disk that is mounted in the folder is told from another one.
struct MountIdentityTests {
    private static let reader: UInt64 = 0x811
    private static let anotherReader: UInt64 = 0x821

    private func identity(
        id: UInt64, device: UInt64 = reader, megabytes: UInt64 = 64, serial: String?
    ) -> MountIdentity {
        var system = statvfs()
        (system.f_fsid, system.f_frsize) = (UInt(id), 1 << 20)
        system.f_blocks = fsblkcnt_t(megabytes)
        var root = stat()
        (root.st_dev, root.st_ino) = (dev_t(device), 1)
        return MountIdentity(of: FileSystemStat(system), root: FileStat(root)) { serial }
    }

    // Shows that two cards that give their reader's number for an ID, or none, are told apart by serial number or size, and
    // that one card is the same one in every reader. Fails where the ID that such file systems give is taken for theirs.
    @Test func cardsInOneReaderAreToldApart() {
        for id in [Self.reader, 0] {
            let card = identity(id: id, serial: "1A2B-3C4D")
            #expect(card != identity(id: id, serial: "1A2B-3C4E"))
            #expect(card != identity(id: id, megabytes: 128, serial: "1A2B-3C4D"))
            #expect(card == identity(id: id, serial: "1A2B-3C4D") && card.fileSystem != 0)
        }
        let inAnother = identity(id: Self.anotherReader, device: Self.anotherReader, serial: "1A2B-3C4D")
        #expect(inAnother == identity(id: Self.reader, serial: "1A2B-3C4D"))
    }

    // Shows that what nobody can tell from another disk says so, and that an ID of a file system's own needs no serial.
    @Test func onlyAnOwnIDIsTaken() {
        for id in [Self.reader, 0] { #expect(identity(id: id, serial: nil).fileSystem == 0) }
        for serial in ["1A2B-3C4D", nil] {
            #expect(identity(id: 7, serial: serial) == MountIdentity(fileSystem: 7, rootInode: 1))
        }
    }

    // Shows that FAT is asked itself, that links to the device are read else, and that neither is believed where it says
    // nothing: a serial number of zero, links of two serial numbers, a link to another device, or no links.
    @Test func serialsAreFound() throws {
        var template = Array("/tmp/potluck-serials-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        let base = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // A leftover in /tmp is no reason to fail.
        defer { try? FileManager.default.removeItem(atPath: base) }
        for (name, device) in [("6E1F-0B2C", "/dev/null"), ("ABCD-0001", "/dev/zero"), ("ABCD-0002", "/dev/zero")] {
            #expect(symlink(device, base + "/" + name) == 0)
        }
        func serial(_ fat: UInt32?, of node: String, links: String) throws -> String? {
            let device = try FileStat(path: node).representedDevice
            return VolumeSerials(links: links, fat: { _ in fat }).serial(at: BytePath(Array("/".utf8)), device: device)
        }
        let found = [
            try serial(0xA_0B2C, of: "/dev/null", links: base), try serial(0, of: "/dev/null", links: base),
            try serial(nil, of: "/dev/null", links: base), try serial(nil, of: "/dev/zero", links: base),
            try serial(nil, of: "/dev/full", links: base), try serial(nil, of: "/dev/null", links: base + "/none"),
        ]
        #expect(found == ["000A-0B2C", "6E1F-0B2C", "6E1F-0B2C", nil, nil, nil])
        // This directory is on no FAT.
        let device = try FileStat(path: "/dev/null").representedDevice
        #expect(VolumeSerials(links: base).serial(at: BytePath(Array("/proc".utf8)), device: device) == "6E1F-0B2C")
    }
}
