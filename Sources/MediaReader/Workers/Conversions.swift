import AlbumModel
import MediaWorkerProtocol

enum PictureLimits {
    static let sideMax = WorkerLimits.sideMax
}

extension Picture {
    init(_ picture: Report.Picture) {
        self.init(
            bytes: picture.bytes, size: PixelSize(width: picture.width, height: picture.height),
            mediaType: "image/jpeg")
    }
}

extension MediaError {
    init(_ failure: WorkerFailure) {
        switch failure {
        case .strike(let words), .refused(let words): self.init(.unreadable, "It cannot be read: \(words).")
        case .impossible(let words): self.init(.impossible, "It was not read: \(words).")
        case .stopped: self.init(.stopped, "It was not read: Potluck is stopping.")
        }
    }
}
