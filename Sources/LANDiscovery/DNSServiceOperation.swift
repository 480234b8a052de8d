import CDNSSD
import Glibc

/// One open operation of the DNS-SD library: registers, browses, resolves or queries until it is closed.
///
/// Each is a thread, five descriptors and a D-Bus connection of Avahi's library. Opening and closing block for 25 s
/// where the daemon stands still. Not to be used from two threads at once.
final class DNSServiceOperation {
    enum Answer: Sendable {
        case registered
        case browsed(added: Bool, ServiceKey)
        case resolved(ResolvedService)
        case address(added: Bool, IPAddress)
        case failed(OperationFailure)
    }

    private var reference: DNSServiceRef?
    /// Filled by the callbacks, which the library makes inside of calls to it.
    private var answers: [Answer] = []

    init(_ operation: DiscoveryOperation) throws(OperationFailure) {
        _ = Self.libraryIsPrepared
        // Unretained: callbacks come inside of calls made by this object only, and end with `close`.
        let context = Unmanaged.passUnretained(self).toOpaque()
        let started = ContinuousClock.now
        let error = Self.start(operation, &reference, context)
        guard error == kDNSServiceErr_NoError, reference != nil else {
            throw Self.failure(error, after: ContinuousClock.now - started)
        }
        // The library leaves it open for child processes.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close() }

    /// Readable when `takeAnswers` has something to do; -1 once closed.
    var descriptor: Int32 { reference.map { DNSServiceRefSockFD($0) } ?? -1 }

    /// Lets the library process what has arrived, if anything, and returns what it said.
    func takeAnswers() -> [Answer] {
        defer { answers = [] }
        // With nothing to read, Avahi's DNSServiceProcessResult waits for ever: it holds the lock that its own thread
        // needs to write.
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard let reference, poll(&ready, 1, 0) == 1 else { return answers }
        let error = DNSServiceProcessResult(reference)
        if error != kDNSServiceErr_NoError { answers.append(.failed(Self.failure(error))) }
        return answers
    }

    /// Ends the operation; a registration's goodbye is on its way when this returns.
    func close() {
        guard let reference else { return }
        self.reference = nil
        DNSServiceRefDeallocate(reference)
    }

    private static let libraryIsPrepared: Void = cdnssd_prepare()

    /// A daemon that is not there is noticed within milliseconds; D-Bus waits 25 s for one that does not answer.
    private static let answerTimeout: Duration = .seconds(20)

    private static func failure(_ code: DNSServiceErrorType, after time: Duration = .zero) -> OperationFailure {
        switch Int(code) {
        case Int(kDNSServiceErr_NameConflict): .nameTaken
        case Int(kDNSServiceErr_Refused): .tooManyConnections
        default: time > answerTimeout ? .notAnswering : .notRunning
        }
    }
}

// MARK: - The library's calls

extension DNSServiceOperation {
    private static func start(
        _ operation: DiscoveryOperation, _ reference: inout DNSServiceRef?, _ context: UnsafeMutableRawPointer
    ) -> DNSServiceErrorType {
        switch operation {
        case .register(let name, let textRecord, let port):
            DNSServiceRegister(
                &reference, 0, 0, name, Advertisement.serviceType, nil, nil, port.bigEndian,
                UInt16(textRecord.count), textRecord, registered, context)
        case .browse:
            DNSServiceBrowse(&reference, 0, 0, Advertisement.serviceType, nil, browsed, context)
        case .resolve(let key):
            DNSServiceResolve(
                &reference, 0, key.interface, key.name, Advertisement.serviceType, key.domain, resolved, context)
        case .query(let kind, let host, let interface):
            DNSServiceQueryRecord(
                &reference, 0, interface, host,
                UInt16(kind == .v4 ? kDNSServiceType_A : kDNSServiceType_AAAA), UInt16(kDNSServiceClass_IN),
                addressFound, context)
        }
    }

    private static func answer(
        _ context: UnsafeMutableRawPointer?, _ error: DNSServiceErrorType, _ make: () -> Answer?
    ) {
        guard let context else { return }
        let operation = Unmanaged<DNSServiceOperation>.fromOpaque(context).takeUnretainedValue()
        if error != kDNSServiceErr_NoError {
            operation.answers.append(.failed(failure(error)))
        } else if let answer = make() {
            operation.answers.append(answer)
        }
    }

    private static func isAddition(_ flags: DNSServiceFlags) -> Bool {
        flags & DNSServiceFlags(kDNSServiceFlagsAdd) != 0
    }

    private static let registered: DNSServiceRegisterReply = { _, _, error, _, _, _, context in
        DNSServiceOperation.answer(context, error) { .registered }
    }

    private static let browsed: DNSServiceBrowseReply = { _, flags, interface, error, name, _, domain, context in
        DNSServiceOperation.answer(context, error) {
            guard let name, let domain else { return nil }
            let key = ServiceKey(name: String(cString: name), domain: String(cString: domain), interface: interface)
            return .browsed(added: DNSServiceOperation.isAddition(flags), key)
        }
    }

    private static let resolved: DNSServiceResolveReply = {
        _, _, interface, error, _, host, port, textByteCount, text, context in
        DNSServiceOperation.answer(context, error) {
            guard let host else { return nil }
            let textRecord = Array(UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(textByteCount)))
            return .resolved(
                ResolvedService(
                    host: String(cString: host), port: UInt16(bigEndian: port), textRecord: textRecord,
                    interface: interface))
        }
    }

    private static let addressFound: DNSServiceQueryRecordReply = {
        _, flags, _, error, _, _, _, byteCount, data, _, context in
        DNSServiceOperation.answer(context, error) {
            let bytes = UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(byteCount))
            guard let address = IPAddress(bytes: Array(bytes)) else { return nil }
            return .address(added: DNSServiceOperation.isAddition(flags), address)
        }
    }
}
