import AlbumModel

/// One physical camera: the keys under which its photos were contributed, and when its shutter was released.
struct Body {
    /// In order.
    var keys: [CameraKey]
    var photoCounts: [CameraKey: Int]
    /// Those with times that a camera may have.
    var samples: [ClockSample]
    /// Ascending.
    var shots: [Shot]
    /// What most of its photos state.
    var statedOffset: Int32?

    init(keys: [CameraKey], samples: [ClockSample]) {
        self.keys = keys.sorted()
        self.samples = samples.filter(\.isPlausible)
        photoCounts = samples.reduce(into: [:]) { $0[$1.camera, default: 0] += 1 }
        shots = Shot.shots(self.samples)
        statedOffset = self.samples.compactMap(\.offsetMinutes).mostFrequent
    }

    /// Every camera of the samples, whoever contributed its photos, in the order of the first keys.
    ///
    /// Photos that a person was given and contributes again are the same camera's: without this, a wrong clock would
    /// find itself confirmed by its own copies.
    static func bodies(of samples: [ClockSample]) -> [Body] {
        var perKey: [CameraKey: [ClockSample]] = [:]
        for sample in samples { perKey[sample.camera, default: []].append(sample) }
        let models = Dictionary(grouping: perKey.keys) { Model(make: $0.make, name: $0.model, serial: $0.serial) }
        let groups = models.flatMap { model, keys in
            model.serial.isEmpty ? grouped(keys.sorted(), perKey) : [keys.sorted()]
        }
        return groups.map { Body(keys: $0, samples: $0.flatMap { perKey[$0] ?? [] }) }.sorted {
            $0.keys[0] < $1.keys[0]
        }
    }

    /// One serial number is one camera; without one, photos of one model that share most of their stamps are.
    private struct Model: Hashable {
        var make: String
        var name: String
        var serial: String
    }

    private static func grouped(_ keys: [CameraKey], _ samples: [CameraKey: [ClockSample]]) -> [[CameraKey]] {
        var groups: [(keys: [CameraKey], stamps: Set<Int64>)] = []
        for key in keys {
            let stamps = Set((samples[key] ?? []).map(\.localMilliseconds))
            let place = groups.firstIndex { group in
                2 * stamps.count { group.stamps.contains($0) } >= min(stamps.count, group.stamps.count)
            }
            if let place {
                groups[place].keys.append(key)
                groups[place].stamps.formUnion(stamps)
            } else {
                groups.append(([key], stamps))
            }
        }
        return groups.map(\.keys)
    }
}

extension ClockSample {
    /// Whether a camera may have written these times: nothing that is computed of them comes near an overflow.
    fileprivate var isPlausible: Bool {
        ClockLimits.milliseconds.contains(localMilliseconds)
            && ClockLimits.milliseconds.contains(gpsMilliseconds ?? localMilliseconds)
            && abs(Int(offsetMinutes ?? 0)) <= ClockLimits.offsetMinutesMax
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
