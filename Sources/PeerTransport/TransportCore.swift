import AlbumModel
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// What listener and dialler share.
final class TransportCore: Sendable {
    private struct OpenChannels {
        var isShutDown = false
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    let identity: DeviceIdentity
    let secrets: GatheringSecrets
    let limits: TransportLimits
    let uploads = UploadLimit()
    let blockingPool: NIOThreadPool
    let logger: Logger
    private let knownDevices: @Sendable (DeviceID) -> Bool
    private let whenCopied: @Sendable () -> Void
    private let tls: TLSSettings
    private let ledger: Mutex<AdmissionLedger>
    private let open = Mutex(OpenChannels())

    init(
        identity: DeviceIdentity, secrets: GatheringSecrets, knownDevices: @escaping @Sendable (DeviceID) -> Bool,
        whenCopied: @escaping @Sendable () -> Void, limits: TransportLimits, blockingPool: NIOThreadPool, logger: Logger
    ) throws {
        self.identity = identity
        self.secrets = secrets
        self.knownDevices = knownDevices
        self.whenCopied = whenCopied
        self.limits = limits
        self.blockingPool = blockingPool
        self.logger = logger
        tls = try TLSSettings(identity: identity, closeTimeout: limits.closeTimeout)
        ledger = Mutex(AdmissionLedger(limits: limits))
    }

    // MARK: - Open channels

    /// Prepares a channel that has just been made; on its event loop. From here on it has ``TransportLimits/admissionTimeout``.
    func adopt(_ channel: any Channel) throws {
        let id = ObjectIdentifier(channel)
        let isOpen = open.withLock { open in
            if !open.isShutDown { open.channels[id] = channel }
            return !open.isShutDown
        }
        guard isOpen else { throw ChannelError.ioOnClosedChannel }
        channel.closeFuture.whenComplete { _ in
            self.open.withLock { _ = $0.channels.removeValue(forKey: id) }
        }
        try channel.pipeline.syncOperations.addHandler(GateHandler(admissionTimeout: limits.admissionTimeout))
    }

    /// Closes all channels and lets no new one come.
    func shutdown() async {
        let channels = open.withLock { open in
            open.isShutDown = true
            return Array(open.channels.values)
        }
        for channel in channels { channel.triggerUserOutboundEvent(ConnectionSignal.close, promise: nil) }
        // Closing cannot fail in a way that leaves the channel open.
        for channel in channels { try? await channel.closeFuture.get() }
    }

    // MARK: - Admission

    /// Begins TLS and admission on an adopted, connected channel; on its event loop.
    ///
    /// The future fails with an ``AdmissionFailure``, or with what NIO reports for a channel that is closed.
    func admit(
        _ channel: any Channel, role: Admission.Role, isExpected: @escaping (DeviceID) -> AdmissionFailure?
    ) -> EventLoopFuture<PeerConnection> {
        let peer = PeerKey(own: identity.deviceID, ownCertificate: tls.certificate, isExpected: isExpected)
        let outcome = channel.eventLoop.makePromise(of: PeerConnection.self)
        SocketSettings.acknowledgeWithAnswers(channel)
        do {
            let pipeline = channel.pipeline.syncOperations
            let gate = try pipeline.handler(type: GateHandler.self)
            let admission = AdmissionHandler(core: self, role: role, gate: gate, peer: peer, outcome: outcome)
            // TLS begins when its handler is added, so the one that wants to hear of it comes first.
            try pipeline.addHandler(admission)
            try pipeline.addHandler(tls.makeHandler(dialled: role == .dialler, peer: peer), position: .after(gate))
        } catch {
            // Where the admission handler is in place it has the last word: it goes with the channel.
            channel.close(promise: nil)
            outcome.fail(error)
        }
        return outcome.futureResult
    }

    /// Takes a place among the unadmitted; `nil` if there is none.
    func takePlace(_ address: SocketAddress?) -> UnadmittedPlace? {
        let source = Source(address)
        guard ledger.withLock({ $0.enter(source) }) else { return nil }
        return UnadmittedPlace { self.ledger.withLock { $0.leave(source) } }
    }

    /// How long a proof has to wait. Devices that were admitted before need not.
    func proofDelay(device: DeviceID?, address: SocketAddress?) -> TimeAmount {
        let delay = ledger.withLock { $0.delay(Source(address), now: .now()) }
        guard delay > .zero, let device, knownDevices(device) else { return delay }
        return .zero
    }

    func noteWrongProof(address: SocketAddress?) {
        logger.info("a device with another invite phrase was refused")
        ledger.withLock { $0.noteWrongProof(Source(address), now: .now()) }
    }

    /// Another run holds this device's key.
    func noteCopy() {
        logger.warning("another agent has this device's key")
        whenCopied()
    }

    func logger(for connection: PeerConnection) -> Logger {
        var logger = logger
        logger[metadataKey: "peer.id"] = "\(connection.device.hex.prefix(16))"
        return logger
    }
}

/// One of the places that accepted connections have until they are admitted.
final class UnadmittedPlace: Sendable {
    private let leave: @Sendable () -> Void
    private let isLeft = Atomic(false)

    init(leave: @escaping @Sendable () -> Void) {
        self.leave = leave
    }

    /// Gives the place back; a second call does nothing.
    func giveBack() {
        if !isLeft.exchange(true, ordering: .relaxed) { leave() }
    }
}
