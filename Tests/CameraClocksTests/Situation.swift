import AlbumModel

/// A sort of gathering, for the table of the page on camera clocks.
struct Situation: Sendable {
    var name: String
    /// How many times fewer gatherings of it are tried.
    var costliness = 1
    var change: @Sendable (inout Party) -> Void

    static let all: [Situation] = shared + unrelated

    /// People who photograph the same things, more or less.
    private static let shared = [
        Situation(name: "10 cameras × 60 photos, 2 wrong") { _ in },
        Situation(name: "… 4 wrong") { $0.wrongCount = 4 },
        Situation(name: "… moments of 5 s to 5 min") { $0.momentSeconds = 5...300 },
        Situation(name: "… 20 moments, not 40") { $0.momentCount = 20 },
        Situation(name: "… 40 % of photos shared, not 60 %") { $0.sharedShare = 0.4 },
        Situation(name: "… photos taken alone in runs of up to 25") { $0.aloneGroupMax = 25 },
        Situation(name: "… two days of 20 moments") {
            $0.dayCount = 2
            $0.momentCount = 20
        },
        Situation(name: "10 × 120, 2 wrong") { $0.photoCount = 120 },
        Situation(name: "10 × 30, 2 wrong") { $0.photoCount = 30 },
        Situation(name: "5 × 60, 1 wrong") { ($0.cameraCount, $0.wrongCount) = (5, 1) },
        Situation(name: "3 × 60, 1 wrong") { ($0.cameraCount, $0.wrongCount) = (3, 1) },
        Situation(name: "3 × 60, 1 wrong, 1 phone") { ($0.cameraCount, $0.wrongCount, $0.phoneCount) = (3, 1, 1) },
        Situation(name: "2 × 200, 1 wrong, 1 phone") {
            $0.phoneCount = 1
            ($0.cameraCount, $0.wrongCount) = (2, 1)
            $0.photoCount = 200
        },
        Situation(name: "50 × 100, 10 wrong", costliness: 10) {
            ($0.cameraCount, $0.wrongCount) = (50, 10)
            $0.photoCount = 100
        },
        Situation(name: "50 × 20, 10 wrong", costliness: 10) {
            ($0.cameraCount, $0.wrongCount) = (50, 10)
            $0.photoCount = 20
        },
    ]

    /// People who have nothing in common: whatever is said is chance.
    private static let unrelated = [
        Situation(name: "nothing shared, 10 × 60") { $0.sharedShare = 0 },
        Situation(name: "nothing shared, 2 × 200, 1 phone") {
            $0.phoneCount = 1
            $0.sharedShare = 0
            ($0.cameraCount, $0.wrongCount) = (2, 1)
            $0.photoCount = 200
        },
        Situation(name: "nothing shared, 5 × 200, runs of up to 12, 2 phones") {
            $0.phoneCount = 2
            $0.sharedShare = 0
            ($0.cameraCount, $0.wrongCount) = (5, 1)
            $0.photoCount = 200
            $0.aloneGroupMax = 12
        },
    ]
}
