public import AlbumModel

/// Photos that the person at this laptop does not want to see: they stay in their albums, and are not pulled.
extension Engine {
    mutating func hide(_ photos: [PhotoKey], _ directives: inout [EngineDirective]) {
        hidden.formUnion(photos)
        for blob in Set(photos.map(\.blob)).sorted() where isHidden(blob) {
            Self.emit(scheduler.forget(blob), &directives)
        }
    }

    mutating func unhide(_ photos: [PhotoKey]) {
        hidden.subtract(photos)
        for blob in Set(photos.map(\.blob)).sorted() { updateWant(blob) }
    }

    /// Whether no album here shows the blob, neither as a photo nor as the thumbnail of one. Thumbnails are small, and
    /// whoever looks through what is hidden sees them: they are pulled all the same.
    func isHidden(_ blob: BlobID) -> Bool {
        guard !hidden.isEmpty else { return false }
        let albums = catalog.liveAlbums(of: blob)
        return !albums.isEmpty && albums.allSatisfy { hidden.contains(PhotoKey(album: $0, blob: blob)) }
            && catalog.photos(ofThumbnail: blob).isEmpty
    }

    /// Devices that hold a photo, live or removed, as far as they said within the last days, without this one; ordered.
    ///
    /// Of a removed photo a device says nothing any more: what it said before it learned of the removal counts.
    public func holders(ofPhoto key: PhotoKey, wall: UInt64) -> [DeviceID] {
        var dots = catalog.mentions(of: key.blob).dots
        if let departed = catalog.photo(key)?.departure?.add?.dot { dots.append(departed) }
        return knownHolders(wall: wall).holders(of: key.blob, dots: dots)
    }
}
