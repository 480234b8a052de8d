import AlbumModel
import ServiceLifecycle

/// Members that the transport turned away since their version is too old: on their way to those who tell people.
final class OutdatedLaptops: Sendable {
    /// Of more at one time the last ones are told.
    private static let waitingCountMax = 16

    let devices: AsyncStream<DeviceID>
    private let source: AsyncStream<DeviceID>.Continuation

    init() { (devices, source) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.waitingCountMax)) }

    /// Does not block.
    func note(_ device: DeviceID) { source.yield(device) }
}

struct OutdatedLaptopsService: Service {
    let laptops: OutdatedLaptops
    let admissions: AdmissionService

    func run() async throws {
        for await device in laptops.devices.cancelOnGracefulShutdown() {
            await admissions.noteEarlierVersion(of: device)
        }
    }
}
