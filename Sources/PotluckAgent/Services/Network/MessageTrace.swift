import AlbumModel
import Logging
import SyncEngine
import WireFormat

extension Logger {
    /// Tells of one message and its length, for those who want to know what goes over a link.
    func trace(_ verb: String, _ message: WireFormat.Message, byteCount: Int, _ link: LinkID) {
        guard logLevel <= .trace else { return }
        let kind = "\(message)".prefix { $0 != "(" }
        trace("message \(verb)", metadata: ["kind": "\(kind)", "bytes": "\(byteCount)", "link": "\(link.number)"])
    }

    /// Tells which piece is asked of whom.
    func trace(_ request: PieceRequest, of device: DeviceID?) {
        guard logLevel <= .trace else { return }
        trace(
            "piece asked",
            metadata: [
                "blob.id": "\(request.blob.hex.prefix(8))", "piece": "\(request.piece)",
                "device.id": "\(device.map { $0.hex.prefix(8) } ?? "")",
            ])
    }
}
