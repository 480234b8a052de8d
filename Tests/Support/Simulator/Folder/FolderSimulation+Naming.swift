import AlbumModel
import FolderEngine

/// Photos that others rename, and which files follow.
extension FolderSimulation {
    /// Of whoever adds others' photos.
    static let device = "Ben"

    /// Some get the name of another one, some one that no file can have, some one that people give their files.
    mutating func renamePhoto() {
        guard let photo = gathering.visible.sorted().randomElement(using: &random) else { return }
        let number = Int.random(in: 1...9, using: &random)
        let name = ["placed.jpg", "Title \(step).jpg", "a/b: \(number)", "\(number).jpg"].randomElement(using: &random)!
        tell("others rename \(SimulatedGathering.content(photo.blob)) to \(name)")
        gathering.rename(photo, to: name)
        tellNames(of: [photo])
    }

    mutating func tellNames(of photos: some Sequence<PhotoKey>) {
        guard isRunning, temper.contains(.naming) else { return }
        let names = photos.map { photo -> (PhotoKey, PhotoName) in
            let name = PhotoName(
                shared: gathering.name(of: photo), deviceName: Self.device,
                isSuccessor: SimulatedGathering.isSuccessor(photo))
            return (photo, name)
        }
        // What follows is handed out as work.
        _ = handle(.photosNamed(Dictionary(uniqueKeysWithValues: names)))
    }

    /// The agent calls a photo's file so.
    mutating func give(_ path: FolderPath, to blob: BlobID) {
        givenNames[blob, default: []].insert(String(decoding: path.name, as: UTF8.self))
    }

    func isGiven(_ path: FolderPath, to blob: BlobID) -> Bool {
        givenNames[blob]?.contains(String(decoding: path.name, as: UTF8.self)) ?? false
    }

    // MARK: What must be true

    /// Once everything rests, each file that the agent placed, and that no person moved or wrote to, has its photo's name, or
    /// one made of it; but in a directory that is several albums', on a card, and where the person has a copy.
    mutating func checkFileNames() {
        guard temper.contains(.naming) else { return }
        let photos = photos
        for (path, file) in disk.truth.sorted(by: { $0.key < $1.key }) where placedInodes.contains(file.signature.inode)
        {
            guard let photo = photos[path], gathering.visible.contains(photo), let record = judge.state.files[path],
                [.placed, .named].contains(record.origin), isGiven(path, to: photo.blob)
            else { continue }
            let directory = path.albumDirectory
            let isShared = photos.contains { $0.key.albumDirectory == directory && $0.value.album != photo.album }
            let isCopied = photos.values.count { $0 == photo } > 1
            if isName(of: photo, path) || isCopied || isShared || directory == FolderDisk.card || directory == .root {
                continue
            }
            violated("\(path) is of a photo that is called \(gathering.name(of: photo))")
        }
    }

    private func isName(of photo: PhotoKey, _ path: FolderPath) -> Bool {
        let name = String(decoding: path.name, as: UTF8.self).lowercased()
        let stem = gathering.name(of: photo).lowercased().replacing("/", with: "_").replacing(":", with: "_")
            .replacing(".jpg", with: "")
        return name == stem + ".jpg" || name.hasPrefix(stem + " (\(Self.device.lowercased())")
    }
}
