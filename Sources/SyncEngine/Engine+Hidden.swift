import AlbumModel

/// Photos that the person at this laptop does not want to see: they stay in their albums, and are not pulled.
extension Engine {
    mutating func hide(_ photos: [PhotoKey]) {
        hidden.formUnion(photos)
        for blob in Set(photos.map(\.blob)).sorted() where isHidden(blob) {
            perform(scheduler.forget(blob))
        }
    }

    mutating func unhide(_ photos: [PhotoKey]) {
        hidden.subtract(photos)
        for blob in Set(photos.map(\.blob)).sorted() where !PlantedFault.isPlanted(.unhiddenNotWanted) {
            updateWant(blob)
        }
    }

    /// Whether no album here shows the blob, neither as a photo nor as the thumbnail of one. Thumbnails are small, and
    /// whoever looks through what is hidden sees them: they are pulled all the same.
    func isHidden(_ blob: BlobID) -> Bool {
        guard !hidden.isEmpty, !PlantedFault.isPlanted(.hiddenStillWanted) else { return false }
        // One album more than there are hidden photos shows it.
        let albums = catalog.liveAlbums(of: blob, max: hidden.count + 1)
        return !albums.isEmpty && albums.allSatisfy { hidden.contains(PhotoKey(album: $0, blob: blob)) }
            && catalog.photos(ofThumbnail: blob, max: 1).isEmpty
    }
}
