import AlbumModel
import Logging
import NIOCore
import NIOTLS

/// Drives an ``AdmissionExchange`` on a fresh TLS connection and puts a ``ConnectionHandler`` in its own place when it succeeds.
/// Runs on the channel's event loop.
final class AdmissionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let core: TransportCore
    private let role: AdmissionRole
    /// Of a connection that was accepted.
    private let place: AdmissionPlaces.Number?
    private let gate: GateHandler
    private let peer: PeerKey
    private let outcome: EventLoopPromise<PeerConnection>

    /// Who was in when the peer was asked for its proof.
    private var judgedBy: AdmissionStanding?
    private var machine: (any AdmissionExchange)?
    private var received = ByteBuffer()
    /// The proof that waits because others from its address were wrong.
    private var delayedProof: Scheduled<Void>?
    private var isOver = false

    /// `outcome` is fulfilled in every case.
    init(
        core: TransportCore, role: AdmissionRole, place: AdmissionPlaces.Number?, gate: GateHandler, peer: PeerKey,
        outcome: EventLoopPromise<PeerConnection>
    ) {
        self.core = core
        self.role = role
        self.place = place
        self.gate = gate
        self.peer = peer
        self.outcome = outcome
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted(let chosenProtocol) = event as? TLSUserEvent else {
            return context.fireUserInboundEventTriggered(event)
        }
        guard let version = chosenProtocol.flatMap(ProtocolVersion.init(rawValue:)) else {
            return refuse(.protocolError("the peer speaks another protocol"), context: context)
        }
        guard let peerKey = peer.publicKeyDER, let device = peer.device else {
            return refuse(.protocolError("resumed TLS session"), context: context)
        }
        if peer.isCopy {
            core.noteCopy()
            return refuse(.isCopy, context: context)
        }
        let standing = core.standing
        judgedBy = standing
        guard version == .newest || standing.isInFirstEpoch else {
            core.noteEarlierVersion(of: device)
            return refuse(.earlierVersion(device), context: context)
        }
        if let place { core.noteKey(of: device, in: place) }
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<AdmissionSizes.nonceByteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let ownKey = core.identity.publicKeyDER
        var machine: any AdmissionExchange =
            switch version {
            case .newest:
                Admission(
                    role: role, standing: standing, ownKey: ownKey, peerKey: peerKey, peer: device, nonce: nonce)
            case .earlier:
                EarlierAdmission(
                    role: role, secrets: standing.keyring.newest.secrets, ownKey: ownKey, peerKey: peerKey,
                    nonce: nonce)
            }
        let directives = machine.start()
        self.machine = machine
        perform(directives, context: context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        var buffer = Self.unwrapInboundIn(data)
        received.writeBuffer(&buffer)
        takeFrame(context: context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finish(.failure(peer.failure ?? machine?.failureAtEnd ?? .closed))
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        finish(.failure(.closed))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // TLS closes the channel after its errors, and a broken channel closes by itself: the end follows.
        core.logger.debug("connection error before admission", metadata: ["error": "\(error)"])
    }

    // MARK: - Frames

    private func takeFrame(context: ChannelHandlerContext) {
        guard delayedProof == nil else {
            return refuse(.protocolError("more than one frame before admission"), context: context)
        }
        guard let head = received.getInteger(at: received.readerIndex, as: UInt32.self) else { return }
        let byteCount = Int(head & 0xff_ffff)
        guard head >> 24 == FrameKind.admission.rawValue,
            byteCount <= TransportLimits.admissionFrameByteCountMax - FrameHeader.byteCount
        else { return refuse(.protocolError("no admission frame"), context: context) }
        guard received.readableBytes >= FrameHeader.byteCount + byteCount else { return }
        received.moveReaderIndex(forwardBy: FrameHeader.byteCount)
        let payload = received.readBytes(length: byteCount)!
        if role == .acceptor, received.readableBytes > 0 {
            return refuse(.protocolError("more than one frame before admission"), context: context)
        }
        let delay = core.proofDelay(device: peer.device, address: context.channel.remoteAddress)
        guard machine?.awaitsProof == true, delay > .zero else { return judge(payload, context: context) }
        delayedProof = context.eventLoop.assumeIsolated().scheduleTask(in: delay) {
            self.delayedProof = nil
            self.judge(payload, context: context)
        }
    }

    private func judge(_ payload: [UInt8], context: ChannelHandlerContext) {
        guard !isOver else { return }
        let wasProof = machine?.awaitsProof == true
        let directives = machine?.receive(payload) ?? []
        if wasProof, case .refuse(let failure)? = directives.last, failure.isWrongProof {
            core.noteWrongProof(address: context.channel.remoteAddress, failure)
            if failure == .outsider, let device = peer.device { core.noteOutsider(device) }
        }
        perform(directives, context: context)
    }

    private func perform(_ directives: [AdmissionDirective], context: ChannelHandlerContext) {
        // Before the verdict: whoever hears that it is in makes room for no stranger any more.
        if case .admit? = directives.last, let place, !core.leave(place) {
            return refuse(.crowded, context: context)
        }
        for directive in directives {
            switch directive {
            case .send(let payload):
                var frame = context.channel.allocator.buffer(capacity: FrameHeader.byteCount + payload.count)
                frame.writeFrameHeader(.admission, payloadByteCount: payload.count)
                frame.writeBytes(payload)
                context.writeAndFlush(Self.wrapOutboundOut(frame), promise: nil)
            case .admit(let purpose, let epoch): admit(for: purpose, provenUnder: epoch, context: context)
            case .refuse(let failure): refuse(failure, context: context)
            }
        }
    }

    // MARK: - The end

    private func refuse(_ failure: AdmissionFailure, context: ChannelHandlerContext) {
        guard !isOver else { return }
        finish(.failure(failure))
        context.close(promise: nil)
    }

    /// Whether the peer would be linked still: what hosts decided since its proof was asked for may keep it out.
    private var isWelcomeStill: Bool {
        guard let before = judgedBy?.roll, let device = peer.device else { return false }
        let now = core.standing.roll
        if before.inForce == now.inForce, before.isDoorOpen == now.isDoorOpen, !now.isOut(device) { return true }
        return now.isMember(device)
    }

    private func admit(for purpose: ConnectionPurpose, provenUnder epoch: RulingID?, context: ChannelHandlerContext) {
        if purpose == .link, !isWelcomeStill { return refuse(.outsider, context: context) }
        guard
            let connection = PeerConnection(
                channel: context.channel, peer: peer, dialled: role == .dialler, purpose: purpose,
                provenUnder: epoch, limits: core.limits, memory: core.pieceMemory)
        else { return refuse(.closed, context: context) }
        var number: ConnectionRoster.Number?
        if role == .acceptor {
            number = core.takeIn(connection, channel: context.channel)
            guard number != nil else { return refuse(.crowded, context: context) }
        }
        let handler = ConnectionHandler(
            connection: connection, core: core, number: number, logger: core.logger(for: connection))
        do {
            try context.pipeline.syncOperations.addHandler(handler, position: .after(self))
        } catch {
            return refuse(.closed, context: context)
        }
        gate.noteAdmitted()
        finish(.success(connection))
        if received.readableBytes > 0 { context.fireChannelRead(Self.wrapInboundOut(received)) }
        received = ByteBuffer()
        context.pipeline.syncOperations.removeHandler(self, promise: nil)
    }

    private func finish(_ result: Result<PeerConnection, AdmissionFailure>) {
        guard !isOver else { return }
        isOver = true
        delayedProof?.cancel()
        switch result {
        case .success(let connection): outcome.succeed(connection)
        case .failure(let failure): outcome.fail(failure)
        }
    }
}
