import AlbumModel
import Logging
import NIOCore
import PeerTransport
import PhotoStore
import SyncEngine
import WireFormat

/// Connections over which two laptops bring each other to know the same rulings and phrases, and which nothing else goes
/// over.
extension AdmissionService {
    /// Of messages that wait to be sent: two pages of rulings.
    private static let queuedByteCountMax = 2 << 20

    /// Until it has ended, which is soon.
    ///
    /// - Parameter key: of the dial that led to the connection.
    func catchUp(over connection: PeerConnection, with peer: AdmittedPeer, key: SyncEngine.PeerKey?) async {
        let end = await exchange(over: connection, peer)
        parts.logger.info(
            "caught up", metadata: ["peer.id": "\(connection.device.hex.prefix(16))", "end": "\(end)"])
        if end == .refused(.foreign) { await forgetJoining() }
        // Whoever brought something is dialled again at once, and everybody else who was in vain before; anybody else after a
        // pause, as one that did not answer.
        let next = end == .level(isNews: true) ? [EngineInput.networkChanged] : []
        await host.feed(next + (key.map { [.dialFailed($0, isStranger: false)] } ?? []))
    }

    private func exchange(over connection: PeerConnection, _ peer: AdmittedPeer) async -> CatchUp.End {
        var machine = await host.ask { $0.catchUp(with: peer) }
        var directives = machine.handle(.began, now: parts.clock.now)
        var timer = plan(machine.nextDeadline, connection)
        defer { timer?.cancel() }
        if let end = await perform(directives, of: &machine, connection) { return end }
        for await event in connection.events {
            guard case .message(let bytes) = event, let message = try? Message(decoding: bytes) else {
                connection.close("a message cannot be read")
                continue
            }
            directives = machine.handle(.received(message), now: parts.clock.now)
            timer?.cancel()
            timer = plan(machine.nextDeadline, connection)
            if let end = await perform(directives, of: &machine, connection) { return end }
        }
        directives = machine.handle(.disconnected, now: parts.clock.now)
        return await perform(directives, of: &machine, connection) ?? .lost
    }

    /// Closes the connection when it has taken too long.
    private func plan(_ deadline: MonotonicInstant?, _ connection: PeerConnection) -> Scheduled<Void>? {
        deadline.map { deadline in
            let wait = deadline.seconds(since: parts.clock.now)
            return parts.eventLoop.scheduleTask(in: .nanoseconds(Int64(max(0, wait) * 1e9))) {
                connection.close("it took too long")
            }
        }
    }

    /// - Returns: how it ended, once it has.
    private func perform(
        _ directives: [CatchUp.Directive], of machine: inout CatchUp, _ connection: PeerConnection
    ) async -> CatchUp.End? {
        var isKept = true
        for directive in directives {
            switch directive {
            case .send(let message):
                connection.send(message.encoded())
                await connection.untilQueued(atMost: Self.queuedByteCountMax)
            case .judge(let ruling, let seed):
                let fits = await isPending(seed, ruling)
                let next = machine.handle(.judged(ruling, fits: fits), now: parts.clock.now)
                return await perform(next, of: &machine, connection)
            case .commit(let rulings, let seeds):
                do {
                    try await contributions.catchUp(rulings, seeds: seeds)
                } catch {
                    parts.logger.notice("not caught up", metadata: ["error.message": "\(error)"])
                    isKept = false
                }
            case .close(let end):
                connection.close("caught up")
                return isKept ? end : .lost
            }
        }
        return nil
    }

    /// Whether a phrase that was typed here is made of these, and it is not known yet of which epoch it is. What is made of
    /// such a one is kept for whoever stores its epoch: ``secrets(of:_:)``.
    func isPending(_ seed: Seed, _ ruling: RulingID) async -> Bool {
        let pending = phrases.pending
        do {
            let typed = try await parts.commitPool.perform {
                let phrase = try InvitePhrase(seed: seed, ruling: ruling)
                return pending.first { $0.phrase == phrase }
            }
            guard let typed else { return false }
            noteFitting(ruling, seed, typed.secrets)
            return true
        } catch {
            // Without memory: the next connection tells it again.
            parts.logger.debug("seed not judged", metadata: ["error.message": "\(error)"])
            return false
        }
    }

    /// What was typed here is another gathering's phrase.
    private func forgetJoining() async {
        guard let joining = phrases.joining, phrases.pending.first == joining else { return }
        do {
            try await setJoining(FactChange.joiningForgotten)
            problems.note(
                .joining,
                "The phrase that was typed in is another gathering's, and was forgotten. To be in both, give the second a home of its own with --home."
            )
        } catch {
            parts.logger.notice("phrase not forgotten", metadata: ["error.message": "\(error)"])
        }
    }
}
