/// How many photos a gathering has, and how they came into it.
struct GatheringPlan {
    var photoCount: Int
    var replicaCount: Int
    var albumCount: Int
    /// Photos that were dropped one by one; the others came in runs.
    var singleCount: Int
    /// Photos of one run, and of its batch.
    var runPhotoCount: Int

    /// Photos that one person added at one moment.
    struct Drop {
        /// Which replica added them, from 0.
        var author: Int
        var photos: Range<Int>
    }

    /// In the order of time, single photos spread evenly among the runs, and both among the replicas.
    var drops: [Drop] {
        let grouped = photoCount - singleCount
        let runCount = (grouped + runPhotoCount - 1) / runPhotoCount
        let dropCount = singleCount + runCount
        var drops: [Drop] = []
        var photo = 0
        for number in 0..<dropCount {
            let runsBefore = number * runCount / dropCount
            let isRun = (number + 1) * runCount / dropCount > runsBefore
            let count = isRun ? min(runPhotoCount, grouped - runsBefore * runPhotoCount) : 1
            drops.append(Drop(author: number % replicaCount, photos: photo..<photo + count))
            photo += count
        }
        return drops
    }
}
