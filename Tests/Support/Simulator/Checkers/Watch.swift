/// Checkers that look at everything as it happens.
struct Watch {
    var sequences = SequenceChecker()
    var served = ServedBytesChecker()
    var queues = QueueChecker()
    var traffic = TrafficChecker()
    var claims = ClaimChecker()
    var addresses = AddressChecker()
    var requests = AnsweredRequests()
    var leftOut = NothingDiscarded()
    var outsider = NothingLearned()

    /// A laptop's journal is not what it was.
    mutating func wentBack(_ laptop: Laptop) {
        sequences.wentBack(laptop)
        traffic.wentBack(laptop)
    }
}
