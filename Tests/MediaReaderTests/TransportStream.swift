/// The beginning of a film as cameras with AVCHD write it: a transport stream (ISO/IEC 13818-1) whose H.264 carries the
/// camera's notes (ExifTool's H264.pm calls them MDPM), and nothing to see.
enum TransportStream {
    private static let byteCount = 188
    private static let tables: UInt16 = 0x100
    private static let film: UInt16 = 0x1011

    /// - Parameter notes: Four bytes each, by their number.
    static func avchd(notes: [(UInt8, [UInt8])]) -> [UInt8] {
        let programs = section(0, word(1) + word(0xE000 | tables))
        let streams = section(2, word(0xE000 | film) + word(0xF000) + [0x1B] + word(0xE000 | film) + word(0xF000))
        let identifier: [UInt8] = [
            0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
        ]
        let content = identifier + Array("MDPM".utf8) + [UInt8(notes.count)] + notes.flatMap { [$0.0] + $0.1 }
        let delimiter: [UInt8] = [0, 0, 0, 1, 9, 0xF0]
        let unit = delimiter + [0, 0, 0, 1, 6, 5, UInt8(content.count)] + escaped(content) + [0x80] + delimiter
        let header: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1]
        let empty = packet(0x1FFF, Array(repeating: 0xFF, count: byteCount - 4))
        return packet(0, programs) + packet(tables, streams) + packet(film, header + unit) + empty + empty + empty
    }

    /// Filled up to its length by what stands before the payload.
    private static func packet(_ identifier: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let room = byteCount - 4 - payload.count
        let head: [UInt8] = [0x47] + word(0x4000 | identifier)
        guard room > 0 else { return head + [0x10] + payload }
        let filling: [UInt8] = room > 1 ? [0] + Array(repeating: 0xFF, count: room - 2) : []
        return head + [0x30, UInt8(room - 1)] + filling + payload
    }

    /// With a checksum of zeros, which nobody looks at.
    private static func section(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0, kind] + word(0xB000 | UInt16(body.count + 9)) + word(1) + [0xC1, 0, 0] + body + [0, 0, 0, 0]
    }

    /// A third zero in a row would begin another unit (ISO/IEC 14496-10, 7.4.1).
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            if byte <= 3, result.suffix(2) == [0, 0] { result.append(3) }
            result.append(byte)
        }
        return result
    }

    private static func word(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
}
