import Testing

@testable import FolderEngine

/// What follows from what a watcher tells.
struct FolderEventTests {
    private static let marker = FolderPath(".marker")

    private func news(_ events: FolderEvent..., mounts: Set<FolderPath> = []) -> FolderNews {
        FolderNews(
            events, marker: Self.marker, isPassing: { $0.name.starts(with: ".passing".utf8) }, mounts: mounts,
            files: { [$0.appending("new.jpg".utf8), $0.appending("old.jpg".utf8)] })
    }

    private func paths(_ texts: String...) -> [FolderPath] { texts.map { FolderPath($0) } }

    // Shows that paths are told in their order, without those of this program's own passing files.
    @Test func pathsAreTold() {
        let news = news(
            .touched(FolderPath("A/x.jpg")), .vanished(FolderPath("A/.passing-1")),
            .touched(FolderPath("A/.passing-2")),
            .vanished(FolderPath("A/y.jpg")), .touched(FolderPath("A/a.jpg")))
        #expect(news.touched == paths("A/x.jpg", "A/a.jpg") && news.vanished == paths("A/y.jpg") && !news.isScanNeeded)
    }

    // Shows that whatever concerns the folder as a whole is found out by a scan, and that the marker is no file of it.
    @Test(arguments: [.rescanNeeded, .mountsChanged, .touched(marker), .vanished(marker)] as [FolderEvent])
    func scansAreNeeded(event: FolderEvent) {
        let news = news(event)
        #expect(news.isScanNeeded && news.touched.isEmpty && news.vanished.isEmpty)
    }

    // Shows that a directory takes its files along, and that a disk in it needs a scan first.
    @Test func directoriesTakeTheirFilesAlong() {
        let gone = FolderEvent.directoryVanished(FolderPath("A"))
        #expect(news(gone).vanished == paths("A/new.jpg", "A/old.jpg") && !news(gone).isScanNeeded)
        #expect(!news(gone, mounts: [FolderPath("AB"), FolderPath("B")]).isScanNeeded)
        for mount in paths("A", "A/card") { #expect(news(gone, mounts: [mount]).isScanNeeded) }
    }
}
