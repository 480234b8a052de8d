import AlbumModel
import ServiceLifecycle

/// Laptops that the transport turned away: on their way to those who tell people.
final class TurnedAwayLaptops: Sendable {
    struct Laptop: Sendable {
        let device: DeviceID
        let reason: Reason
    }

    enum Reason: Sendable {
        /// Its version is too old.
        case earlierVersion
        /// It knows a phrase of the gathering, and hosts keep it out.
        case outsider
    }

    /// Of more at one time the last ones are told.
    private static let waitingCountMax = 16

    let laptops: AsyncStream<Laptop>
    private let source: AsyncStream<Laptop>.Continuation

    init() { (laptops, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.waitingCountMax)) }

    /// Does not block.
    func note(_ device: DeviceID, _ reason: Reason) { source.yield(Laptop(device: device, reason: reason)) }
}

struct TurnedAwayLaptopsService: Service {
    let laptops: TurnedAwayLaptops
    let admissions: AdmissionService

    func run() async throws {
        for await laptop in laptops.laptops.cancelOnGracefulShutdown() {
            switch laptop.reason {
            case .earlierVersion: await admissions.noteEarlierVersion(of: laptop.device)
            case .outsider: admissions.noteOutsider(laptop.device)
            }
        }
    }
}
