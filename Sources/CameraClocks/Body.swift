import AlbumModel

/// One physical camera: the keys under which its photos were contributed, and when its shutter was released.
struct Body {
    /// In order.
    var keys: [CameraKey]
    var samples: [ClockSample]
    /// Ascending.
    var shots: [Shot]
    /// What most of its photos state.
    var statedOffset: Int32?

    init(keys: [CameraKey], samples: [ClockSample]) {
        self.keys = keys.sorted()
        self.samples = samples
        shots = Shot.shots(samples)
        statedOffset = samples.compactMap(\.offsetMinutes).mostFrequent
    }

    /// Every camera of the samples, whoever contributed its photos, in the order of the first keys.
    ///
    /// Photos that a person was given and contributes again are the same camera's: without this, a wrong clock would
    /// find itself confirmed by its own copies.
    static func bodies(of samples: [ClockSample]) -> [Body] {
        var perKey: [CameraKey: [ClockSample]] = [:]
        for sample in samples { perKey[sample.camera, default: []].append(sample) }
        let keys = perKey.keys.sorted()
        var groups: [[CameraKey]] = []
        for key in keys {
            let place = groups.firstIndex { group in
                group.contains { isSame($0, key, perKey[$0] ?? [], perKey[key] ?? []) }
            }
            if let place { groups[place].append(key) } else { groups.append([key]) }
        }
        return groups.map { Body(keys: $0, samples: $0.flatMap { perKey[$0] ?? [] }) }
    }

    /// One serial number is one camera; without one, photos of one model that share most of their stamps are.
    private static func isSame(
        _ left: CameraKey, _ right: CameraKey, _ leftSamples: [ClockSample], _ rightSamples: [ClockSample]
    ) -> Bool {
        guard left.make == right.make, left.model == right.model, left.serial == right.serial else { return false }
        guard left.serial.isEmpty else { return true }
        let stamps = Set(leftSamples.map(\.localMilliseconds))
        let others = Set(rightSamples.map(\.localMilliseconds))
        return 2 * stamps.intersection(others).count >= min(stamps.count, others.count)
    }
}

extension Sequence where Element: Hashable & Comparable {
    /// The least of those that occur most often.
    var mostFrequent: Element? {
        var counts: [Element: Int] = [:]
        for element in self { counts[element, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
}
