public import AlbumModel
import WireFormat

/// What this device does not pull, told to its peers, and what they do not pull: a copy that nobody will make need not be
/// waited for.
extension Engine {
    /// What is not pulled here at the moment.
    var fetchingNotice: FetchingNotice {
        let leftOut = fetching.albums.keys.sorted().prefix(WireLimits.leftOutAlbumCountMax)
        return FetchingNotice(leftOut: Set(leftOut), isPaused: scheduler.terms.isPaused || scheduler.terms.room == 0)
    }

    mutating func oweFetching(_ link: LinkID) {
        // An earlier version has no words for it.
        guard sessions[link]?.hello?.takesDifferences == true else { return }
        sessions[link]!.outbox.isFetchingDue = true
    }

    mutating func oweFetchingIfChanged() {
        let notice = fetchingNotice
        guard notice != toldFetching else { return }
        toldFetching = notice
        for link in greetedLinks { oweFetching(link) }
    }

    /// Connected devices that would pull a photo which they lack, as far as they said; ordered.
    ///
    /// - Parameter albums: in which the photo is live.
    public func takers(ofPhotoIn albums: [AlbumID]) -> [DeviceID] {
        let willing = sessions.filter { link, session in
            session.isGreeted && membership.isAccepted(link) && !session.notice.isPaused
                && albums.contains { !session.notice.leftOut.contains($0) }
        }
        return Set(willing.values.map(\.device)).sorted()
    }
}
