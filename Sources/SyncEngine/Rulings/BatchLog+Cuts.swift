import AlbumModel
import WireFormat

extension BatchLog {
    /// As far as a device's batches are known here: the ends of its replicas' branches, those of the replicas that are known
    /// longest first where there are more than so many, and of one replica as many as a cut can name.
    ///
    /// - Returns: sorted by replica.
    func cuts(of device: DeviceID, countMax: Int) -> [Ruling.Cut] {
        var cuts: [Ruling.Cut] = []
        var room = countMax
        for replica in replicas where room > 0 {
            guard let chain = chains[replica], chain.author == device else { continue }
            let ends = chain.heads.prefix(min(room, WireLimits.headCountMax)).map { place in
                Ruling.Cut.End(sequence: chain.links[place].last, batch: chain.links[place].id)
            }
            room -= ends.count
            if !ends.isEmpty { cuts.append(Ruling.Cut(replica: replica, ends: ends.sorted())) }
        }
        return cuts.sorted { $0.replica < $1.replica }
    }
}
