public import AlbumModel

/// Who is at the other end of a connection, and what it proved when it was admitted.
public struct AdmittedPeer: Hashable, Sendable {
    public let device: DeviceID
    /// Devices that it goes on from, by words that were checked.
    public let formers: [DeviceID]
    /// The epoch under whose key it proved itself; `nil` where the ruling was not known here.
    public let epoch: RulingID?

    public init(_ device: DeviceID, goingOnFrom formers: [DeviceID] = [], provenUnder epoch: RulingID?) {
        self.device = device
        self.formers = formers
        self.epoch = epoch
    }
}

extension Roll {
    /// Whether a device is a member by itself, by whom it goes on from, or by what it proved.
    func isMember(_ peer: AdmittedPeer) -> Bool {
        isMember(peer.device, goingOnFrom: peer.formers, provenUnder: peer.epoch)
    }
}
