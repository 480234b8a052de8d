import MediaReader
import ServiceLifecycle
import WebServer

/// Tells pages when a picture that they wait for has been made, or could not be.
struct RenditionNews: Service {
    let news: Hub<GalleryNews>
    let store: PictureStore

    func run() async throws {
        for await change in store.changes.cancelOnGracefulShutdown() {
            let kind: PictureKind =
                switch change.kind {
                case .preview: .preview
                case .video: .playable
                case .placeless: .placeless
                }
            news.send(.ready(kind, change.blob))
        }
        // Where nothing can be kept the changes end early, and the agent goes on.
        try? await gracefulShutdown()
    }
}
