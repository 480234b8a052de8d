import Logging
import NIOCore
import PotluckAPI
import Synchronization
import WebGallery

/// The two doors for browsers.
extension Entrance {
    /// As the acceptance of phones wants it: easy to type, and no port of the system's own.
    private static let usualGuestPort = 4712

    /// Opens what is to be open, keeps what changes, ends what is over; until cancelled.
    func serve(doors: any DoorOpening) async {
        update { $0.opening = doors }
        await openLoopback()
        if state.withLock({ $0.doors.isOpen }) {
            await doorGate.enter()
            do {
                try await openDoor()
            } catch {
                logger.warning("the door for guests stays closed", metadata: ["error": "\(error)"])
            }
            await doorGate.leave()
        }
        begun.open()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.keepAllChanges() }
            group.addTask {
                for await standing in self.host.standings() { await self.heed(standing) }
            }
        }
    }

    // MARK: The owner's browser

    private func openLoopback() async {
        let (opening, address, port) = state.withLock { ($0.opening, $0.doors.loopbackAddress, $0.doors.loopbackPort) }
        let door = Door(
            place: .address(host: address, port: port ?? 0), hosts: .ownAddress, requiresOrigin: true, offer: .pages,
            limits: Self.loopbackLimits
        ) { [weak self] request in self?.visitor(request, at: .loopback) }
        do {
            let port = try await opening?.open(door, as: .loopback)
            update(.doors) { state in
                state.loopbackPort = port
                state.doors.loopbackPort = port
            }
        } catch {
            logger.warning(
                "browsers of this laptop cannot come in", metadata: ["address": "\(address)", "error": "\(error)"])
        }
    }

    private static let loopbackLimits = {
        var limits = WebLimits()
        limits.bodyByteCountMax = bodyByteCountMax
        limits.stallPatience = .seconds(60)
        return limits
    }()

    /// A chunk of an upload is 8 MiB; with room.
    private static let bodyByteCountMax = 9 << 20

    /// Where the owner's browser finds this laptop.
    func ownerLink() async throws -> String {
        await begun.wait()
        var generator = SystemRandomNumberGenerator()
        let code = SecretToken(using: &generator)
        let now = clock.steady()
        let origin = update { state -> String? in
            guard let port = state.loopbackPort else { return nil }
            state.codes.issue(code, now: now)
            return "http://\(state.doors.loopbackAddress):\(port)"
        }
        guard let origin else {
            throw PotluckError(
                .badSetting,
                "The door for browsers of this laptop could not be opened: the agent's log says why. Stop what holds its port, then start the agent again."
            )
        }
        return "\(origin)/open/#\(code.text)"
    }

    /// Whether the owner's browser may still come in by a code.
    func ownerLinkWaits(code: String) -> Bool {
        let now = clock.steady()
        return state.withLock { $0.codes.waits(code, now: now) }
    }

    // MARK: Guests

    private static let guestLimits = {
        var limits = WebLimits()
        // Thirty pages of six connections each, and some to spare.
        limits.connectionCountMax = 200
        limits.connectionCountMaxOfAddress = 64
        limits.bodyByteCountMax = bodyByteCountMax
        limits.idlePatience = .seconds(60)
        limits.stallPatience = .seconds(60)
        return limits
    }()

    /// Opens the guests' door at the port that it had, else at the usual one, else at any. The gate is the caller's.
    func openDoor() async throws {
        let (opening, kept, current) = state.withLock { ($0.opening, $0.doors.guestPort, $0.guestPort) }
        guard current == nil else { return }
        guard let opening else { throw PotluckError(.tryAgain, "The agent is starting; try again in a moment.") }
        var failure: any Error = PotluckError(.failed, "There is no port to listen at.")
        var ports: [Int] = []
        for port in [kept, Self.usualGuestPort, 0].compactMap(\.self) where !ports.contains(port) { ports.append(port) }
        for port in ports {
            let door = Door(
                place: .address(host: "0.0.0.0", port: port), hosts: .ownAddress, requiresOrigin: true, offer: .pages,
                limits: Self.guestLimits
            ) { [weak self] request in self?.visitor(request, at: .guests) }
            do {
                let port = try await opening.open(door, as: .guests)
                if let kept, kept != port {
                    logger.warning(
                        "guests need the new link: the door's port has changed", metadata: ["port": "\(port)"])
                }
                update(.doors) { state in
                    state.guestPort = port
                    state.doors.guestPort = port
                }
                await tellDoor(port)
                return
            } catch {
                failure = error
            }
        }
        throw failure
    }

    /// Closes the guests' door, with all that came through it.
    func closeDoor() async {
        let opening = update { state in
            state.guestPort = nil
            return state.opening
        }
        await opening?.close(.guests)
        await tellDoor(nil)
    }

    /// Where others do not hear of it, pages that move do not come here; nothing else depends on it.
    private func tellDoor(_ port: Int?) async {
        do {
            try await host.tellDoor(port: port)
        } catch {
            logger.warning("other laptops were not told of the door for guests", metadata: ["error": "\(error)"])
        }
    }

    /// Which door a request came through; `nil` for the home's socket.
    func name(of door: Door) -> DoorName? {
        guard case .address(let host, _) = door.place else { return nil }
        return host == state.withLock { $0.doors.loopbackAddress } ? .loopback : .guests
    }

    /// Whether phones that have an address of this laptop come in at the guests' door.
    var isGuestDoorOpen: Bool { state.withLock { $0.guestPort } != nil }

    /// At which origins guests find this laptop, the best first; empty while the door is closed.
    func guestOrigins() async -> [String] {
        guard let port = state.withLock({ $0.guestPort }) else { return [] }
        // The door is one of IPv4: every network of a house has it, and a link with such an address is short.
        return await host.ownAddresses().filter { !$0.contains(":") }.map { "http://\($0):\(port)" }
    }

    /// The guests' link at this laptop's addresses, the best first; `nil` while the door is closed.
    func linkAddresses() async -> (first: String, others: [String])? {
        let origins = await guestOrigins()
        guard let link = state.withLock({ $0.doors.link }), let first = origins.first else { return nil }
        return (link.address(at: first), origins.dropFirst().map { link.address(at: $0) })
    }

    /// Why no link leads here.
    ///
    /// - Parameter closed: The reason where the door is closed.
    func noLink(_ closed: PotluckError) -> PotluckError {
        guard isGuestDoorOpen else { return closed }
        return PotluckError(
            .tryAgain,
            "The door for guests is open, but phones have no address of this laptop. Connect it to their network, see that the setting `listen` names no other address, then try again; `potluck guests off` closes the door."
        )
    }

    /// A link for the owner's phone.
    func ownerPass() async throws -> String {
        await begun.wait()
        guard let origin = await guestOrigins().first else {
            throw noLink(
                PotluckError(.badSetting, "The door for phones is closed. Open it with `potluck guests on`."))
        }
        var generator = SystemRandomNumberGenerator()
        let code = SecretToken(using: &generator)
        let now = clock.steady()
        update { $0.passCodes.issue(code, now: now) }
        return "\(origin)/open/#\(code.text)"
    }
}
