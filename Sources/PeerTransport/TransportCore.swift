import AlbumModel
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import SyncEngine
import Synchronization

/// What listener and dialler share.
final class TransportCore: Sendable {
    private struct OpenChannels {
        var isShutDown = false
        var channels: [ObjectIdentifier: any Channel] = [:]
    }

    /// What is known of those who come, and who has to make room for whom.
    private struct Arrivals {
        var ledger: AdmissionLedger
        var places: AdmissionPlaces
        var roster: ConnectionRoster
        var random: any RandomNumberGenerator & Sendable
        /// Devices that were admitted in this run.
        var devices: Set<DeviceID> = []
        /// Of those that have a place.
        var unadmitted: [AdmissionPlaces.Number: any Channel] = [:]
        /// Of those in the roster.
        var admitted: [ConnectionRoster.Number: PeerConnection] = [:]
    }

    let identity: DeviceIdentity
    let limits: TransportLimits
    let uploads = UploadLimit()
    let traffic = TrafficCounter()
    let pieceMemory: PieceMemory
    let blockingPool: NIOThreadPool
    let logger: Logger
    private let knownDevices: @Sendable (DeviceID) -> Bool
    private let report: @Sendable (TransportReport) -> Void
    private let currentStanding: Mutex<AdmissionStanding>
    private let tls: TLSSettings
    private let arrivals: Mutex<Arrivals>
    private let open = Mutex(OpenChannels())

    init(
        identity: DeviceIdentity, standing: AdmissionStanding, knownDevices: @escaping @Sendable (DeviceID) -> Bool,
        knownAddresses: [PeerAddress], report: @escaping @Sendable (TransportReport) -> Void, limits: TransportLimits,
        random: any RandomNumberGenerator & Sendable, blockingPool: NIOThreadPool, logger: Logger
    ) throws {
        self.identity = identity
        currentStanding = Mutex(standing)
        self.knownDevices = knownDevices
        self.report = report
        self.limits = limits
        pieceMemory = PieceMemory(countMax: limits.keptPieceCountMax)
        self.blockingPool = blockingPool
        self.logger = logger
        tls = try TLSSettings(identity: identity, versions: limits.versions, closeTimeout: limits.closeTimeout)
        var places = AdmissionPlaces(limits: limits)
        for source in knownAddresses.compactMap({ Source($0) }) { places.noteKnown(source) }
        arrivals = Mutex(
            Arrivals(
                ledger: AdmissionLedger(limits: limits), places: places, roster: ConnectionRoster(limits: limits),
                random: random))
    }

