import AlbumModel
import Synchronization
import LANDiscovery
import Logging
import PeerTransport
import SyncEngine

/// Connections that this device opens.
extension NetworkService {
    func dial(_ dial: Dial) {
        let (cancellation, continuation) = AsyncStream.makeStream(of: Never.self)
        let number = state.withLock { state in
            let number = state.nextDial
            state.nextDial += 1
            state.dials[dial.key] = DialUnderWay(number: number, cancellation: continuation)
            return number
        }
        jobs.add { await self.perform(dial, number, until: cancellation) }
    }

    /// Gives up a dial that is under way.
    func cancelDial(_ key: SyncEngine.PeerKey) {
        state.withLock { $0.dials.removeValue(forKey: key) }?.cancellation.finish()
    }

    private func perform(_ dial: Dial, _ number: UInt64, until cancellation: AsyncStream<Never>) async {
        let outcome = await outcome(of: dial, until: cancellation)
        state.withLock { state in
            if state.dials[dial.key]?.number == number { state.dials[dial.key] = nil }
        }
        switch outcome {
        case .success(let connection): await connected(connection, key: dial.key)
        case .failure(let error): await failed(dial, error)
        case nil: break
        }
    }

    /// - Returns: `nil` for a dial that was given up.
    private func outcome(
        of dial: Dial, until cancellation: AsyncStream<Never>
    ) async -> Result<PeerConnection, DialError>? {
        let expectation = dial.expecting.map { DeviceExpectation.prefix(BigEndian.bytes($0)) }
        return await withTaskGroup(of: Result<PeerConnection, DialError>?.self) { [parts] group in
            group.addTask {
                do throws(DialError) {
                    return .success(try await parts.transport.dial(dial.addresses, expecting: expectation))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                for await _ in cancellation {}
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            // One that was admitted in the very moment in which it was given up.
            if first == nil, case .success(let connection)?? = await group.next() { connection.close("given up") }
            return first
        }
    }

    private func failed(_ dial: Dial, _ error: DialError) async {
        parts.logger.debug("dial failed", metadata: ["peer.key": "\(dial.key)", "error.message": "\(error)"])
        if case .device(let prefix) = dial.key { parts.discovery?.resolveAgain(devicePrefix: BigEndian.bytes(prefix)) }
        if case .fixed(let address) = dial.key, error == .notAMember {
            problems.note(
                .stranger, "The laptop at \(address) is in another gathering: it has another invite phrase.")
        }
        switch error {
        case .toldOut: await admissions.note(.out)
        case .toldChanged: await admissions.note(.changed)
        case .earlierVersion(let device): await admissions.noteEarlierVersion(of: device)
        default: break
        }
        let isStranger = error == .notAMember || error == .outsider || error == .isSelf
        await host.feed(.dialFailed(dial.key, isStranger: isStranger))
    }
}
