public import AlbumModel

/// What the photos of one album say about the clocks that dated them.
///
/// Equal samples in any order give equal comparisons. It is computed where it is asked for, in well under a second for
/// 5,000 photos of 50 cameras, and nothing of it is shared but what a person applies.
public struct ClockComparison: Hashable, Sendable {
    public struct Camera: Hashable, Sendable {
        public var key: CameraKey
        public var photoCount: Int
        public var verdict: ClockVerdict
    }

    /// Every camera of the samples once, in the order of their keys.
    public let cameras: [Camera]
    /// The minutes east of UTC that local times of the album are in, as most cameras state or GPS shows; `nil` where
    /// nothing tells. Only GPS times are compared by it.
    public let offsetMinutes: Int32?

    /// Those whose clock is to be changed, in the order of their keys.
    public var proposals: [(key: CameraKey, proposal: ClockProposal)] {
        cameras.compactMap { camera in
            if case .wrong(let proposal) = camera.verdict { (camera.key, proposal) } else { nil }
        }
    }

    public init(of samples: [ClockSample]) {
        let judgement = Judgement(Body.bodies(of: samples))
        cameras = judgement.bodies.enumerated().flatMap { index, body in
            let verdict = judgement.verdict(index)
            return body.keys.map { key in
                Camera(key: key, photoCount: body.photoCounts[key] ?? 0, verdict: verdict)
            }
        }.sorted { $0.key < $1.key }
        offsetMinutes = judgement.satellites.offsetMinutes
    }
}