    /// By which whoever comes is judged.
    var standing: AdmissionStanding {
        get { currentStanding.withLock { $0 } }
        set { currentStanding.withLock { $0 = newValue } }
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

    /// How many connections that others opened are not admitted yet, and how many are: for those who watch over the
    /// limits.
    var inboundCounts: (unadmitted: Int, admitted: Int) { arrivals.withLock { ($0.places.count, $0.roster.count) } }

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
    /// - Parameter place: of a channel that was accepted.
    ///
    /// The future fails with an ``AdmissionFailure``, or with what NIO reports for a channel that is closed.
    func admit(
        _ channel: any Channel, role: AdmissionRole, place: AdmissionPlaces.Number? = nil,
        isExpected: @escaping (DeviceID) -> AdmissionFailure?
    ) -> EventLoopFuture<PeerConnection> {
        let peer = PeerKey(own: identity.deviceID, ownCertificate: tls.certificate, isExpected: isExpected)
        let outcome = channel.eventLoop.makePromise(of: PeerConnection.self)
        SocketSettings.acknowledgeWithAnswers(channel)
        do {
            let pipeline = channel.pipeline.syncOperations
            let gate = try pipeline.handler(type: GateHandler.self)
            let admission = AdmissionHandler(
                core: self, role: role, place: place, gate: gate, peer: peer, outcome: outcome)
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

    /// Takes a place among the unadmitted for an accepted channel, until that is admitted or closed; `nil` if there is
    /// none. Another channel may have to make room.
    func takePlace(_ channel: any Channel) -> AdmissionPlaces.Number? {
        let source = Source(channel.remoteAddress)
        let (number, crowdedOut) = arrivals.withLock { arrivals -> (AdmissionPlaces.Number?, (any Channel)?) in
            let entry = arrivals.places.enter(source, now: .now(), using: &arrivals.random)
            guard case .taken(let number, let instead) = entry else { return (nil, nil) }
            arrivals.unadmitted[number] = channel
            return (number, instead.flatMap { arrivals.unadmitted.removeValue(forKey: $0) })
        }
        crowdedOut?.triggerUserOutboundEvent(ConnectionSignal.drop, promise: nil)
        guard let number else { return nil }
        channel.closeFuture.whenComplete { _ in self.leave(number) }
        return number
    }

    /// TLS has shown whose connection it is: a device that was admitted before keeps its place whoever comes.
    func noteKey(of device: DeviceID, in place: AdmissionPlaces.Number) {
        guard isKnown(device) else { return }
        let crowdedOut = arrivals.withLock { arrivals in
            arrivals.places.recognise(place, as: device, using: &arrivals.random).flatMap {
                arrivals.unadmitted.removeValue(forKey: $0)
            }
        }
        crowdedOut?.triggerUserOutboundEvent(ConnectionSignal.drop, promise: nil)
    }

    /// A member that was admitted before, in this run or in an earlier one.
    private func isKnown(_ device: DeviceID) -> Bool {
        let wasAdmitted = arrivals.withLock { $0.devices.contains(device) } || knownDevices(device)
        return wasAdmitted && standing.roll.isMember(device)
    }

    /// How long a proof has to wait. Devices that were admitted before need not.
    func proofDelay(device: DeviceID?, address: SocketAddress?) -> TimeAmount {
        let delay = arrivals.withLock { $0.ledger.delay(Source(address), now: .now()) }
        guard delay > .zero, let device, isKnown(device) else { return delay }
        return .zero
    }

    func noteWrongProof(address: SocketAddress?, _ failure: AdmissionFailure) {
        logger.info("a device was refused", metadata: ["reason": "\(failure.summary)"])
        arrivals.withLock { $0.ledger.noteWrongProof(Source(address), now: .now()) }
    }

    /// An accepted connection is about to be admitted, or over: no newcomer has it closed from now on.
    ///
    /// - Returns: false for one that made room, which is being closed.
    @discardableResult
    func leave(_ place: AdmissionPlaces.Number) -> Bool {
        arrivals.withLock { arrivals in
            arrivals.unadmitted[place] = nil
            return arrivals.places.leave(place)
        }
    }

    /// Takes an accepted connection in that is admitted; `nil` where there is no room. Others may have to make some.
    func takeIn(_ connection: PeerConnection, channel: any Channel) -> ConnectionRoster.Number? {
        let (number, crowdedOut) = arrivals.withLock { arrivals -> (ConnectionRoster.Number?, [PeerConnection]) in
            arrivals.places.noteKnown(Source(channel.remoteAddress))
            if arrivals.devices.count < limits.knownDeviceCountMax { arrivals.devices.insert(connection.device) }
            guard let (number, instead) = arrivals.roster.enter(connection.device, using: &arrivals.random) else {
                return (nil, [])
            }
            arrivals.admitted[number] = connection
            return (number, instead.compactMap { arrivals.admitted.removeValue(forKey: $0) })
        }
        for other in crowdedOut { other.drop("it made room for another connection") }
        guard let number else { return nil }
        channel.closeFuture.whenComplete { _ in
            self.arrivals.withLock { arrivals in
                arrivals.roster.leave(number)
                arrivals.admitted[number] = nil
            }
        }
        return number
    }

    /// The connection's first message has come.
    func noteGreeted(_ number: ConnectionRoster.Number) { arrivals.withLock { $0.roster.noteGreeted(number) } }

    /// This end has closed the connection.
    func noteClosing(_ number: ConnectionRoster.Number) { arrivals.withLock { $0.roster.noteClosing(number) } }

    /// Another run holds this device's key.
    func noteCopy() {
        logger.warning("another agent has this device's key")
        report(.copied)
    }

    /// A laptop of an earlier version was refused, which may be a stranger's: that it holds its key TLS has shown, and no
    /// more.
    func noteEarlierVersion(of device: DeviceID) {
        if isKnown(device) { report(.earlierVersion(device)) }
    }

    /// A laptop showed a right proof, and is kept out all the same.
    func noteOutsider(_ device: DeviceID) { report(.outsider(device)) }

    func logger(for connection: PeerConnection) -> Logger {
        var logger = logger
        logger[metadataKey: "peer.id"] = "\(connection.device.hex.prefix(16))"
        return logger
    }
}
