import DequeModule
import WebGallery

/// The grids of the last searches among the same photos: a page asks for one month after the other.
struct RecentSearches: Sendable {
    /// Further ones end the oldest, which is made anew when somebody asks.
    static let countMax = 8

    private var all: Deque<(filter: GalleryFilter, index: GridIndex)> = []

    func index(of filter: GalleryFilter) -> GridIndex? { all.first { $0.filter == filter }?.index }

    mutating func remember(_ index: GridIndex, of filter: GalleryFilter) {
        if all.count == Self.countMax { all.removeFirst() }
        all.append((filter, index))
    }
}
